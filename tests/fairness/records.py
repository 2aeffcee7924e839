"""The records of three fixed shoes, as a stranger gets them, made by the decider.

`python -m tests.fairness.records` writes the vectors. They are frozen: a change of
them is a change of `push22-shoe-v1`, which needs a new algorithm id instead.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from blackjack.shuffle import shake_words, shuffled
from contracts import shoe as s
from push22 import verify_cards
from tests.decisions.shoe.tables import (
    ALICES_SHARE,
    BOBS_SHARE,
    NEXT_ROUND,
    Shoe,
    as_shuffled,
    burned_requested,
    cards_requested,
    look_requested,
    new_shoe,
    reveal_requested,
    shoe_discarded,
)

VECTORS = Path(__file__).parent / "vectors"
START = ("1.1", "1.2", "dealer", "1.1", "1.2", "hole")
SHARES = (ALICES_SHARE, BOBS_SHARE)


def record_of(history: Sequence[Any]) -> dict[str, Any]:
    """Lay out a shoe's events as `verify_cards` reads them."""
    named: dict[Any, str] = {
        s.ShoeCommitted: "shoe_committed",
        s.ShoeCut: "shoe_cut",
        s.ShoeRetired: "retired",
    }
    record: dict[str, Any] = {"format": verify_cards.FORMAT}
    record |= dict.fromkeys(named.values())
    record["dealt"] = []
    for event in history:
        data = msgspec.to_builtins(event)
        if type(event) in named:
            record[named[type(event)]] = data
        else:
            record["dealt"].append(data)
    return record


def fixed_shoe(cut_card_at: int = 0) -> Shoe:
    """One deck in an order of no pattern that is the same for ever."""
    order = shuffled(range(52), shake_words(b"a test order", b""))
    return new_shoe(cut_card_at=cut_card_at, order=as_shuffled(order))


def in_play() -> Shoe:
    """A round is dealt, the hole card lies face down, one hand was hit."""
    shoe = fixed_shoe(cut_card_at=39)
    shoe.send(cards_requested(*START, burn=1, shares=SHARES))
    shoe.send(cards_requested("1.1", request=2))
    return shoe


def turn_hole(shoe: Shoe, round_id: str) -> None:
    dealt = next(
        event
        for event in reversed(shoe.history)
        if isinstance(event, s.CardsDealt) and event.request == 1
    )
    up_card = next(card.card for card in dealt.cards if card.place == "dealer")
    hole = next(card for card in dealt.cards if card.place == "hole")
    shoe.send(look_requested(hole.index, up_card, round_id=round_id))
    shoe.send(reveal_requested(hole.index, round_id=round_id))


def retired() -> Shoe:
    """Two rounds with everything that can happen to a shoe but running out."""
    shoe = in_play()
    shoe.send(burned_requested())
    turn_hole(shoe, "round-t1-7")
    shoe.send(cards_requested(*START, burn=1, round_id=NEXT_ROUND))
    turn_hole(shoe, NEXT_ROUND)
    places = ["1.2"] * 24 + ["dealer"]
    shoe.send(cards_requested(*places, request=2, round_id=NEXT_ROUND))
    shoe.send(shoe_discarded())
    return shoe


def ran_out() -> Shoe:
    """The second round empties the shoe and is finished from the discards."""
    shoe = fixed_shoe()
    shoe.send(cards_requested(*["1.1"] * 20, burn=1, shares=SHARES))
    shoe.send(cards_requested(*START, round_id=NEXT_ROUND))
    places = ["1.1"] * 30
    shoe.send(cards_requested(*places, request=2, round_id=NEXT_ROUND))
    turn_hole(shoe, NEXT_ROUND)
    shoe.send(shoe_discarded())
    return shoe


SHOES: dict[str, Callable[[], Shoe]] = {
    "in_play": in_play,
    "retired": retired,
    "ran_out": ran_out,
}


def text_of(shoe: Shoe) -> str:
    return json.dumps(record_of(shoe.history), indent=1) + "\n"


def write_vectors() -> None:
    for name, shoe in SHOES.items():
        (VECTORS / f"{name}.json").write_text(text_of(shoe()))


if __name__ == "__main__":
    write_vectors()
