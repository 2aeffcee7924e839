"""Compose accepts the file, and what it makes of it is what the casino needs."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.e2e.conftest import chosen

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docker-compose.yml"
DECIDING = ("shoe", "table-orchestrator", "settlement", "wallet", "desk")
SERVICES = (*DECIDING, "archive")


def compose(env_file: Path) -> subprocess.CompletedProcess[str]:
    """Let compose check the file; only the environment file gives it secrets."""
    words = ["docker", "compose"]
    asked = subprocess.run([*words, "version"], capture_output=True, check=False)
    if asked.returncode != 0:
        words = ["docker-compose"]
    return subprocess.run(
        [*words, "--env-file", str(env_file), "-f", str(FILE), "config"],
        env={"PATH": os.environ["PATH"], "HOME": str(env_file.parent)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    if chosen() != "docker":
        pytest.skip("compose comes with the container engine")
    file = tmp_path / "secrets.env"
    subprocess.run([ROOT / "deploy" / "secrets.sh", file], check=True, timeout=60)
    return file


def values(env_file: Path) -> dict[str, str]:
    lines = env_file.read_text().splitlines()
    return {k: v.strip("'") for k, _, v in (line.partition("=") for line in lines)}


def test_secrets_are_made_once(secrets: Path) -> None:
    """Running it again changes nothing; every secret is its own; only we may read."""
    before = secrets.read_text()

    subprocess.run([ROOT / "deploy" / "secrets.sh", secrets], check=True, timeout=60)

    assert secrets.read_text() == before
    assert len(set(values(secrets).values())) == len(values(secrets)) == 13
    assert secrets.stat().st_mode & 0o077 == 0


def test_no_secret_has_a_default(secrets: Path) -> None:
    """Without the passwords compose refuses to start anything."""
    secrets.write_text("")

    done = compose(secrets)

    assert done.returncode != 0
    assert "deploy/secrets.sh" in done.stderr


def test_every_service_waits_and_has_no_rights(secrets: Path) -> None:
    """Each starts after migrations and topics, on a read-only file system."""
    done = compose(secrets)

    assert done.returncode == 0, done.stderr
    for name in SERVICES:
        section = sections(done.stdout)[name]
        assert section["command"][:2] == ["serve", name]
        assert section["command"][-2:] == ["--port", "8022"]
        asked = section["environment"]["PUSH22_SOURCES"].split(",")
        assert asked == [f"{name}=http://{name}:8022" for name in DECIDING]
        assert section["read_only"]
        assert section["cap_drop"] == ["ALL"]
        waits = {n: on["condition"] for n, on in section["depends_on"].items()}
        assert waits == {
            "kafka": "service_healthy",
            "postgres": "service_healthy",
            "migrate": "service_completed_successfully",
            "topics": "service_completed_successfully",
        }


def test_every_service_has_its_own_role_and_keys(secrets: Path) -> None:
    """None gets a secret of another one, and the archive neither role nor key."""
    found, known = sections(compose(secrets).stdout), values(secrets)

    for name in DECIDING:
        environment, noun = found[name]["environment"], name.replace("-", "_")
        password = known[f"PUSH22_PASSWORD_{noun.upper()}"]
        assert environment["PUSH22_DSN"] == (
            f"postgresql://push22_{noun}:{password}@postgres/push22"
        )
        keys = known[f"PUSH22_SEAL_KEYS_{noun.upper()}"]
        assert json.loads(environment["PUSH22_SEAL_KEYS"]) == json.loads(keys)
    assert set(found["archive"]["environment"]) == {
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "OTEL_TRACES_SAMPLER_ARG",
        "PUSH22_KAFKA",
        "PUSH22_TOKEN",
        "PUSH22_SOURCES",
    }


def test_the_door_reads_the_archive_and_has_a_secret_of_its_own(secrets: Path) -> None:
    """It has no role of the database and no sealing key; its options are filled in."""
    found = sections(compose(secrets).stdout)["gateway"]

    assert found["command"][:2] == ["serve", "gateway"]
    assert not any("$" in word for word in found["command"])
    assert set(found["environment"]) == {
        "PUSH22_KAFKA",
        "PUSH22_TOKEN",
        "PUSH22_SOURCES",
        "PUSH22_GATEWAY_SECRET",
    }
    secret = values(secrets)["PUSH22_GATEWAY_SECRET"]
    assert found["environment"]["PUSH22_GATEWAY_SECRET"] == secret
    assert found["read_only"]
    assert found["cap_drop"] == ["ALL"]


def test_only_this_machine_reaches_a_port(secrets: Path) -> None:
    """The three ports that are published stand on the loopback address."""
    found = sections(compose(secrets).stdout)

    published = {name: s["ports"] for name, s in found.items() if s.get("ports")}
    assert set(published) == {"kafka", "postgres", "gateway"}
    for ports in published.values():
        assert all("127.0.0.1" in str(port) for port in ports)


def sections(config: str) -> dict[str, Any]:
    """Read the services of what compose printed."""
    return dict(yaml.safe_load(config)["services"])
