"""The casino refuses as the rule book does: the same reasons, for bets and steps."""

import asyncio

import pytest

from blackjack.script import read_script
from push22.casino import Casino
from push22.script_runner import Played, ScriptTable
from push22.stacked import stacked_ambient
from tests.rules.played import script_text
from tests.rules.step_houses import Situation, script_of
from tests.rules.test_answer_and_switch_reasons import ANSWERED, SWITCHED
from tests.rules.test_play_reason_pairs import PLAYED

NY, MA, LV, ON = "ny-switch-6d", "ny-multiple-action", "lv-6d", "online-switch"
SITUATIONS = {
    f"{group} {pair}": situation
    for group, pairs in (("1", ANSWERED), ("2", SWITCHED), ("3", PLAYED))
    for pair, situation in pairs.items()
}


def through_the_casino(text: str) -> Played:
    return asyncio.run(_play(text))


async def _play(text: str) -> Played:
    script = read_script(text)
    ambient, clock = stacked_ambient(script)
    casino = await Casino.in_memory(ambient)
    try:
        return await ScriptTable(script, casino, clock).play()
    finally:
        await casino.close()


@pytest.mark.parametrize("name", SITUATIONS)
def test_c_64_the_casino_gives_the_earlier_reason_too(name: str) -> None:
    """Through the table and the wallet, down to the funds."""
    situation: Situation = SITUATIONS[name]
    played = through_the_casino(script_of(situation))
    assert [refused.reason for refused in played.refused] == [name.split()[1]]


ONE_PLAYER = 'player = "ann"\n'
POOR = "balance = 1\n"
BROKE: dict[str, tuple[str, str, str]] = {
    "no_such_box": (NY, "6", POOR + "box = 6\nwager = 1000"),
    "table_full": (ON, "2", POOR + "wager = 1000"),
    "too_many_boxes": (MA, "2", ONE_PLAYER + "wager = 4000000"),
    "boxes_not_adjacent": (LV, "4", ONE_PLAYER + "box = 4\nwager = 500000"),
    "unknown_wager": (NY, "2", POOR + "wager = 1000\nbet_the_set = 100"),
    "no_main_wager": (NY, "2", POOR + "super_match = 100"),
    "invalid_amount": (NY, "2", POOR + "wager = 1000\nsuper_match = 0"),
    "wrong_wager_count": (NY, "2", POOR + "wager = [1000]"),
    "wagers_not_equal": (NY, "2", POOR + "wager = [1000, 2000]"),
    "below_minimum": (NY, "2", POOR + "wager = 999"),
    "above_maximum": (NY, "2", POOR + "wager = 500001"),
    "side_below_minimum": (NY, "2", POOR + "wager = 1000\nsuper_match = 99"),
    "side_above_maximum": (NY, "2", POOR + "wager = 1000\nsuper_match = 500001"),
}
"""A second box whose player can't pay for it, and another fault of its bet."""


@pytest.mark.parametrize("reason", BROKE)
def test_c_63_funds_come_after_everything_else(reason: str) -> None:
    """The casino gives the other reason; the wallet is not asked.

    `betting_closed`, `box_taken`, `entry_barred` and `minimum_only` need more than
    one round or one bettor a box; they are judged with these, before the wallet.
    """
    rules, number, second = BROKE[reason]
    boxes = (ONE_PLAYER + "wager = 1000\nbalance = 3000", second)
    played = through_the_casino(
        script_text("Th 9c 7d 6h 7s Td", rules=rules, boxes=boxes)
    )
    assert played.bets_refused[number] == reason
