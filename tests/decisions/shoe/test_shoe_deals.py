"""Cards leave the shoe in their committed order, from the cut on and around."""

import msgspec
import pytest

from contracts import shoe as s
from push22 import verify_cards
from services.shoe import SHOE
from tests.decisions.shoe.tables import (
    ALICES_SHARE,
    BOBS_SHARE,
    NEXT_ROUND,
    ROUND,
    Shoe,
    cards_of,
    cards_requested,
    first_up,
    indices_of,
    names_of,
    new_shoe,
    shoe_requested,
)
from tests.decisions.shoe.tables import SHOE as ID


def test_h12_without_seeds_dealing_begins_in_the_middle() -> None:
    """Of 52 cards in pack order the 27th, the ace of hearts, is first."""
    shoe = new_shoe()
    events = shoe.send(cards_requested("1.1", "dealer", "1.1", shares=()))
    assert events[0] == s.ShoeCut(ID, 26)
    assert cards_of(events) == ["Ah", "2h", "3h"]


def test_h12_a_request_that_brings_no_shares_cuts_in_the_middle_too() -> None:
    """A shoe is never dealt uncut."""
    events = new_shoe().send(cards_requested("1.1"))
    assert events[0] == s.ShoeCut(ID, 26)


def test_h12_f4_the_seeds_fix_the_cut() -> None:
    """An opened seed and an unopened one's hash both take part; frozen value 27."""
    shares = (ALICES_SHARE, BOBS_SHARE)
    shoe = new_shoe()
    events = shoe.send(cards_requested("1.1", shares=shares))
    assert events[0] == s.ShoeCut(ID, 27, shares)
    assert cards_of(events) == ["2h"]


def test_h12_a_seed_that_stays_shut_gives_another_cut_than_the_opened_one() -> None:
    """What decides is the seed, or its hash: never nothing."""
    shut = msgspec.structs.replace(ALICES_SHARE, seed=b"")
    cuts = {
        new_shoe(decks=8).send(cards_requested("1.1", shares=shares))[0].cut
        for shares in ((ALICES_SHARE,), (shut,), (BOBS_SHARE,), ())
    }
    assert len(cuts) == 4


def test_f5_each_card_carries_salt_and_proof_of_its_own() -> None:
    """A stranger's code leads from every card to the published root."""
    shoe = new_shoe()
    root = shoe.history[0].root
    dealt = shoe.send(cards_requested("1.1", "1.2", "dealer"))[-1]
    for card in dealt.cards:
        slot = (0, card.index)
        assert card.leaf == verify_cards.leaf_of(ID, slot, card.card, card.salt)
        proof = list(card.proof)
        assert verify_cards.proved_root(card.leaf, card.index, 52, proof) == root
        assert len(card.salt) == 32


def test_c14_the_hole_card_travels_as_its_leaf_only() -> None:
    """No card, salt or proof goes with it; the place is exactly `hole`."""
    dealt = new_shoe().send(cards_requested("1.1", "dealer", "hole"))[-1]
    hidden = dealt.cards[2]
    assert hidden == s.DealtCard("hole", 28, hidden.leaf)
    assert len(hidden.leaf) == 32
    assert [card.card for card in dealt.cards] == ["Ah", "2h", ""]


def test_ny5_burned_cards_leave_first_and_unseen() -> None:
    """Two burned cards count as out; dealing goes on behind them."""
    shoe = new_shoe()
    events = shoe.send(cards_requested("1.1", burn=2))
    assert names_of(events) == ["ShoeCut", "CardBurned", "CardBurned", "CardsDealt"]
    assert [event.index for event in events[1:3]] == [26, 27]
    assert cards_of(events) == ["3h"]
    assert events[-1].cards_out == 3


def test_dealing_goes_on_where_it_stopped_and_runs_around() -> None:
    """After the last index comes index 0, as after a cut of real cards."""
    shoe = new_shoe()
    shoe.send(cards_requested(*["1.1"] * 25))
    events = shoe.send(cards_requested("1.1", "1.1", "1.1", request=2))
    assert indices_of(events) == [(0, 51), (0, 0), (0, 1)]
    assert cards_of(events) == ["Ks", "Ac", "2c"]


def test_a_repeated_request_is_quiet() -> None:
    """The same request number deals nothing again and asks for nothing unsealed."""
    shoe = new_shoe()
    request = cards_requested("1.1", "dealer", shares=())
    shoe.outcome(request).then_quiet_when_repeated()
    shoe.send(request)
    assert SHOE.needs(request, shoe.state) == ()


def test_a_late_request_of_an_earlier_round_is_quiet() -> None:
    """What was dealt to it was dealt; the shoe has moved on."""
    shoe = new_shoe()
    shoe.send(cards_requested("1.1"))
    shoe.send(cards_requested("1.1", round_id=NEXT_ROUND))
    shoe.outcome(cards_requested("1.1", request=2)).then_nothing()


@pytest.mark.parametrize("request_number", [0, 3])
def test_a_request_out_of_turn_stops(request_number: int) -> None:
    """A gap in a round's requests is a bug: the shoe does not guess."""
    shoe = new_shoe()
    shoe.send(cards_requested("1.1"))
    late = cards_requested("1.1", request=request_number, round_id=NEXT_ROUND)
    shoe.outcome(late).then_stops()


def test_a_second_cut_stops() -> None:
    """Once dealt from, a shoe is not cut again."""
    shoe = new_shoe()
    shoe.send(cards_requested("1.1", shares=()))
    again = cards_requested("1.1", round_id=NEXT_ROUND, shares=(ALICES_SHARE,))
    shoe.outcome(again).then_stops()


def test_shares_out_of_box_order_stop() -> None:
    """The order of boxes is part of what fixes the cut."""
    shares = (BOBS_SHARE, ALICES_SHARE)
    new_shoe().outcome(cards_requested("1.1", shares=shares)).then_stops()


def test_a_shoe_that_was_never_committed_deals_nothing() -> None:
    """It stops: there is no order to deal from."""
    Shoe().outcome(cards_requested("1.1")).then_stops()


def test_contents_that_are_not_the_committed_ones_stop_the_shoe() -> None:
    """A wrongly unsealed text deals no card (law 8)."""
    shoe = new_shoe()
    other = new_shoe(order=first_up("As")).state.sealed
    plain = SHOE.needs(cards_requested("1.1"), shoe.state)[0]
    assert plain.sealed != other
    outcome = shoe.given.on(
        cards_requested("1.1"), ambient={"contents": bytes(52 + 32 + 512)}
    )
    outcome.then_stops()


def test_c16_the_cut_card_is_called_once_with_burned_cards_counted() -> None:
    """With the cut card at 4, it shows when the fourth card is out, and only then."""
    shoe = new_shoe(cut_card_at=4)
    first = shoe.send(cards_requested("1.1", "dealer", burn=1))
    second = shoe.send(cards_requested("1.1", request=2))
    third = shoe.send(cards_requested("1.1", request=3))
    assert names_of(first) == ["ShoeCut", "CardBurned", "CardsDealt"]
    assert second[1:] == (s.CutCardReached(ID, ROUND, 4),)
    assert names_of(third) == ["CardsDealt"]


def test_c16_without_a_cut_card_none_is_called() -> None:
    """A shoe that is shuffled by rounds has `cut_card_at` 0."""
    shoe = new_shoe(cut_card_at=0)
    events = shoe.send(cards_requested(*["1.1"] * 40))
    assert names_of(events) == ["ShoeCut", "CardsDealt"]


def test_h14_the_same_message_gives_the_same_events_again() -> None:
    """A crash before the commit changes nothing about what is dealt."""
    request = cards_requested("1.1", "hole", burn=1, shares=(ALICES_SHARE,))
    first, second = (new_shoe().outcome(request).decided() for _ in range(2))
    assert first == second
    assert Shoe().send(shoe_requested()) == Shoe().send(shoe_requested())
