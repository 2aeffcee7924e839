"""A shoe is shuffled, committed and sealed before anyone bets on it."""

import hashlib

import msgspec
import pytest

from contracts import shoe as s
from push22 import verify_cards
from services.shoe import SERVICE, SHOE
from services.shoe.contents import first_order, unpack
from tests.decisions.shoe.tables import (
    FRESH,
    KEY_ID,
    RESERVE,
    SECRET,
    Shoe,
    as_shuffled,
    new_shoe,
    seal,
    shoe_discarded,
    shoe_requested,
    unseal,
)
from tests.decisions.shoe.tables import SHOE as ID
from tests.spec import given, reactions


def test_r3_r4_a_shoe_asks_for_a_whole_order_and_its_secrets() -> None:
    """The order of all cards, 32 bytes for salts, 512 bytes for a second order."""
    found = SHOE.needs(shoe_requested(decks=8), SHOE.initial(ID))
    assert [(need.kind, need.name, need.size, need.about) for need in found] == [
        ("shuffle", "order", 416, ID),
        ("random", "secret", 32, ID),
        ("random", "reserve", 512, ID),
    ]


def test_f3_the_published_root_is_the_one_a_stranger_computes() -> None:
    """The commitment's root is rebuilt by the verifier's own code."""
    (committed,) = new_shoe(decks=1, cut_card_at=39).history
    leaves = []
    for index, card in enumerate(_pack()):
        salt = verify_cards.salt_of(SECRET, ID, (0, index))
        leaves.append(verify_cards.leaf_of(ID, (0, index), card, salt))
    assert committed == s.ShoeCommitted(
        shoe=ID,
        table="t1",
        decks=1,
        cut_card_at=39,
        algorithm="push22-shoe-v1",
        root=verify_cards.root_of(leaves),
        reserve_hash=_sha256(RESERVE),
        sealed=committed.sealed,
        key_id=KEY_ID,
    )


def test_g1_r7_the_order_is_recorded_sealed_and_can_be_unsealed() -> None:
    """The sealed text is cards' codes, secret, reserve: the layout of contents.py."""
    (committed,) = new_shoe().history
    plain = unseal(committed.sealed, ID)
    assert plain == bytes(range(52)) + SECRET + RESERVE


def test_law_5_neither_event_nor_state_holds_the_plain_order() -> None:
    """Searched in the bytes of event and snapshot: order, secret and reserve."""
    shoe = new_shoe()
    snapshot = msgspec.json.encode(shoe.state)
    raw = msgspec.msgpack.encode([shoe.history, shoe.state])
    for hidden in (bytes(range(52)), SECRET, RESERVE[:64]):
        assert hidden not in raw
    assert msgspec.json.decode(snapshot, type=SHOE.state_type) == shoe.state


def test_a_shoe_without_a_key_stops_instead_of_recording_plain_cards() -> None:
    """A context that cannot seal is a bug, not a reason to publish the order."""
    given(SHOE, ID).when(shoe_requested(), ambient=FRESH, seal=seal).then_stops()
    given(SHOE, ID).when(shoe_requested(), ambient=FRESH, key_id=KEY_ID).then_stops()


@pytest.mark.parametrize(
    "order",
    [range(51), [0, *range(51)], [*range(51), 52]],
    ids=["too few", "one twice", "from another deck"],
)
def test_c1_an_order_that_is_not_all_cards_once_stops(order: list[int]) -> None:
    """A shoe holds complete decks; anything else is not committed."""
    fresh = FRESH | {"order": as_shuffled(order)}
    Shoe().outcome(shoe_requested(), fresh).then_stops()


def test_a_shoe_that_is_asked_for_twice_is_committed_once() -> None:
    """The repeat is quiet and draws nothing."""
    Shoe().outcome(shoe_requested()).then_quiet_when_repeated()
    assert SHOE.needs(shoe_requested(), new_shoe().state) == ()


def test_a_demonstration_shoe_says_so() -> None:
    """An order that came from a seed is marked in its commitment."""
    outcome = given(SHOE, ID).when(
        shoe_requested(), ambient=FRESH, key_id=KEY_ID, seal=seal, demonstration=True
    )
    expected = msgspec.structs.replace(new_shoe().history[0], demonstration=True)
    outcome.then(expected)


def test_h8_a_request_reaches_the_shoe_that_it_names() -> None:
    """The shoe's id is its stream; a record of another kind is not heeded."""
    assert [to.stream for to in reactions(SERVICE, shoe_requested())] == [ID]
    assert [to.stream for to in reactions(SERVICE, shoe_discarded())] == [ID]
    assert reactions(SERVICE, s.ShoeCut(ID, 1)) == ()


def test_contents_have_no_repr_that_tells_cards() -> None:
    """A traceback or a log line that shows a value shows no card (law 5)."""
    plain = bytes(range(52)) + SECRET + RESERVE
    for value in (unpack(plain), first_order(ID, plain)):
        assert "object at" in repr(value)


def _pack() -> list[str]:
    return [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]


def _sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()
