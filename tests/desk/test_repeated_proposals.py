"""A repeat under its key is the same command, whatever would be looked up by now."""

from pathlib import Path
from typing import Any

import pytest

from push22.door.case_index import FileCases
from runtime.bus_memory import Delivery
from tests.desk.asking import (
    OPEN_ROUND,
    WHY,
    a_case,
    a_house,
    balance,
    bet,
    correction,
    post,
)

KEY = {"Idempotency-Key": "propose-0001"}
DAY_S = 24 * 3600
REUSED = "command_id_reused"


@pytest.fixture
def lagging(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Take what follows an opening out of the copy, from when this is called on."""
    records = FileCases.records

    def behind(self: FileCases, case: str) -> list[Delivery]:
        return records(self, case)[:1]

    return lambda: monkeypatch.setattr(FileCases, "records", behind)


@pytest.mark.parametrize("behind", [False, True])
async def test_h4_a_correction_repeated_on_the_next_day_is_paid_once(
    behind: bool,  # noqa: FBT001 - the one thing that differs
    lagging: Any,
    tmp_path: Path,
) -> None:
    """The day is another then, and the copy may not have the first one yet."""
    async with a_house(tmp_path, EUR=2500) as the:
        case, before = await a_case(the), await balance(the)
        path = f"/cases/{case}/corrections"
        first = await post(the, path, correction(1000), **KEY)
        the.clock.advance(seconds=DAY_S)
        if behind:
            lagging()
        again = await post(the, path, correction(1000), **KEY)
        other = await post(the, path, correction(1001), **KEY)
        after = await balance(the)

    assert (first.status_code, again.status_code) == (201, 201), again.text
    assert (other.status_code, other.json()["reason"]) == (409, REUSED)
    assert after == before + 1000


async def test_h4_a_refused_proposal_repeated_is_refused_for_the_same(
    tmp_path: Path,
) -> None:
    """A refusal is an answer too: it is no other command on the next day."""
    async with a_house(tmp_path, EUR=2500) as the:
        case = await a_case(the)
        await post(the, f"/cases/{case}/close", {"resolution": "no fault"})
        path = f"/cases/{case}/corrections"
        first = await post(the, path, correction(1000), **KEY)
        the.clock.advance(seconds=DAY_S)
        again = await post(the, path, correction(1000), **KEY)

    assert first.json()["reason"] == again.json()["reason"] == "case_closed"


async def test_h4_a_void_repeated_after_the_round_is_over_is_the_same(
    lagging: Any, tmp_path: Path
) -> None:
    """It was carried out meanwhile; for another reason it is another command."""
    async with a_house(tmp_path, EUR=10_000) as the:
        await bet(the, OPEN_ROUND)
        path = f"/rounds/{OPEN_ROUND}/void"
        first = await post(the, path, {"reason": WHY}, **KEY)
        await the.settled()
        lagging()
        again = await post(the, path, {"reason": WHY}, **KEY)
        case = first.json()["case"]
        other = await post(the, f"/cases/{case}/void", {"reason": "else"}, **KEY)

    assert (first.status_code, again.status_code) == (201, 201), again.text
    assert again.json()["case"] == case
    assert other.status_code == 409
