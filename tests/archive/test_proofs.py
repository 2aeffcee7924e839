"""Card proofs: what a shoe dealt is what it committed to, before and after retiring."""

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from blackjack import commitment
from blackjack.cards import FULL_DECK
from blackjack.commitment import Slot
from contracts import shoe as s
from services.archive.proofs import ShoeProof

SHOE = "shoe-t1-1"
ROUND = "round-t1-1"
SECRET = bytes(range(32))
RESERVE = bytes(512)
CARDS = FULL_DECK
LEAVES = [
    commitment.leaf_of(
        Slot(SHOE, 0, index), card, commitment.salt_of(SECRET, Slot(SHOE, 0, index))
    )
    for index, card in enumerate(CARDS)
]
TREE = commitment.tree_of(LEAVES)
ROOT = commitment.root_of(TREE)
CUT = 26

SEED = b"seed of alice"
SHARE = s.SeedShare(1, hashlib.sha256(SEED).digest(), SEED)


def committed() -> s.ShoeCommitted:
    return s.ShoeCommitted(
        shoe=SHOE,
        table="t1",
        decks=1,
        cut_card_at=40,
        algorithm=commitment.ALGORITHM,
        root=ROOT,
        reserve_hash=commitment.reserve_hash_of(RESERVE),
        sealed=b"sealed",
        key_id="k1",
    )


def face_up(place: str, index: int) -> s.DealtCard:
    return s.DealtCard(
        place=place,
        index=index,
        leaf=LEAVES[index],
        card=CARDS[index],
        salt=commitment.salt_of(SECRET, Slot(SHOE, 0, index)),
        proof=commitment.proof_of(TREE, index),
    )


def face_down(index: int) -> s.DealtCard:
    return s.DealtCard("hole", index, LEAVES[index])


def dealt(*cards: s.DealtCard) -> s.CardsDealt:
    return s.CardsDealt(SHOE, ROUND, 1, cards, len(cards) + 1)


def retired() -> s.ShoeRetired:
    return s.ShoeRetired(SHOE, "".join(CARDS), SECRET, RESERVE)


def history() -> dict[str, Any]:
    """A shoe's life: the middle cut, one burned, two open cards, one hole card."""
    return {
        "committed": committed(),
        "cut": s.ShoeCut(SHOE, CUT),
        "burned": s.CardBurned(SHOE, ROUND, 26, LEAVES[26]),
        "dealt": dealt(face_up("1.1", 27), face_up("dealer", 28), face_down(29)),
        "looked": s.HoleLooked(SHOE, ROUND, 29, natural=False),
        "revealed": s.HoleRevealed(SHOE, ROUND, face_up("hole", 29)),
        "retired": retired(),
    }


def faults(events: dict[str, Any]) -> list[str]:
    proof = ShoeProof(SHOE)
    for event in events.values():
        proof.see(event)
    return [fault.text for fault in proof.faults]


def changed(**by: Any) -> dict[str, Any]:
    return {**history(), **by}


def test_an_honest_shoe_proves_every_card() -> None:
    """Cut, order, leaves, look and the revealed rest all bear each other out."""
    proof = ShoeProof(SHOE)
    for event in history().values():
        proof.see(event)

    assert proof.faults == []
    assert proof.proved == 3


def test_an_exchanged_card_has_another_leaf() -> None:
    """The card that was shown must be the one its leaf was made of."""
    false = replace(face_up("1.1", 27), card="As")
    events = changed(dealt=dealt(false, face_up("dealer", 28), face_down(29)))

    assert faults(events) == ["As at 27 of order 0: the leaf is another card's"]


def test_a_card_from_outside_the_tree_is_found() -> None:
    """A leaf that is right for its card but was never committed has no proof."""
    slot = Slot(SHOE, 0, 27)
    leaf = commitment.leaf_of(slot, "As", bytes(32))
    false = replace(face_up("1.1", 27), card="As", salt=bytes(32), leaf=leaf)
    events = changed(dealt=dealt(false, face_up("dealer", 28), face_down(29)))
    del events["retired"]

    found = faults(events)

    assert found == ["As at 27 of order 0: the proof does not lead to the root"]


def test_a_skipped_card_is_found() -> None:
    """Cards leave in the committed order: the second may not be dealt first."""
    events = changed(burned=s.CardBurned(SHOE, ROUND, 25, LEAVES[25]))

    assert faults(events) == ["card 25 of order 0 left, 26 was next"]


def test_a_cut_that_the_seeds_do_not_make_is_found() -> None:
    """Whoever moves the cut deals other cards than the players' seeds led to."""
    events = changed(cut=s.ShoeCut(SHOE, CUT, (SHARE,)))

    (text,) = faults(events)

    assert text.startswith("cut at 26, root and seeds make it ")


def test_a_seed_that_was_not_promised_is_found() -> None:
    """An opened seed must have the hash that came with the bet."""
    share = replace(SHARE, seed=b"another")
    cut = commitment.cut_of(SHOE, ROOT, 52, (share,))
    events = {"committed": committed(), "cut": s.ShoeCut(SHOE, cut, (share,))}

    assert faults(events) == ["box 1 opened another seed"]


def test_an_exchanged_hole_card_is_found() -> None:
    """The card that is turned over must be the one that was put down."""
    events = changed(revealed=s.HoleRevealed(SHOE, ROUND, face_up("hole", 30)))

    assert faults(events) == ["card 30 never lay face down"]


def test_a_false_look_is_found_once_the_card_is_known() -> None:
    """The dealer's look said natural, and the hole card was none."""
    events = changed(looked=s.HoleLooked(SHOE, ROUND, 29, natural=True))

    (text,) = faults(events)

    assert text.startswith("the look said natural, ")


def test_a_false_look_at_a_card_never_turned_is_found_at_the_end() -> None:
    """Where the hole card stayed face down, the retired shoe shows it."""
    events = changed(looked=s.HoleLooked(SHOE, ROUND, 29, natural=True))
    del events["revealed"]

    (text,) = faults(events)

    assert text.startswith("the look said natural, ")


def another_order(event: s.ShoeRetired) -> s.ShoeRetired:
    return replace(event, order=event.order[2:] + event.order[:2])


def another_reserve(event: s.ShoeRetired) -> s.ShoeRetired:
    return replace(event, reserve=b"\x01" * 512)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (another_order, "order 0 as revealed has another root"),
        (another_reserve, "the reserve is not the promised one"),
    ],
)
def test_false_revelations_are_found(
    change: Callable[[s.ShoeRetired], s.ShoeRetired], text: str
) -> None:
    """What a retired shoe reveals must be what it committed to."""
    assert faults(changed(retired=change(retired()))) == [text]


def test_a_shoe_that_never_committed_proves_nothing() -> None:
    """Without a commitment before its first use no card of a shoe is proved."""
    events = history()
    del events["committed"]

    assert set(faults(events)) == {"not committed before its first use"}


def test_the_second_order_is_rebuilt_from_discards_and_reserve() -> None:
    """A shoe that ran out deals the shuffled discards of earlier rounds (C-17)."""
    events, again = run_out()

    assert faults(events) == []

    other = replace(events["shuffled"], root=bytes(32))
    assert f"{again} at 0 of order 1: the proof does not lead to the root" in faults(
        {**events, "shuffled": other}
    )


def run_out() -> tuple[dict[str, Any], str]:
    """Deal 50 cards to round 1 and 3 to round 2: the last is of the second order."""
    order = [(CUT + position) % 52 for position in range(52)]
    first = tuple(face_up("1.1", index) for index in order[:50])
    discards = tuple(CARDS[index] for index in sorted(order[:50]))
    again = commitment.reshuffled(SHOE, RESERVE, (), discards)
    slots = [Slot(SHOE, 1, index) for index in range(50)]
    salts = [commitment.salt_of(SECRET, slot) for slot in slots]
    leaves = [
        commitment.leaf_of(slot, card, salt)
        for slot, card, salt in zip(slots, again, salts, strict=True)
    ]
    tree = commitment.tree_of(leaves)
    last = s.DealtCard(
        place="1.1",
        index=0,
        leaf=leaves[0],
        card=again[0],
        salt=salts[0],
        proof=commitment.proof_of(tree, 0),
        order=1,
    )
    later = (*(face_up("1.1", index) for index in order[50:]), last)
    events = {
        "committed": committed(),
        "cut": s.ShoeCut(SHOE, CUT),
        "first": s.CardsDealt(SHOE, ROUND, 1, first, 50),
        "shuffled": s.DiscardsShuffled(
            SHOE, "round-t1-2", 1, 50, commitment.root_of(tree)
        ),
        "later": s.CardsDealt(SHOE, "round-t1-2", 1, later, 53),
        "retired": retired(),
    }
    return events, again[0]
