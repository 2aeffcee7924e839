"""An old key buys nothing, and what is under way counts as decided."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from contracts import desk as d
from contracts import wallet as w
from contracts.desk import Role
from contracts.envelope import Actor, Answer
from push22.casino import PLATFORM
from push22.door.case_index import FileCases
from runtime.bus_memory import Delivery
from tests.desk.asking import (
    ALICE,
    a_case,
    a_house,
    balance,
    correction,
    done,
    post,
)
from tests.gateway.house import House

LIMIT = 2500
DAY_S = 24 * 3600
KEY = {"Idempotency-Key": "prepared-0001"}
RITA = Actor("support", "rita")


def last(answer: Any) -> dict[str, Any]:
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()["proposals"][-1]
    return found


async def forgotten(the: House) -> None:
    """Let the desk forget its answers: each service does so as it records."""
    the.clock.advance(seconds=3 * DAY_S)
    await the.settled()
    await done(the, w.Deposit("acme.zoe", "EUR", 1), PLATFORM)
    look = d.RecordAccess("rita", Role.RESOLVER, "read", "round-t1-1")
    await done(the, look, RITA)


async def test_an_old_key_brings_no_old_sum_along(tmp_path: Path) -> None:
    """What was looked up for one case is nothing for another, days later."""
    async with a_house(tmp_path, EUR=LIMIT) as the:
        before = await balance(the)
        for number in range(2):
            key = {"Idempotency-Key": f"prepared-000{number}"}
            case = await a_case(the)
            await post(the, f"/cases/{case}/corrections", correction(2501), **key)
            path = f"/cases/{case}/proposals/1/reject"
            assert (await post(the, path, {"reason": "no"})).status_code == 200
        await forgotten(the)
        told = []
        for number in range(2):
            key = {"Idempotency-Key": f"prepared-000{number}"}
            path = f"/cases/{await a_case(the)}/corrections"
            told.append(last(await post(the, path, correction(LIMIT), **key)))
        after = await balance(the)

    assert [item["is_alone"] for item in told] == [True, False]
    assert after == before + LIMIT


async def test_h4_a_correction_repeated_days_later_is_paid_once(tmp_path: Path) -> None:
    """The desk has forgotten its answer; the case has not."""
    async with a_house(tmp_path, EUR=LIMIT) as the:
        case, before = await a_case(the), await balance(the)
        path = f"/cases/{case}/corrections"
        first = await post(the, path, correction(1000), **KEY)
        await forgotten(the)
        again = await post(the, path, correction(1000), **KEY)
        other = await post(the, path, correction(1001), **KEY)
        after = await balance(the)

    assert (first.status_code, again.json()) == (201, first.json())
    assert (other.status_code, other.json()["reason"]) == (409, "command_id_reused")
    assert after == before + 1000


async def test_h4_the_desk_itself_knows_a_repeat_however_old(tmp_path: Path) -> None:
    """Whichever door sends it, with whatever was looked up by then."""
    async with a_house(tmp_path) as the:
        case = await a_case(the)
        asked = d.ProposeCorrection(
            case, ALICE, "EUR", 1000, "why", 0, Role.RESOLVER, once=True
        )
        first = await sent(the, asked)
        await forgotten(the)
        again = await sent(the, asked)

    assert first.accepted
    assert (again.accepted, again.reason) == (False, "already_proposed")


async def sent(the: House, command: Any) -> Answer:
    body = the.casino.envelope(command, RITA, "command-7")
    answer = await the.casino.host.submit(body)
    await the.settled()
    return answer


@pytest.mark.parametrize(
    ("what", "body", "reason"),
    [
        ("proposals/1/approve", None, "proposal_ended"),
        ("proposals/1/reject", {"reason": "no"}, "proposal_ended"),
        ("close", {"resolution": "paid"}, "case_closed"),
    ],
)
async def test_h4_what_decides_is_refused_when_repeated_days_later(
    what: str, body: Any, reason: str, tmp_path: Path
) -> None:
    """Nothing moves again."""
    async with a_house(tmp_path) as the:
        case = await a_case(the)
        if what != "close":
            await post(the, f"/cases/{case}/corrections", correction(1000))
        path = f"/cases/{case}/{what}"
        first = await post(the, path, body, "adam", **KEY)
        moved = await balance(the)
        await forgotten(the)
        again = await post(the, path, body, "adam", **KEY)
        after = await balance(the)

    assert first.status_code == 200, first.text
    assert (again.status_code, again.json()["reason"]) == (409, reason)
    assert after == moved


async def test_what_is_sent_and_not_heard_of_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the desk stands still one proposal fits, not as many as are sent."""
    async with a_house(tmp_path, EUR=LIMIT) as the:
        cases = [await a_case(the) for _ in range(4)]
        before, submit = await balance(the), the.port.submit
        goes_on, waiting = asyncio.Event(), list[bytes]()

        async def paused(body: bytes) -> Answer:
            if b"desk.propose_correction.v1" in body:
                waiting.append(body)
                await goes_on.wait()
            return await submit(body)

        monkeypatch.setattr(the.port, "submit", paused)
        asking = [
            asyncio.ensure_future(
                post(the, f"/cases/{case}/corrections", correction(LIMIT))
            )
            for case in cases
        ]
        while len(waiting) < len(cases):
            await asyncio.sleep(0.01)
        goes_on.set()
        told = [last(answer) for answer in await asyncio.gather(*asking)]
        await the.settled()
        after = await balance(the)
        left = the.door.promised._sent

    assert sorted(item["is_alone"] for item in told) == [False] * 3 + [True]
    assert after == before + LIMIT
    assert left == {}


async def test_what_was_just_accepted_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy of the log has nothing of the case yet; the door has heard of it."""

    def nothing(self: FileCases, case: str) -> list[Delivery]:
        del self, case
        return []

    async with a_house(tmp_path, EUR=LIMIT) as the:
        monkeypatch.setattr(FileCases, "records", nothing)
        case = await a_case(the)
        told = last(await post(the, f"/cases/{case}/corrections", correction(1000)))

    assert told["amount_minor"] == 1000
