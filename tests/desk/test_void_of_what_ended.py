"""H2: what is settled is not voided, and nobody can so much as propose it."""

from pathlib import Path

from tests.desk.asking import (
    OPEN_ROUND,
    ROUND,
    WHY,
    a_case,
    a_house,
    balance,
    bet,
    get,
    post,
)
from tests.gateway.house import House

NEXT_ROUND = "round-t1-3"


async def played_out(the: House) -> None:
    """Let time pass until the open round has ended."""
    while the.door.lobby.version(NEXT_ROUND) == 0:
        the.clock.advance(seconds=31)
        await the.settled()


async def test_h2_a_void_of_what_is_settled_cannot_be_proposed(tmp_path: Path) -> None:
    """With its reason; the case has no proposal, and none is opened for it."""
    async with a_house(tmp_path) as the:
        case = await a_case(the)
        in_case = await post(the, f"/cases/{case}/void", {"reason": WHY})
        at_once = await post(the, f"/rounds/{ROUND}/void", {"reason": WHY})
        told = await get(the, f"/cases/{case}")
        listed = await get(the, f"/cases?round_id={ROUND}")

    for answer in (in_case, at_once):
        assert (answer.status_code, answer.json()["reason"]) == (409, "round_over")
        assert ROUND in answer.json()["detail"]
    assert told.json()["proposals"] == []
    assert [row["case"] for row in listed.json()["cases"]] == [case]


async def test_h2_a_round_that_ends_before_the_approval_stands(tmp_path: Path) -> None:
    """The case learns it from the table; a repeat gets the proposal as it is now."""
    key = {"Idempotency-Key": "void-0001"}
    path = f"/rounds/{OPEN_ROUND}/void"
    async with a_house(tmp_path) as the:
        await bet(the, OPEN_ROUND)
        asked = await post(the, path, {"reason": WHY}, **key)
        await played_out(the)
        before = await balance(the)
        case = asked.json()["case"]
        await post(the, f"/cases/{case}/proposals/1/approve", who="adam")
        again = await post(the, path, {"reason": WHY}, **key)
        after = await balance(the)

    assert asked.json()["proposals"][0]["standing"] == "proposed"
    assert (again.status_code, again.json()["case"]) == (201, case)
    (found,) = again.json()["proposals"]
    assert (found["standing"], found["outcome"]) == ("failed", "round_over")
    assert after == before


async def test_h2_a_round_is_voided_once(tmp_path: Path) -> None:
    """What is void already is over, also for whoever comes with another case."""
    async with a_house(tmp_path) as the:
        await bet(the, OPEN_ROUND)
        path = f"/rounds/{OPEN_ROUND}/void"
        asked = await post(the, path, {"reason": WHY})
        approve = f"/cases/{asked.json()['case']}/proposals/1/approve"
        done = await post(the, approve, who="adam")
        await the.settled()
        again = await post(the, path, {"reason": WHY})

    assert done.status_code == 200
    assert (again.status_code, again.json()["reason"]) == (409, "round_over")
