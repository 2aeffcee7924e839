"""What is kept beside the records follows from them, or verify names it (law 6)."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest
from small_casino import ALICE

from contracts import table as t
from contracts import wallet as w
from push22.__main__ import run
from push22.casino import LOG_NAME, PLATFORM, Casino
from push22.follower import Follower, player_actor

Out = pytest.CaptureFixture[str]


def _verified(folder: Path, capsys: Out) -> tuple[int, str]:
    return run(["verify", "--all", "--data", str(folder)]), capsys.readouterr().out


def _richer(state: bytes) -> bytes:
    stored: dict[str, Any] = msgspec.json.decode(state)
    stored["state"]["balance_minor"] += 1_000_000
    return msgspec.json.encode(stored)


async def _saving(folder: Path) -> None:
    """Leave a wallet with so many deposits that a snapshot is kept."""
    casino = await Casino.open(folder, seed=1)
    for _ in range(220):
        deposit = casino.envelope(w.Deposit(ALICE, "EUR", 100), PLATFORM)
        casino.host.submit_nowait(deposit)
    await casino.close()


@pytest.mark.parametrize("change", ["richer", "ahead"])
def test_law_6_a_lying_snapshot_is_named(
    change: str, tmp_path: Path, capsys: Out
) -> None:
    """Law 6: the stream is named, whether state or version is wrong."""
    asyncio.run(_saving(tmp_path))
    assert _verified(tmp_path, capsys)[0] == 0
    file = sqlite3.connect(tmp_path / LOG_NAME)
    where = "WHERE service = 'wallet'"
    query = f"SELECT stream, version, state FROM snapshots {where}"
    stream, version, state = file.execute(query).fetchone()
    if change == "richer":
        state = _richer(state)
    else:
        version += 10_000
    update = f"UPDATE snapshots SET version = ?, state = ? {where} AND stream = ?"
    file.execute(update, (version, state, stream))
    file.commit()
    file.close()

    code, out = _verified(tmp_path, capsys)
    assert (code, "DIFFERS: all" in out) == (1, True)
    assert f"snapshots: wallet, {stream}" in out


async def _betting(folder: Path) -> None:
    """Leave a round open in which a bet has started the clock."""
    casino = await Casino.open(folder, seed=1)
    follower = Follower(casino)
    await follower.send(t.OpenTable("t1", "ny-switch-6d", "EUR"), PLATFORM)
    await casino.host.settle()
    await casino.deposit(ALICE, "EUR", 10_000)
    bet = t.PlaceBet("round-t1-1", 1, (1000, 1000))
    assert (await follower.send(bet, player_actor(ALICE))).accepted
    await casino.close()


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ("DELETE FROM agenda", "not planned: betting"),
        ("UPDATE agenda SET due_at = due_at + 1", "planned, but not owed: betting"),
        (
            "INSERT INTO agenda VALUES ('wallet', 'wallet-local.a.EUR', 1, 'x', 9)",
            "planned, but not owed: x",
        ),
    ],
)
def test_h10_an_agenda_that_the_states_do_not_owe_is_named(
    change: str, text: str, tmp_path: Path, capsys: Out
) -> None:
    """H10: an open round whose deadline is gone, put off or made up is found."""
    asyncio.run(_betting(tmp_path))
    assert _verified(tmp_path, capsys)[0] == 0
    with sqlite3.connect(tmp_path / LOG_NAME) as sql:
        sql.execute(change)

    code, out = _verified(tmp_path, capsys)
    assert (code, "DIFFERS: all" in out) == (1, True)
    assert text in out
