"""What a log line says of what is at hand, and what none ever says."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from aiokafka.errors import NotLeaderForPartitionError
from toys import FAULTS, memory, send, started

from runtime import telemetry
from runtime.at_hand import AT_HAND, Doing
from runtime.redaction import HIDDEN, Redactor

TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJlLi4u"
HEX = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
BASE64 = "YSBzZWNyZXQgb2YgdGhpcnR5LXR3byBieXRlcyBvciBzbw=="


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    """Leave loggers as they were found."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


async def test_a_line_names_the_input_at_hand(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Stream and correlation, whoever writes it; and nothing once it is over."""
    telemetry.configure(json=True)
    host = await started(memory())
    await send(host, "c1", FAULTS.poison)
    telemetry.get_logger("test").error("later")
    [aside, later] = lines(capsys)
    assert aside["event"] == "stream set aside"
    assert (aside["stream"], aside["correlation"]) == ("counter-a", "c1")
    assert aside["level"] == "error"
    assert not {"stream", "correlation", "round_id"} & set(later)


async def test_a_line_names_the_round_of_a_record(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It is in the record that is reacted to, or is the stream itself."""
    telemetry.configure(json=True)
    host = await started(memory())
    await send(host, "c1", FAULTS.poison_react)
    assert {line["round_id"] for line in lines(capsys)} == {"round-a-1"}
    token = AT_HAND.set(Doing("round-t1-7", "c9"))
    telemetry.get_logger("test").error("here", stream="its own")
    AT_HAND.reset(token)
    [line] = lines(capsys)
    assert (line["stream"], line["round_id"]) == ("its own", "round-t1-7")


def test_lines_of_libraries_come_out_the_same_way(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As JSON, with level and time; what they say at DEBUG is whole frames: never."""
    telemetry.configure(json=True, level=logging.DEBUG)
    library = logging.getLogger("some.library")
    library.debug("< TEXT %s", TOKEN)
    library.info("started on %s", "postgresql://shoe:hunter2hunter2@db/push22")
    try:
        raise ValueError(f"Bearer {TOKEN}")
    except ValueError:
        library.exception("it failed")
    [started_, failed] = lines(capsys)
    assert started_["event"] == f"started on postgresql://shoe:{HIDDEN}@db/push22"
    assert started_["logger"] == "some.library"
    assert {"level", "timestamp"} <= set(started_)
    assert "ValueError" in failed["exception"]
    assert TOKEN not in failed["exception"]


def test_configuring_twice_writes_every_line_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The handler is replaced, not added."""
    telemetry.configure(json=True)
    telemetry.configure(json=True)
    logging.getLogger("aiokafka").warning("away")
    assert [line["event"] for line in lines(capsys)] == ["away"]


def test_what_no_reader_can_do_anything_about_is_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The first play would begin with a dozen errors that mean nothing."""
    telemetry.configure(json=True)
    logging.getLogger("faststream").warning("Auto create topics is disabled. Make sure")
    error = NotLeaderForPartitionError()
    fetcher = logging.getLogger("aiokafka.consumer.fetcher")
    fetcher.error("Failed fetch offsets from %d: %s", 1, error)
    fetcher.error("Failed fetch messages from %d: %s", 1, "a broken line")
    assert [line["event"] for line in lines(capsys)] == [
        "Failed fetch messages from 1: a broken line"
    ]


def test_a_library_that_writes_by_itself_is_taken_over(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As FastStream does: it has a handler of its own once it is imported."""
    library = logging.getLogger("test.library")
    library.addHandler(logging.StreamHandler())
    library.propagate = False
    telemetry.configure(json=True)
    library.warning("password=hunter2hunter2")
    assert [line["event"] for line in lines(capsys)] == [f"password={HIDDEN}"]
    assert not library.handlers


@pytest.mark.parametrize(
    "name",
    ["authorization", "Authorization", "token", "launch_token", "dsn", "password",
     "seal_key", "salt", "hole", "hole_card", "card", "cards", "secret", "key",
     "PUSH22_SEAL_KEYS", "nonce", "Push22-Signature", "hmac", "seed"],
)  # fmt: skip
def test_what_such_a_name_holds_is_hidden(name: str) -> None:
    """Whatever it looks like, and however deep it is."""
    line = {name: "As", "about": {"deep": [{name: b"As"}]}, "stream": "shoe-t1-1"}
    found = Redactor()(None, "", line)
    assert found[name] == HIDDEN
    assert found["about"]["deep"][0][name] == HIDDEN
    assert found["stream"] == "shoe-t1-1"


@pytest.mark.parametrize(
    "text",
    [
        f"Authorization: Bearer {TOKEN}",
        f"(b'authorization', b'Bearer {TOKEN}')",
        f"GET /play/t1#launch={TOKEN}",
        f"postgresql://shoe:{HEX}@db:5432/push22?sslmode=require",
        f"password={HEX}",
        f'{{"seal_key": "{BASE64}"}}',
        f"salt {BASE64} of a card",
        f"key is {HEX}.",
        f"read {TOKEN} from a frame",
    ],
)
def test_what_looks_secret_is_hidden_wherever_it_stands(text: str) -> None:
    """In an event, an error, or a list of things."""
    for line in (
        {"event": text},
        {"error": repr(ValueError(text))},
        {"error": ValueError(text)},
        {"about": [text, {"x": (text,)}]},
    ):
        found = str(Redactor()(None, "", line))
        assert not any(word in found for word in (TOKEN, HEX, BASE64)), found


def test_a_value_that_is_no_plain_one_is_named_by_its_type() -> None:
    """Its fields might be anything."""
    line = {"state": Doing("a", TOKEN), "body": b"As Kd", "path": Path("a/b"), "n": 1}
    found = Redactor()(None, "", line)
    assert found == {"state": "<Doing>", "body": "<5 bytes>", "path": "a/b", "n": 1}


def test_secrets_of_the_process_are_hidden_word_for_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those that look like nothing in particular are known from the environment."""
    monkeypatch.setenv("PUSH22_TOKEN", "correct-horse-battery")
    monkeypatch.setenv("PUSH22_DSN", "postgresql://shoe:staple%20thing@db/push22")
    telemetry.configure(json=True)
    log = telemetry.get_logger("test")
    log.error("correct-horse-battery is wrong", reason="staple%20thing")
    [line] = lines(capsys)
    assert (line["event"], line["reason"]) == (f"{HIDDEN} is wrong", HIDDEN)


def test_ordinary_lines_are_left_as_they_are() -> None:
    """Names of streams, records, ids and reasons are what a line is for."""
    line = {
        "event": "source halted",
        "reason": "fork: wallet offset 17",
        "stream": "wallet-acme.alice.EUR",
        "correlation": "06618059d51338c2972da3a2b9659791",
        "error": "LogUnavailable('db:5432: connection refused')",
        "path": "/player/v1/rounds/round-t1-1/wagers/1",
    }
    assert Redactor()(None, "", dict(line)) == line


def test_a_level_is_one_of_five() -> None:
    """Whatever its case; without one it is WARNING."""
    assert telemetry.level_of("") == logging.WARNING
    assert telemetry.level_of("debug") == logging.DEBUG
    with pytest.raises(ValueError, match="PUSH22_LOG_LEVEL is one of"):
        telemetry.level_of("loud")
