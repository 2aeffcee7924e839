"""Support asks the door about cases; each person has a token of his own."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx

from contracts import table as t
from contracts import wallet as w
from contracts.envelope import Actor
from push22.casino import PLATFORM
from services.gateway.rates import Buckets, Rate
from tests.gateway.house import House, house

ROUND, OPEN_ROUND = "round-t1-1", "round-t1-2"
ALICE = "acme.alice"
WHY = "dealt twice"


@contextlib.asynccontextmanager
async def a_house(data: Path, **alone: int) -> AsyncIterator[House]:
    """Open a house with a settled round of Alice's and one that takes bets."""
    async with house(data) as the:
        the.door.people = Buckets(Rate(10**6, 10**6))
        the.door._thresholds = alone
        await the.open_table("t1")
        await done(the, w.Deposit(ALICE, "EUR", 100_000), PLATFORM)
        await bet(the, ROUND)
        while the.door.lobby.version(OPEN_ROUND) == 0:
            the.clock.advance(seconds=31)
            await the.settled()
        yield the


async def done(the: House, command: Any, actor: Actor) -> None:
    answer = await the.casino.host.submit(the.casino.envelope(command, actor))
    assert answer.accepted, answer
    await the.settled()


async def bet(the: House, round_id: str) -> None:
    alice = Actor("player", ALICE)
    await done(the, t.PlaceBet(round_id, 1, (1000, 1000)), alice)
    await done(the, t.StartDealing(round_id), alice)


async def get(
    the: House, path: str, who: str = "rita", role: str = "resolver", **headers: str
) -> httpx.Response:
    token = the.support(role, who)
    return await the.play("GET", f"/support/v1{path}", token, **headers)


async def post(
    the: House,
    path: str,
    body: Any = None,
    who: str = "rita",
    **headers: str,
) -> httpx.Response:
    token = the.support("resolver", who)
    return await the.play("POST", f"/support/v1{path}", token, body, **headers)


async def a_case(the: House, round_id: str = ROUND) -> str:
    asked = {"round_id": round_id, "subject": "alice's double", "player": ALICE}
    answer = await post(the, "/cases", asked)
    assert answer.status_code == 201, answer.text
    case: str = answer.json()["case"]
    return case


def correction(amount_minor: int = 2500) -> dict[str, Any]:
    return {
        "player": ALICE,
        "currency": "EUR",
        "amount_minor": amount_minor,
        "reason": WHY,
    }


async def balance(the: House) -> int:
    return (await the.port.balance(ALICE, "EUR")).minor
