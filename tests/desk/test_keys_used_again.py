"""A key at the desk is used again: much later, or for another thing."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from contracts import desk as d
from contracts import table as t
from contracts import wallet as w
from contracts.envelope import Actor
from push22.casino import PLATFORM
from push22.commands.audit import audited
from push22.inspect.reader import Reader
from tests.desk.asking import (
    ALICE,
    OPEN_ROUND,
    a_case,
    a_house,
    balance,
    correction,
    done,
    post,
)
from tests.gateway.house import House

LIMIT = 2500
BOB = "acme.bob"
FORGOTTEN_DAYS = 2.5
"""The desk knows the answer to a repeat for two days (H4)."""


def key(number: int) -> dict[str, str]:
    return {"Idempotency-Key": f"prepared-{number:04}"}


async def later(the: House, days: float) -> None:
    """Let so much time pass, and something happen, by which answers are forgotten."""
    the.clock.advance(seconds=int(days * 86_400))
    await the.settled()
    await done(the, w.Deposit(ALICE, "EUR", 1), PLATFORM)


async def bet(the: House, round_id: str, player: str) -> None:
    await done(the, w.Deposit(player, "EUR", 100_000), PLATFORM)
    while the.door.lobby.version(round_id) == 0:
        the.clock.advance(seconds=31)
        await the.settled()
    who = Actor("player", player)
    await done(the, t.PlaceBet(round_id, 1, (1000, 1000)), who)
    await done(the, t.StartDealing(round_id), who)


async def minor(the: House, player: str) -> int:
    return (await the.port.balance(player, "EUR")).minor


async def rejected_for_others(the: House, count: int) -> None:
    """Under each key a proposal for somebody else is made, and rejected."""
    for number in range(count):
        round_id, player = f"round-t1-{3 + number}", f"acme.other{number}"
        await bet(the, round_id, player)
        case = await a_case(the, round_id)
        asked = {**correction(LIMIT + 1), "player": player}
        answer = await post(the, f"/cases/{case}/corrections", asked, **key(number))
        assert answer.json()["proposals"][0]["standing"] == "proposed"
        said = {"reason": "no"}
        answer = await post(the, f"/cases/{case}/proposals/1/reject", said)
        assert answer.status_code == 200, answer.text


def violations(data: Path) -> tuple[Any, ...]:
    reader = Reader.open(data)
    try:
        return tuple(audited(reader, lambda _: None).finish())
    finally:
        reader.close()


@pytest.mark.parametrize("days", [0.5, FORGOTTEN_DAYS])
async def test_a_key_that_was_used_for_others_buys_no_second_limit(
    days: float, tmp_path: Path
) -> None:
    """What was looked up for others, on another day, is believed of nobody."""
    async with a_house(tmp_path, EUR=LIMIT) as the:
        await bet(the, OPEN_ROUND, BOB)
        await rejected_for_others(the, 3)
        await later(the, days)
        before = await minor(the, BOB)
        for number in range(3):
            case = await a_case(the, OPEN_ROUND)
            asked = {**correction(LIMIT), "player": BOB}
            await post(the, f"/cases/{case}/corrections", asked, **key(number))
        await the.settled()

        assert await minor(the, BOB) - before <= LIMIT
    assert violations(tmp_path) == ()


@pytest.mark.parametrize("days", [0.0, 1.0, FORGOTTEN_DAYS, 400.0])
async def test_a_correction_repeated_under_its_key_is_paid_once(
    days: float, tmp_path: Path
) -> None:
    """However late: the answer is the case as it stands."""
    async with a_house(tmp_path, EUR=LIMIT) as the:
        case = await a_case(the)
        path, asked = f"/cases/{case}/corrections", correction(1000)
        first = await post(the, path, asked, **key(1))
        await the.settled()
        await later(the, days)
        paid = await balance(the)
        again = await post(the, path, asked, **key(1))
        other = await post(the, path, correction(1001), **key(1))
        await the.settled()

        assert (first.status_code, again.status_code) == (201, 201), again.text
        assert [p["number"] for p in again.json()["proposals"]] == [1]
        assert (other.status_code, other.json()["reason"]) == (
            409,
            "command_id_reused",
        )
        assert await balance(the) == paid
    assert violations(tmp_path) == ()


async def test_proposals_under_way_count_before_the_desk_has_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four are looked up while the desk stands still: one fits into the day."""
    opened, waiting = asyncio.Event(), []
    async with a_house(tmp_path, EUR=LIMIT) as the:
        sending = the.door.send

        async def held(command: Any, *rest: Any) -> Any:
            if isinstance(command, d.ProposeCorrection):
                waiting.append(command)
                await opened.wait()
            return await sending(command, *rest)

        monkeypatch.setattr(the.door, "send", held)
        cases = [await a_case(the) for _ in range(4)]
        paid = await balance(the)
        async with asyncio.TaskGroup() as group:
            for number, case in enumerate(cases):
                path = f"/cases/{case}/corrections"
                group.create_task(post(the, path, correction(LIMIT), **key(number)))
            while len(waiting) < len(cases):
                await asyncio.sleep(0.01)
            opened.set()
        await the.settled()

        assert await balance(the) - paid == LIMIT
    assert violations(tmp_path) == ()
