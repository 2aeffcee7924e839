"""Many small cases of one player in a day are no way around the second person."""

from pathlib import Path
from typing import Any

from push22.commands.audit import audited
from push22.inspect.parallel import verify_all
from push22.inspect.reader import Reader
from tests.desk.asking import (
    OPEN_ROUND,
    WHY,
    a_case,
    a_house,
    balance,
    bet,
    correction,
    get,
    post,
)

LIMIT = 2500
DAY_S = 24 * 3600
WHY_SECOND = "player_day_sum_over_threshold"


def last(answer: Any) -> dict[str, Any]:
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()["proposals"][-1]
    return found


async def test_a_second_case_does_not_begin_at_nothing(tmp_path: Path) -> None:
    """By another person or in another round; on the next day it does."""
    async with a_house(tmp_path, EUR=LIMIT) as the:
        first, second = await a_case(the), await a_case(the)
        third = await a_case(the, OPEN_ROUND)
        await bet(the, OPEN_ROUND)
        before = await balance(the)
        paths = [f"/cases/{case}/corrections" for case in (first, second, third)]
        small = last(await post(the, paths[0], correction(LIMIT - 500)))
        over = last(await post(the, paths[1], correction(501)))
        of_adam = last(await post(the, paths[2], correction(-501), "adam"))
        rest = last(await post(the, paths[2], correction(500)))
        the.clock.advance(seconds=DAY_S)
        tomorrow = last(await post(the, paths[1], correction(LIMIT), "adam"))
        told = (await get(the, f"/cases/{second}")).json()["proposals"]
        after = await balance(the)
    reader = Reader.open(tmp_path)
    violations = audited(reader, lambda _: None).finish()
    is_match = verify_all(reader, lambda _: None).is_match
    reader.close()

    for proposal in (small, rest, tomorrow):
        assert (proposal["standing"], proposal["is_alone"]) == ("done", True)
        assert proposal["why_second"] == ""
    for proposal in (over, of_adam, told[0]):
        assert (proposal["standing"], proposal["is_alone"]) == ("proposed", False)
        assert proposal["why_second"] == WHY_SECOND
    assert after - before == LIMIT - 500 + 500 + LIMIT
    assert violations == ()
    assert is_match


async def test_a_void_is_money_of_who_bet(tmp_path: Path) -> None:
    """What was paid in one case leaves less for a void in another."""
    async with a_house(tmp_path, EUR=LIMIT) as the:
        case = await a_case(the)
        await post(the, f"/cases/{case}/corrections", correction(501))
        await bet(the, OPEN_ROUND)
        asked = await post(the, f"/rounds/{OPEN_ROUND}/void", {"reason": WHY})

    proposal = last(asked)
    assert (proposal["amount_minor"], proposal["standing"]) == (2000, "proposed")
    assert proposal["why_second"] == WHY_SECOND


async def test_h4_a_repeat_is_the_same_though_the_days_sum_has_grown(
    tmp_path: Path,
) -> None:
    """And under its key nothing else is proposed."""
    key = {"Idempotency-Key": "correct-0001"}
    async with a_house(tmp_path, EUR=LIMIT) as the:
        case, before = await a_case(the), await balance(the)
        path = f"/cases/{case}/corrections"
        first = await post(the, path, correction(1000), **key)
        await post(the, f"/cases/{await a_case(the)}/corrections", correction(1000))
        again = await post(the, path, correction(1000), **key)
        other = await post(the, path, correction(1001), **key)
        after = await balance(the)

    assert again.status_code == 201, again.text
    assert again.json() == first.json()
    assert other.status_code == 409
    assert after == before + 2000
