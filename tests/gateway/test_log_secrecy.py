"""No secret is in a log line or a span, whatever is played and whatever fails."""

import base64
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from house import KEYS, RIVAL_KEYS, SECRET, House, house
from player import connected
from test_round import funded, seated

from contracts import catalog
from push22.casino import KEYS_NAME
from runtime import telemetry
from tests.traced import Spans

_CARD = re.compile(r"(?<![\w.-])(10|[2-9TJQKA])[cdhs](?![\w.-])")
_SALT = re.compile(r'"salt":"([^"]+)"')


@pytest.fixture(autouse=True)
def _everything_is_said() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    telemetry.configure(json=True, level=logging.DEBUG)
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def spelled(secret: bytes) -> set[str]:
    """Return the ways in which a secret might be written down."""
    return {
        secret.decode("latin-1"),
        secret.hex(),
        base64.b64encode(secret).decode().rstrip("="),
        base64.urlsafe_b64encode(secret).decode().rstrip("="),
    }


def keys_of(the: House) -> set[str]:
    found = [SECRET, *KEYS.values(), *RIVAL_KEYS.values()]
    kept = json.loads((the.data / KEYS_NAME).read_text())["keys"]
    found += [base64.b64decode(text) for text in kept.values()]
    return {word for secret in found for word in spelled(secret)}


def salts_of(the: House) -> set[str]:
    """Return the salts of all cards that were told by now, of every log."""
    rows = the.casino.host.file.query("SELECT body FROM records")
    text = "".join(body.decode() for (body,) in rows)
    found = set(_SALT.findall(text))
    assert found
    return {salt.rstrip("=") for salt in found}


async def _played(the: House, address: str) -> str:
    """Play two rounds; return the token of their player."""
    await the.open_table("t1")
    await funded(the)
    token = await the.session()
    async with connected(address, token) as alice:
        await seated(alice, "t1")
        for _ in range(2):
            await alice.play_round("t1")
        await the.settled()
    return token


async def _failures(the: House, token: str, patch: pytest.MonkeyPatch) -> None:
    """Have requests fail with what should not be told in hand."""

    def broken(session: object, table: str) -> object:
        salt = next(iter(salts_of(the)))
        raise RuntimeError(f"Authorization: Bearer {token}, salt {salt}=, {session}")

    for wrong in ("", token[:-3], "Bearer", "eyJ.a.b"):
        await the.play("GET", "/player/v1/me", wrong)
    await the.play("GET", f"/player/v1/{token}?launch={token}", token)
    with patch.context() as patched:
        patched.setattr(the.door, "table_of", broken)
        wagers = {"wagers_minor": [1000, 1000]}
        path = "/player/v1/rounds/round-t1-2/wagers/1"
        answer = await the.play("PUT", path, token, wagers)
        assert answer.status_code == 500


async def test_no_secret_is_logged_or_traced(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Rounds, refusals and faults, with all that is ever said: none of it tells."""
    spans = Spans()
    async with house(tmp_path) as the, the.served() as address:
        with spans.told():
            tokens = [await _played(the, address)]
            await _failures(the, tokens[0], monkeypatch)
            tokens.append(the.support("resolver"))
            await the.play("GET", "/support/v1/rounds/round-t1-1", tokens[1])
        secrets = keys_of(the) | salts_of(the) | set(tokens)
    said = capsys.readouterr().err
    lines = [json.loads(line) for line in said.splitlines()]
    traced = "".join(span.to_json() for span in spans.all())
    events = {line["event"] for line in lines}
    assert "a request failed" in events
    assert len(spans.all()) > 50
    for place in (said, traced):
        assert not [word for word in secrets if word in place]
        assert not _CARD.search(place)
        assert "leaf" not in place


def _break_dealing(the: House, patch: pytest.MonkeyPatch) -> list[object]:
    """Let the table fail at cards that came; return those that it was given."""
    decisions = the.casino.host.worker("table-orchestrator").decisions
    usual, seen = decisions._decide, []

    def faulty(entry: object, item: object) -> object:
        message = getattr(item, "message", None)
        if type(message).__name__ != "CardsDealt":
            return usual(entry, item)
        seen.append(message)
        cards = [catalog.encode(message), *getattr(message, "cards", ())]
        telemetry.get_logger("test").debug("x", cards=cards, all=message)
        raise AssertionError("it does not fit")

    patch.setattr(decisions, "_decide", faulty)
    return seen


async def test_a_fault_in_a_decision_tells_no_card(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Cards stand in the state and in the message at hand; the line names neither."""
    spans = Spans()
    async with house(tmp_path) as the:
        with spans.told():
            await the.open_table("t1")
            await funded(the)
            token = await the.session()
            seen = _break_dealing(the, monkeypatch)
            path = "/player/v1/rounds/round-t1-1"
            wagers = {"wagers_minor": [1000, 1000]}
            await the.play("PUT", f"{path}/wagers/1", token, wagers)
            await the.settled()
            await the.play("POST", f"{path}/ready", token, {})
            await the.settled()
        secrets = keys_of(the) | salts_of(the) | {token}
    assert seen
    said = capsys.readouterr().err
    aside = [x for x in map(json.loads, said.splitlines()) if "set aside" in x["event"]]
    assert aside[0]["stream"] == aside[0]["round_id"] == "round-t1-1"
    assert aside[0]["correlation"]
    traced = "".join(span.to_json() for span in spans.all())
    assert "parked" in traced
    for place in (said, traced):
        assert not [word for word in secrets if word in place]
        assert not _CARD.search(place)
