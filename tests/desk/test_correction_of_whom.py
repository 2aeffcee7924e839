"""A correction is of who was in the round, in its currency: the door looks it up."""

from pathlib import Path

import pytest

from contracts import table as t
from contracts import wallet as w
from contracts.envelope import Actor
from push22.casino import PLATFORM
from tests.desk.asking import (
    OPEN_ROUND,
    a_case,
    a_house,
    balance,
    correction,
    done,
    get,
    post,
)

BOB = "acme.bob"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"player": BOB}, "not_in_round"),
        ({"player": "other.alice"}, "not_in_round"),
        ({"currency": "USD"}, "wrong_currency"),
    ],
)
async def test_money_that_was_never_in_the_round_is_not_corrected(
    tmp_path: Path, change: dict[str, str], reason: str
) -> None:
    """Neither a player with a wallet nor any amount is enough; nothing is proposed."""
    async with a_house(tmp_path, EUR=5000, USD=5000) as the:
        await done(the, w.Deposit(BOB, "EUR", 1000), PLATFORM)
        await done(the, w.Deposit("acme.alice", "USD", 1000), PLATFORM)
        case, before = await a_case(the), await balance(the)
        path = f"/cases/{case}/corrections"
        refused = await post(the, path, correction() | change)
        told = await get(the, f"/cases/{case}")
        after = await balance(the)

    assert (refused.status_code, refused.json()["reason"]) == (422, reason)
    assert (told.json()["proposals"], after) == ([], before)


async def test_whose_bet_was_refused_may_be_put_right(tmp_path: Path) -> None:
    """He asked for a seat: that he got none may be what went wrong."""
    async with a_house(tmp_path) as the:
        await done(the, w.Deposit(BOB, "EUR", 1000), PLATFORM)
        bet = t.PlaceBet(OPEN_ROUND, 2, (1000, 1000))
        await done(the, bet, Actor("player", BOB))
        case = await a_case(the, OPEN_ROUND)
        path = f"/cases/{case}/corrections"
        asked = await post(the, path, correction() | {"player": BOB})

    assert asked.status_code == 201, asked.text


async def test_of_no_case_nothing_is_proposed(tmp_path: Path) -> None:
    """The round is there, the case is not."""
    async with a_house(tmp_path) as the:
        path = "/cases/t1-1-nosuchcase/corrections"
        answer = await post(the, path, correction())

    assert (answer.status_code, answer.json()["reason"]) == (404, "not_found")
