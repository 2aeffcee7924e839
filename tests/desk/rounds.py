"""Rounds in a house whose shoe is stacked: played to where a test wants them."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from blackjack.script import read_script
from contracts import table as t
from contracts import wallet as w
from contracts.envelope import Actor
from push22.casino import PLATFORM
from push22.stacked import StackedEntropy, stacked_order
from tests.gateway.house import House, house

ROUND = "round-t1-1"
ALICE, BOB = Actor("player", "acme.alice"), Actor("player", "acme.bob")


@contextlib.asynccontextmanager
async def stacked(data: Path, rules: str, cards: str) -> AsyncIterator[House]:
    """Open a house with a table t1 whose shoe deals these cards first."""
    text = f'rules = "{rules}"\ncards = "{cards}"\n[[box]]\nbox = 1\nwager = 1000\n'
    entropy = StackedEntropy(stacked_order(read_script(text)))
    async with house(data, entropy=entropy) as the:
        await the.open_table("t1", rules)
        for player in ("acme.alice", "acme.bob"):
            await done(the, w.Deposit(player, "EUR", 100_000), PLATFORM)
        yield the


async def done(the: House, command: Any, actor: Actor) -> None:
    answer = await the.casino.host.submit(the.casino.envelope(command, actor))
    assert answer.accepted, answer
    await the.settled()


async def deal(the: House, *bets: tuple[Actor, t.PlaceBet]) -> None:
    """Place bets and deal."""
    for actor, bet in bets:
        await done(the, bet, actor)
    for actor in dict.fromkeys(actor for actor, _ in bets):
        await done(the, t.StartDealing(ROUND), actor)


async def ask(the: House, path: str, role: str = "resolver", body: Any = None) -> Any:
    """Ask as support; return the answer."""
    method = "GET" if body is None else "POST"
    path = f"/support/v1{path}"
    return await the.play(method, path, the.support(role), body)
