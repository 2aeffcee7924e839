"""Each key is rotated as docs/keys.md says, and no round is lost (A4)."""

import asyncio
import base64
import json
import sqlite3
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from contracts.signature import Signed, signature_of
from push22.__main__ import run
from push22.bot import Wagers
from push22.casino import KEYS_NAME, LOG_NAME, Casino
from push22.door.secrets import SECRET, token_secrets
from push22.errors import Failure
from push22.session import Session, Table
from runtime.ambient import KeyMissing, SystemClock
from runtime.pull import Puller, is_allowed
from services.gateway.problems import Refused
from services.gateway.signing import Signatures, read_operators
from services.gateway.tokens import Pass, Tokens

NOW = SystemClock().now() // 1_000_000 * 1_000_000
Told = pytest.CaptureFixture[str]


def _session(casino: Casino) -> Session:
    wagers = Wagers((1,), (1000, 1000))
    return Session(casino, Table("t1", "ny-switch-6d", "local.ann", wagers))


async def _half_a_round(casino: Casino) -> str:
    """Open a table, bet, and have the cards dealt; return the round."""
    session = _session(casino)
    await session.open()
    await session.fill_purse()
    await session.play(session.bot)
    for _ in range(2):
        await casino.host.settle()
        (name,) = session.follower.rounds.open_rounds()
        move = await session.bot(name)
        assert move is not None
        await session.follower.send(*move)
    await casino.host.settle()
    return str(name)


def _add_key(data: Path, key_id: str) -> None:
    """Seal with a fresh key from now on, and keep those before it."""
    path = data / KEYS_NAME
    ring = json.loads(path.read_text())
    ring["keys"][key_id] = base64.b64encode(b"%32s" % key_id.encode()).decode()
    path.write_text(json.dumps({**ring, "active": key_id}))


def _of_shoe(data: Path, key_id: str) -> int:
    """Count the shoe's records whose values are sealed under a key."""
    with sqlite3.connect(data / LOG_NAME) as sql:
        return int(
            sql.execute(
                "SELECT count(*) FROM records WHERE service = 'shoe'"
                " AND instr(CAST(body AS TEXT), ?)",
                (f'"{key_id}:',),
            ).fetchone()[0]
        )


async def test_a4_a_sealing_key_is_rotated_in_mid_round(
    tmp_path: Path, capsys: Told
) -> None:
    """The old shoe opens with the old key, the next one is sealed under the new."""
    casino = await Casino.open(tmp_path)
    name = await _half_a_round(casino)
    await casino.close()
    assert _of_shoe(tmp_path, "k1") > 0
    _add_key(tmp_path, "k2")
    casino = await Casino.open(tmp_path)
    session = _session(casino)
    await session.open()
    assert name in session.follower.rounds.open_rounds()
    for _ in range(400):
        await session.play(session.bot)
        if _of_shoe(tmp_path, "k2"):
            break
    await casino.close()
    assert _of_shoe(tmp_path, "k2") > 0
    await _holds(tmp_path)
    settled = await asyncio.to_thread(_settled, tmp_path, capsys)
    assert name in settled


def _settled(data: Path, capsys: Told) -> str:
    capsys.readouterr()
    assert run(["rounds", "--status", "settled", "--json", "--limit", "9999",
                "--data", str(data)]) == 0  # fmt: skip
    return capsys.readouterr().out


async def _holds(data: Path) -> None:
    for words in (["verify", "--all"], ["audit"]):
        assert await asyncio.to_thread(run, [*words, "--data", str(data)]) == 0


async def test_a4_an_old_sealing_key_that_is_gone_is_missed(tmp_path: Path) -> None:
    """The casino does not start, and names it; brought back, the round goes on."""
    await _lose_the_old_key(tmp_path)
    with pytest.raises(KeyMissing, match=r"shoe-t1-1 is in use, and key 'k1'"):
        await _play_on(tmp_path)
    (tmp_path / KEYS_NAME).write_text((tmp_path / "whole").read_text())
    await _play_on(tmp_path)
    await _holds(tmp_path)


async def test_a4_a_key_lost_for_good_sets_its_shoe_aside(
    tmp_path: Path, capsys: Told
) -> None:
    """Said to be lost, it is named by what waits; found again, a retry mends it."""
    ring = await _lose_the_old_key(tmp_path)
    (tmp_path / KEYS_NAME).write_text(json.dumps({**ring, "lost": ["k1"]}))
    with pytest.raises(Failure, match="set aside"):
        await _play_on(tmp_path)
    words = ["--data", str(tmp_path)]
    assert await asyncio.to_thread(run, ["parked", *words]) == 0
    assert "k1" in capsys.readouterr().out
    (tmp_path / KEYS_NAME).write_text((tmp_path / "whole").read_text())
    retry = ["parked", "retry", "shoe-t1-1", *words]
    assert await asyncio.to_thread(run, retry) == 0
    await _play_on(tmp_path)
    await _holds(tmp_path)


async def _lose_the_old_key(data: Path) -> dict[str, object]:
    """Leave half a round, and only the newer key; the whole ring is kept beside."""
    casino = await Casino.open(data)
    await _half_a_round(casino)
    await casino.close()
    _add_key(data, "k2")
    whole = (data / KEYS_NAME).read_text()
    (data / "whole").write_text(whole)
    ring: dict[str, object] = json.loads(whole)
    del ring["keys"]["k1"]  # type: ignore[attr-defined]
    (data / KEYS_NAME).write_text(json.dumps(ring))
    return ring


async def _play_on(data: Path) -> None:
    casino = await Casino.open(data)
    try:
        session = _session(casino)
        await session.open()
        for _ in range(3):
            await session.play(session.bot)
    finally:
        await casino.close()


async def test_a4_the_checkpoint_key_is_rotated_while_the_casino_runs(
    tmp_path: Path,
) -> None:
    """What the old one signed still verifies, and the new one signs what follows."""
    words = ["--data", str(tmp_path)]
    casino = await Casino.open(tmp_path)
    await _half_a_round(casino)
    await casino.close()
    casino = await Casino.open(tmp_path)
    session = _session(casino)
    await session.open()
    assert await asyncio.to_thread(run, ["checkpoints", "rotate", *words]) == 0
    await session.play(session.bot)
    await casino.close()
    with sqlite3.connect(tmp_path / LOG_NAME) as sql:
        bodies = sql.execute("SELECT body FROM checkpoints ORDER BY number")
        signers = {msgspec.json.decode(row[0])["key_id"] for row in bodies}
    assert len(signers) == 2
    await _holds(tmp_path)


def _operators(**keys: bytes) -> Signatures:
    listed = ", ".join(
        f'{name} = "{base64.b64encode(key).decode()}"' for name, key in keys.items()
    )
    text = f'[acme]\ncurrencies = ["EUR"]\nkeys = {{ {listed} }}\n'
    return Signatures(read_operators(text))


def _request(key: str, secret: bytes, nonce: str) -> Signed:
    plain = Signed(f"acme.{key}", str(NOW // 1_000_000), nonce, "", "POST",
                   "/operator/v1/launches", "order-1", b"{}")  # fmt: skip
    return msgspec.structs.replace(plain, signature=signature_of(plain, secret))


def test_a4_an_operators_key_is_rotated_in_three_steps() -> None:
    """First the old one, then both, then the new one alone."""
    old, new = b"o" * 32, b"n" * 32
    steps = (_operators(k1=old), _operators(k1=old, k2=new), _operators(k2=new))
    believed = []
    for number, door in enumerate(steps):
        for key, secret in (("k1", old), ("k2", new)):
            try:
                door.check(_request(key, secret, f"nonce-{number}-{key}"), NOW)
            except Refused:
                continue
            believed.append((number, key))
    assert believed == [(0, "k1"), (1, "k1"), (1, "k2"), (2, "k2")]


def test_a4_the_gateways_secret_is_rotated_without_ending_a_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new one signs, the old one verifies; dropped, its tokens are refused."""
    old, new = (base64.b64encode(letter * 32).decode() for letter in (b"o", b"n"))
    bound = Pass("acme.ann", "EUR", "", "id-1", NOW + 3_600_000_000)
    monkeypatch.setenv(SECRET, old)
    session = Tokens(*token_secrets(tmp_path)).make("session", bound)
    monkeypatch.setenv(SECRET, f"{new}, {old}")
    first, *before = token_secrets(tmp_path)
    both = Tokens(first, before=tuple(before))
    assert both.read("session", session, NOW) == bound
    fresh = both.make("session", bound)
    with pytest.raises(Refused, match="unauthenticated"):
        both.read("launch", session, NOW)
    monkeypatch.setenv(SECRET, new)
    alone = Tokens(*token_secrets(tmp_path))
    assert alone.read("session", fresh, NOW) == bound
    with pytest.raises(Refused, match="unauthenticated"):
        alone.read("session", session, NOW)


async def test_a4_the_services_token_is_rotated_one_service_after_another() -> None:
    """At each step, whichever of its two settings a service has, all let all in."""
    steps = ("old", "old,new", "new,old", "new")
    for before, after in pairwise(steps):
        for asks in (before, after):
            puller = Puller({}, asks)
            shown = puller._client.headers["authorization"]
            await puller._client.aclose()
            assert all(is_allowed(shown, secret) for secret in (before, after))
    assert not is_allowed("Bearer old", "new")
    assert not is_allowed("Bearer old,new", "old,new")
    assert not is_allowed("Bearer ", ",")
    assert not is_allowed("Bearer ", "")
