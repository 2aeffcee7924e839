"""No card is knowable before its time: searched in the bytes of every event."""

import base64

import msgspec

from blackjack import commitment
from blackjack.commitment import Slot
from contracts import shoe as s
from tests.decisions.shoe.tables import (
    RESERVE,
    SECRET,
    SHOE,
    Shoe,
    burned_requested,
    cards_requested,
    new_shoe,
    reveal_requested,
)
from tests.fairness.records import START, fixed_shoe, in_play, ran_out, turn_hole


def text_of(*messages: object) -> bytes:
    """All that an onlooker could read: the messages as they travel."""
    return b"\n".join(msgspec.json.encode(message) for message in messages)


def salt_text(index: int, order: int = 0) -> bytes:
    salt = commitment.salt_of(SECRET, Slot(SHOE, order, index))
    return base64.b64encode(salt)


def shown_of(shoe: Shoe) -> set[tuple[int, int]]:
    """The slots whose card the shoe's events tell."""
    shown = set()
    for event in shoe.history:
        match event:
            case s.CardsDealt():
                shown |= {(c.order, c.index) for c in event.cards if c.card}
            case s.HoleRevealed() | s.BurnedCardShown():
                shown.add((event.card.order, event.card.index))
    return shown


def test_law_5_a_hole_cards_salt_is_in_no_byte_before_it_is_revealed() -> None:
    """Neither in what was published nor in the state; afterwards it is."""
    shoe = in_play()
    hole = shoe.history[3].cards[5]
    assert hole.place == "hole"
    assert salt_text(hole.index) not in text_of(*shoe.history, shoe.state)
    shoe.send(reveal_requested(hole.index))
    assert salt_text(hole.index) in text_of(*shoe.history)


def test_law_5_a_hole_cards_leaf_fits_no_card_without_its_salt() -> None:
    """Trying all 52 cards with every salt that is public finds none."""
    shoe = in_play()
    dealt = shoe.history[3]
    hole = dealt.cards[5]
    slot = Slot(SHOE, 0, hole.index)
    salts = [card.salt for card in dealt.cards] + [b"", bytes(32)]
    for card in (rank + suit for rank in "A23456789TJQK" for suit in "cdhs"):
        for salt in salts:
            assert commitment.leaf_of(slot, card, salt) != hole.leaf


def test_law_5_the_look_leaves_no_trace_of_the_card() -> None:
    """Two hole cards that give the same answer give the same event."""
    shoe = in_play()
    events_before = len(shoe.history)
    turn_hole(shoe, "round-t1-7")
    looked = shoe.history[events_before]
    assert text_of(looked) == (
        b'{"type":"shoe.hole_looked.v1","shoe":"shoe-t1-3",'
        b'"round_id":"round-t1-7","index":%d,"natural":false}' % looked.index
    )


def test_law_5_salts_of_undealt_cards_appear_nowhere_before_retirement() -> None:
    """A whole shoe: burned, hidden, dealt and reshuffled cards, after every step."""
    shoe = ran_out()
    shoe.given = shoe.given.__class__(
        shoe.given.decider, SHOE, shoe.history[:-1], shoe.given.service
    )
    public = text_of(*shoe.history, shoe.state)
    shown = shown_of(shoe)
    slots = [(0, index) for index in range(52)] + [(1, index) for index in range(20)]
    for order, index in slots:
        told = salt_text(index, order) in public
        assert told == ((order, index) in shown), (order, index)
    assert len(shown) == 56


def test_law_5_the_plain_order_and_secrets_appear_nowhere_before_retirement() -> None:
    """In no form: codes, card text, secret or reserve, raw or in base64."""
    shoe = in_play()
    public = text_of(*shoe.history, shoe.state)
    raw = msgspec.msgpack.encode([shoe.history, shoe.state])
    shoe.send(burned_requested())
    for hidden in (SECRET, RESERVE, RESERVE[:32], RESERVE[-32:]):
        assert hidden not in raw
        assert base64.b64encode(hidden)[:-4] not in public


def test_law_5_a_card_is_told_when_it_is_dealt_and_not_one_before() -> None:
    """Card by card through a shoe: only the cards that left it are in its bytes."""
    shoe = fixed_shoe()
    for request in range(1, 53):
        shoe.send(cards_requested("1.1", request=request))
        public = text_of(*shoe.history)
        out = {(26 + position) % 52 for position in range(request)}
        told = {index for index in range(52) if salt_text(index) in public}
        assert told == out


def test_c15_a_burned_card_is_a_leaf_and_nothing_more() -> None:
    """Until someone asks to see it."""
    shoe = new_shoe()
    shoe.send(cards_requested(*START, burn=1))
    burned = shoe.history[2]
    assert burned == s.CardBurned(SHOE, "round-t1-7", burned.index, burned.leaf)
    assert salt_text(burned.index) not in text_of(*shoe.history)
