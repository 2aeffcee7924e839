"""The hole card: one yes or no, and the card itself when it is turned over."""

import pytest

from contracts import shoe as s
from push22 import verify_cards
from services.shoe import SHOE
from tests.decisions.shoe.tables import (
    NEXT_ROUND,
    ROUND,
    Shoe,
    cards_requested,
    first_up,
    look_requested,
    new_shoe,
    reveal_requested,
)
from tests.decisions.shoe.tables import SHOE as ID

HOLE_AT = 28


def dealt(up_card: str, hole: str) -> Shoe:
    """A shoe that dealt 5c to a hand, then the up card, then the hole card."""
    shoe = new_shoe(order=first_up("5c", up_card, hole))
    shoe.send(cards_requested("1.1", "dealer", "hole"))
    return shoe


@pytest.mark.parametrize(
    ("up_card", "hole", "natural"),
    [
        ("As", "Th", True),
        ("As", "Kd", True),
        ("Jd", "Ac", True),
        ("As", "Ad", False),
        ("Qs", "Kd", False),
        ("As", "9d", False),
        ("Ts", "9d", False),
    ],
)
def test_c26_the_look_tells_natural_or_not(
    up_card: str,
    hole: str,
    natural: bool,  # noqa: FBT001
) -> None:
    """An ace and a ten-value card, whichever of them lies open."""
    shoe = dealt(up_card, hole)
    shoe.outcome(look_requested(HOLE_AT, up_card)).then(
        s.HoleLooked(ID, ROUND, HOLE_AT, natural)
    )


def test_c14_a_second_look_is_quiet() -> None:
    """The one fact is told once."""
    shoe = dealt("As", "9d")
    shoe.outcome(look_requested(HOLE_AT, "As")).then_quiet_when_repeated()


def test_c14_a_look_with_a_made_up_card_stops() -> None:
    """Otherwise an ace that does not lie there would tell a ten from a nine."""
    dealt("9s", "Kd").outcome(look_requested(HOLE_AT, "As")).then_stops()


@pytest.mark.parametrize("index", [26, 27, 29])
def test_c14_only_the_hole_card_is_looked_at(index: int) -> None:
    """An open card, or one still in the shoe, is none."""
    dealt("As", "Kd").outcome(look_requested(index, "As")).then_stops()


def test_f5_turned_over_the_card_comes_with_its_proof() -> None:
    """Its leaf is the one that lay face down, and leads to the root."""
    shoe = dealt("9s", "Kd")
    hidden = shoe.history[-1].cards[2]
    (event,) = shoe.send(reveal_requested(HOLE_AT))
    card = event.card
    assert event == s.HoleRevealed(ID, ROUND, card)
    assert (card.place, card.index, card.card) == ("hole", HOLE_AT, "Kd")
    assert card.leaf == hidden.leaf
    assert card.leaf == verify_cards.leaf_of(ID, (0, HOLE_AT), "Kd", card.salt)
    proof = list(card.proof)
    root = shoe.history[0].root
    assert verify_cards.proved_root(card.leaf, HOLE_AT, 52, proof) == root


def test_a_second_reveal_is_quiet() -> None:
    """The card is turned over once."""
    dealt("9s", "Kd").outcome(reveal_requested(HOLE_AT)).then_quiet_when_repeated()


@pytest.mark.parametrize("index", [26, 29])
def test_law_5_a_card_that_does_not_lie_face_down_is_not_revealed(index: int) -> None:
    """Neither an open one nor the next one in the shoe."""
    dealt("9s", "Kd").outcome(reveal_requested(index)).then_stops()


def test_law_5_a_hole_card_is_not_revealed_to_another_round() -> None:
    """A round that has been dealt nothing owns no hole card."""
    shoe = dealt("9s", "Kd")
    late = reveal_requested(HOLE_AT, round_id=NEXT_ROUND)
    shoe.outcome(late).then_stops()


def test_late_questions_of_an_earlier_round_are_quiet() -> None:
    """They ask for nothing unsealed either."""
    shoe = dealt("As", "Kd")
    shoe.send(cards_requested("1.1", round_id=NEXT_ROUND))
    for late in (look_requested(HOLE_AT, "As"), reveal_requested(HOLE_AT)):
        shoe.outcome(late).then_nothing()
        assert SHOE.needs(late, shoe.state) == ()
