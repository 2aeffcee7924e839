"""The stranger's verifier on a burned card that several rounds asked to see (NY-5)."""

import json
from typing import Any

import pytest

from push22 import verify_cards
from push22.verify_cards import Refused
from tests.decisions.shoe.tables import (
    NEXT_ROUND,
    burned_requested,
    cards_requested,
    shoe_discarded,
)
from tests.fairness.records import START, in_play, record_of

SHOWN = "shoe.burned_card_shown.v1"


def record() -> Any:
    """Return a shoe whose one burned card is shown in both of its rounds."""
    shoe = in_play()
    shoe.send(burned_requested())
    shoe.send(cards_requested(*START, round_id=NEXT_ROUND))
    shoe.send(burned_requested(NEXT_ROUND))
    shoe.send(shoe_discarded())
    return json.loads(json.dumps(record_of(shoe.history)))


def test_ny5_a_card_shown_in_each_round_is_proved_each_time() -> None:
    """One burned, seven dealt to the first round, six to the second."""
    found = record()
    assert [event["type"] for event in found["dealt"]].count(SHOWN) == 2
    said = verify_cards.check(found)
    assert said == "shoe shoe-t1-3: retired, all 14 cards that left it proved"


@pytest.mark.parametrize("change", ["another card", "another proof", "the same round"])
def test_a_false_second_showing_is_refused(change: str) -> None:
    """The card is the one that left, and a round sees it once."""
    found = record()
    first, again = (event for event in found["dealt"] if event["type"] == SHOWN)
    match change:
        case "another card":
            again["card"]["card"] = "2c" if again["card"]["card"] != "2c" else "3c"
        case "another proof":
            again["card"]["proof"].pop()
        case _:
            again["round_id"] = first["round_id"]
    with pytest.raises(Refused):
        verify_cards.check(found)
