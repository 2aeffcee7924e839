"""Rounds of a player whose wallet moves for other things between their movements.

At t1 a deposit comes in the middle of the first round; two more rounds are played.
While a round at t2 is open, the first one of t1 is put right by a case.
"""

import csv
import io
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from contracts import wallet as w
from push22.bot import Wagers
from push22.casino import PLATFORM, Casino
from push22.session import Session, Table
from tests.desk.desk_house import (
    ADAM,
    ALICE,
    APPROVE,
    CORRECT,
    OPEN,
    RITA,
    an_ambient,
    ask,
    opened,
)

FIRST, AT_T2 = "round-t1-1", "round-t2-1"
DEPOSIT = 700

Between = Callable[[], Awaitable[None]]


async def play(data: Path) -> None:
    """Play all of it and close the casino."""
    casino = await opened(data, an_ambient())

    async def deposits() -> None:
        await told(casino, w.Deposit(ALICE, "EUR", DEPOSIT), PLATFORM)

    async def puts_right() -> None:
        for command, by in ((OPEN, RITA), (CORRECT, RITA), (APPROVE, ADAM)):
            await told(casino, command, by)

    first = await seated(casino, "t1")
    await interrupted(first, deposits)
    await first.play(first.bot)
    await first.play(first.bot)
    await interrupted(await seated(casino, "t2"), puts_right)
    await casino.close()


async def told(casino: Casino, command: Any, by: Any) -> None:
    answer = await ask(casino, command, by)
    assert answer.accepted, answer


async def seated(casino: Casino, table: str) -> Session:
    wagers = Wagers((1,), (1000, 1000))
    session = Session(casino, Table(table, "ny-switch-6d", ALICE, wagers))
    await session.open()
    await session.fill_purse()
    return session


async def interrupted(session: Session, between: Between) -> None:
    """Play a round in which something happens once, after the bets are in."""
    moves = 0

    async def move(round_id: str) -> Any:
        nonlocal moves
        moves += 1
        if moves == 3:
            await between()
        return await session.bot(round_id)

    await session.play(move)
    assert moves >= 3, "nothing came between"


def block(lines: bytes, first: str) -> list[dict[str, str]]:
    """Return the rows of a block of lines.csv by the names over them."""
    rows = list(csv.reader(io.StringIO(lines.decode())))
    start = next(at for at, row in enumerate(rows) if row[:1] == [first])
    end = next((at for at in range(start, len(rows)) if not rows[at]), len(rows))
    return [dict(zip(rows[start], row, strict=True)) for row in rows[start + 1 : end]]
