"""What `push22 serve NAME` needs, and what it says where that is not there."""

import base64
import json
import socket
from pathlib import Path

import pytest

from push22.__main__ import run
from push22.casino import SERVICES
from push22.errors import Failure
from push22.service_needs import PORTS, bound, keys_of, sources
from runtime.ambient import KeyMissing

Told = pytest.CaptureFixture[str]
BY_NAME = {service.name: service for service in SERVICES}
DSN = "postgresql://nobody@127.0.0.1:1/push22"


def ring(key: bytes) -> str:
    text = base64.b64encode(key).decode()
    return json.dumps({"active": "1", "keys": {"1": text}})


@pytest.fixture(autouse=True)
def given(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment that says nothing about keys and sources."""
    for name in ("PUSH22_SEAL_KEYS", "PUSH22_SOURCES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PUSH22_TOKEN", "t")
    monkeypatch.setenv("PUSH22_KAFKA", "127.0.0.1:1")


def test_only_the_shoe_cannot_do_without_sealing_keys() -> None:
    """It alone seals; the others start with a key of their process."""
    for name in ("table-orchestrator", "settlement", "wallet"):
        assert keys_of(BY_NAME[name]).active == "memory"
    with pytest.raises(KeyMissing, match="PUSH22_SEAL_KEYS is not set: give"):
        keys_of(BY_NAME["shoe"])


@pytest.mark.parametrize("text", ["abc", "[]", "{}", '{"active": "1", "keys": {}}'])
def test_keys_that_are_none_are_refused_with_the_way_to_make_some(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever gave them meant something: no service goes on without."""
    monkeypatch.setenv("PUSH22_SEAL_KEYS", text)
    for name in ("shoe", "wallet"):
        with pytest.raises(KeyMissing, match=r"no usable keys: .*openssl rand -base64"):
            keys_of(BY_NAME[name])


def test_keys_that_are_given_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the shoe to seal, by the others to sign their snapshots."""
    monkeypatch.setenv("PUSH22_SEAL_KEYS", ring(bytes(32)))
    assert {keys_of(service).active for service in SERVICES} == {"1"}
    monkeypatch.setenv("PUSH22_SEAL_KEYS", ring(b"short"))
    with pytest.raises(KeyMissing):
        keys_of(BY_NAME["shoe"])


def failure(capsys: Told) -> str:
    """Return what a person is told: not what the log says of the build."""
    lines = capsys.readouterr().err.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("{"))


@pytest.mark.parametrize("name", PORTS)
def test_nothing_starts_without_the_token(
    name: str, tmp_path: Path, capsys: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would run, and stick at its first gap: so it says what is missing."""
    monkeypatch.setenv("PUSH22_TOKEN", "")

    assert run(["serve", name, "--dsn", DSN, "--data", str(tmp_path)]) == 2

    said = failure(capsys)
    assert said.startswith("push22: PUSH22_TOKEN: is not set: ")
    assert "openssl rand -hex 32" in said


@pytest.mark.parametrize("name", ["wallet", "archive"])
def test_a_port_that_is_taken_is_one_line(
    name: str, tmp_path: Path, capsys: Told
) -> None:
    """Told before Kafka or a database is asked for anything."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        words = ["--dsn", DSN, "--data", str(tmp_path), "--port", port]
        assert run(["serve", name, *words]) == 1

    said = f"push22: 127.0.0.1:{port}: Address already in use; choose another --port\n"
    assert failure(capsys) == said


def test_a_port_is_free_again_for_the_next() -> None:
    """What a process has left behind does not keep the next one out."""
    with bound(("127.0.0.1", 0)) as first:
        place = first.getsockname()
        first.listen()
        with pytest.raises(Failure, match="in use"):
            bound(place)
    bound(place).close()


def test_services_find_one_another_on_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each at a port of its own; PUSH22_SOURCES goes before that."""
    assert len({*PORTS.values(), 8022}) == len(PORTS) + 1
    assert sources() == {name: f"http://127.0.0.1:{PORTS[name]}" for name in BY_NAME}

    monkeypatch.setenv("PUSH22_SOURCES", "wallet=http://purse:1/")
    assert sources()["wallet"] == "http://purse:1"
    assert sources()["shoe"] == "http://127.0.0.1:8101"
