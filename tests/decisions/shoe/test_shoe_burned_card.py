"""Any player may ask to see the burned card (NY-5)."""

from contracts import shoe as s
from tests.decisions.shoe.tables import (
    NEXT_ROUND,
    ROUND,
    burned_requested,
    cards_requested,
    new_shoe,
)
from tests.decisions.shoe.tables import SHOE as ID


def test_ny5_the_burned_card_is_shown_with_its_proof() -> None:
    """The first card of the shoe in pack order, cut in the middle."""
    shoe = new_shoe()
    shoe.send(cards_requested("1.1", burn=1))
    burned = shoe.history[2]
    (event,) = shoe.send(burned_requested())
    assert event == s.BurnedCardShown(ID, ROUND, event.card)
    assert (event.card.place, event.card.card) == ("burned", "Ah")
    assert (event.card.index, event.card.leaf) == (burned.index, burned.leaf)


def test_ny5_a_second_player_who_asks_is_shown_nothing_new() -> None:
    """Everyone has seen it by then."""
    shoe = new_shoe()
    shoe.send(cards_requested("1.1", burn=1))
    shoe.outcome(burned_requested()).then_quiet_when_repeated()


def test_ny5_a_new_dealers_burned_card_may_be_seen_as_well() -> None:
    """After another burn it is that card that is shown."""
    shoe = new_shoe()
    shoe.send(cards_requested("1.1", burn=1))
    shoe.send(burned_requested())
    shoe.send(cards_requested("1.1", burn=1, round_id=NEXT_ROUND))
    (event,) = shoe.send(burned_requested(NEXT_ROUND))
    assert event.card.card == "3h"


def test_ny5_each_round_may_ask_for_the_card_that_was_burned_last() -> None:
    """Who came in a later round has not seen it."""
    shoe = new_shoe()
    shoe.send(cards_requested("1.1", burn=1))
    (first,) = shoe.send(burned_requested())
    shoe.send(cards_requested("1.1", round_id=NEXT_ROUND))
    (again,) = shoe.send(burned_requested(NEXT_ROUND))
    assert again == s.BurnedCardShown(ID, NEXT_ROUND, first.card)


def test_without_a_burned_card_the_request_stops() -> None:
    """The table refuses such a wish; that it came here is a bug."""
    shoe = new_shoe()
    shoe.send(cards_requested("1.1"))
    shoe.outcome(burned_requested()).then_stops()


def test_a_late_wish_of_an_earlier_round_is_quiet() -> None:
    """The burned card of a new round is not shown to an old one."""
    shoe = new_shoe()
    shoe.send(cards_requested("1.1", burn=1))
    shoe.send(cards_requested("1.1", burn=1, round_id=NEXT_ROUND))
    shoe.outcome(burned_requested()).then_nothing()
