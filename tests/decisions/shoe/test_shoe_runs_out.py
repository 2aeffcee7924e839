"""The shoe runs out in mid-round: earlier discards are shuffled and dealt (C-17)."""

from contracts import shoe as s
from push22 import verify_cards
from tests.decisions.shoe.tables import (
    ALICES_SHARE,
    NEXT_ROUND,
    RESERVE,
    SECRET,
    Shoe,
    cards_of,
    cards_requested,
    indices_of,
    look_requested,
    names_of,
    new_shoe,
    reveal_requested,
)
from tests.decisions.shoe.tables import SHOE as ID

DISCARDED = list(range(27, 46))
"""Round 7 was dealt 26..45 from the middle cut; 26 was burned."""


def nearly_empty() -> Shoe:
    """One deck: a burned card, 19 for round 7, 30 for round 8; two are left."""
    shoe = new_shoe()
    shoe.send(cards_requested(*["1.1"] * 19, burn=1))
    shoe.send(cards_requested(*["1.1"] * 30, round_id=NEXT_ROUND))
    return shoe


def test_c17_what_is_left_is_dealt_first_then_the_second_order() -> None:
    """Indices 24 and 25 are the last of order 0; order 1 begins at its index 0."""
    shoe = nearly_empty()
    request = cards_requested(*["1.1"] * 4, request=2, round_id=NEXT_ROUND)
    events = shoe.send(request)
    assert names_of(events) == ["DiscardsShuffled", "CardsDealt", "CutCardReached"]
    assert indices_of(events) == [(0, 24), (0, 25), (1, 0), (1, 1)]
    assert events[1].cards_out == 54


def test_h12_the_second_orders_root_comes_before_its_first_card() -> None:
    """Root and cards are those that a stranger computes from the revealed reserve."""
    shoe = nearly_empty()
    request = cards_requested(*["1.1"] * 4, request=2, round_id=NEXT_ROUND)
    shuffled, dealt, _ = shoe.send(request)
    again = verify_cards.reshuffled(ID, RESERVE, [], DISCARDED)
    pack = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]
    cards = [pack[index] for index in again]
    leaves = [
        verify_cards.leaf_of(
            ID, (1, index), card, verify_cards.salt_of(SECRET, ID, (1, index))
        )
        for index, card in enumerate(cards)
    ]
    root = verify_cards.root_of(leaves)
    assert shuffled == s.DiscardsShuffled(ID, NEXT_ROUND, 1, 19, root)
    assert cards_of([dealt])[2:] == cards[:2]


def test_c17_burned_cards_and_this_rounds_cards_are_not_among_the_discards() -> None:
    """Only the 19 cards that round 7 played with come back, each once."""
    shoe = nearly_empty()
    request = cards_requested(*["1.1"] * 21, request=2, round_id=NEXT_ROUND)
    came_back = cards_of(shoe.send(request))[2:]
    pack = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]
    assert sorted(came_back) == sorted(pack[27:46])


def test_h12_the_cuts_seeds_take_part_in_the_second_order() -> None:
    """The house, which knew the reserve, could not choose this order."""
    orders = []
    for shares in ((), (ALICES_SHARE,)):
        again = verify_cards.reshuffled(
            ID, RESERVE, [_as_json(share) for share in shares], DISCARDED
        )
        orders.append(again)
    assert orders[0] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1])


def test_c17_a_request_that_just_fits_shuffles_nothing() -> None:
    """The last two cards are dealt; only the next request needs the discards."""
    shoe = nearly_empty()
    last = cards_requested("1.1", "1.1", request=2, round_id=NEXT_ROUND)
    after = cards_requested("1.1", request=3, round_id=NEXT_ROUND)
    assert names_of(shoe.send(last)) == ["CardsDealt"]
    assert names_of(shoe.send(after)) == [
        "DiscardsShuffled",
        "CardsDealt",
        "CutCardReached",
    ]


def test_c17_the_discards_are_shuffled_once_and_dealt_on() -> None:
    """The next request takes up order 1 where it was; the call is not repeated."""
    shoe = nearly_empty()
    four = cards_requested(*["1.1"] * 4, request=2, round_id=NEXT_ROUND)
    shoe.send(four)
    events = shoe.send(cards_requested("1.1", request=3, round_id=NEXT_ROUND))
    assert names_of(events) == ["CardsDealt"]
    assert indices_of(events) == [(1, 2)]


def test_c17_a_full_shuffle_is_called_for_even_without_a_cut_card() -> None:
    """The cut card is called, so that the table ends this shoe with the round."""
    shoe = nearly_empty()
    request = cards_requested(*["1.1"] * 3, request=2, round_id=NEXT_ROUND)
    assert shoe.send(request)[-1] == s.CutCardReached(ID, NEXT_ROUND, 53)


def test_c17_a_round_after_that_stops() -> None:
    """The reshuffled discards finish one round and no other."""
    shoe = nearly_empty()
    request = cards_requested(*["1.1"] * 3, request=2, round_id=NEXT_ROUND)
    shoe.send(request)
    shoe.outcome(cards_requested("1.1", round_id="round-t1-9")).then_stops()


def test_c17_nothing_is_burned_from_the_discards() -> None:
    """A burn that finds order 0 empty falls away."""
    shoe = new_shoe()
    shoe.send(cards_requested(*["1.1"] * 52))
    events = shoe.send(cards_requested("1.1", burn=1, round_id=NEXT_ROUND))
    assert names_of(events) == ["DiscardsShuffled", "CardsDealt", "CutCardReached"]


def test_c17_a_first_round_that_empties_the_shoe_stops() -> None:
    """No earlier round left a card to shuffle."""
    new_shoe().outcome(cards_requested(*["1.1"] * 53)).then_stops()


def test_c17_more_cards_than_there_are_stop() -> None:
    """19 discards and 2 cards of the shoe do not make 22."""
    shoe = nearly_empty()
    request = cards_requested(*["1.1"] * 22, request=2, round_id=NEXT_ROUND)
    shoe.outcome(request).then_stops()


def test_c17_a_hole_card_of_the_second_order_is_looked_at_and_turned() -> None:
    """Its slot is named by order and index; the card is that of order 1."""
    shoe = new_shoe()
    shoe.send(cards_requested(*["1.1"] * 52))
    request = cards_requested("dealer", "hole", round_id=NEXT_ROUND)
    dealt = shoe.send(request)[1]
    up_card = dealt.cards[0].card
    look = look_requested(1, up_card, order=1, round_id=NEXT_ROUND)
    (looked,) = shoe.send(look)
    assert (looked.index, looked.order) == (1, 1)
    reveal = reveal_requested(1, order=1, round_id=NEXT_ROUND)
    (revealed,) = shoe.send(reveal)
    assert revealed.card.order == 1
    assert revealed.card.leaf == dealt.cards[1].leaf
    assert shoe.send(look) == shoe.send(reveal) == ()


def _as_json(share: s.SeedShare) -> dict[str, object]:
    return {"box": share.box, "seed": share.seed, "seed_hash": share.seed_hash}
