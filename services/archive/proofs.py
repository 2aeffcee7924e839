"""The card proofs of a shoe: every card it dealt stood in the committed order.

While a shoe is in use only its proofs are asked; no key is held here (H11). Once it
is retired, its order, secret and reserve are known, and everything is rebuilt.
"""

import hashlib
from typing import Any, NamedTuple

from blackjack import commitment
from blackjack.commitment import Slot
from blackjack.shuffle import CARDS_PER_DECK
from contracts import catalog
from contracts import shoe as s
from contracts.envelope import Envelope

_TENS = frozenset("TJQK")


class ProofFault(NamedTuple):
    """A card, cut or look that the commitment does not bear out."""

    shoe: str
    round_id: str
    text: str


class ShoeProof:
    """One shoe, from its commitment on. `faults` is what did not hold."""

    def __init__(self, shoe: str) -> None:
        self.shoe = shoe
        self.faults: list[ProofFault] = []
        self.proved = 0
        self.is_retired = False
        self.version = 0
        self._committed: s.ShoeCommitted | None = None
        self._cut: s.ShoeCut | None = None
        self._roots: dict[int, tuple[bytes, int]] = {}
        self._out: dict[int, int] = {0: 0, 1: 0}
        self._leaves: dict[tuple[int, int], bytes] = {}
        self._known: dict[tuple[int, int], str] = {}
        self._looks: dict[tuple[int, int], tuple[bool, str]] = {}
        self._burned: set[int] = set()
        self._discards: list[int] = []
        self._round = ""
        self._first = 0
        self._up_card = ""

    def take(self, record: Envelope) -> None:
        """Check the next record of the shoe's stream."""
        self.version = record.version
        try:
            self.see(catalog.decode_event(record))
        except Exception as error:  # noqa: BLE001 - what cannot be checked is a fault
            text = f"{record.id} cannot be checked: {type(error).__name__}: {error}"
            self.faults.append(ProofFault(self.shoe, record.round_id, text))

    def see(self, event: Any) -> None:
        """Check one event of the shoe's stream, in order."""
        match event:
            case s.ShoeCommitted():
                self._commit(event)
            case _ if self._committed is None:
                self._fault(event, "not committed before its first use")
            case s.ShoeCut():
                self._see_cut(event)
            case s.CardBurned():
                self._enter(event.round_id)
                self._leaves_shoe(event, event.index, event.order)
                self._keep(event, (event.order, event.index), event.leaf)
                self._burned.add(event.index)
            case s.DiscardsShuffled():
                self._enter(event.round_id)
                self._roots[event.order] = (event.root, event.cards)
                self._discards = self._used_before()
            case s.CardsDealt():
                self._see_dealt(event)
            case s.BurnedCardShown() | s.HoleRevealed():
                self._see_turned(event, event.card)
            case s.HoleLooked():
                self._see_look(event)
            case s.ShoeRetired():
                self._retire(event)

    def _fault(self, event: Any, text: str) -> None:
        round_id = getattr(event, "round_id", "")
        self.faults.append(ProofFault(self.shoe, round_id, text))

    def _commit(self, event: s.ShoeCommitted) -> None:
        if self._committed is not None:
            self._fault(event, "committed twice")
        self._committed = event
        self._roots[0] = (event.root, event.decks * CARDS_PER_DECK)
        if event.algorithm != commitment.ALGORITHM:
            self._fault(event, f"made by the unknown algorithm {event.algorithm}")

    @property
    def _cards(self) -> int:
        return self._roots[0][1]

    def _see_cut(self, event: s.ShoeCut) -> None:
        """The cut is what root and seeds make it, and each seed is the promised one."""
        for share in event.shares:
            if share.seed and hashlib.sha256(share.seed).digest() != share.seed_hash:
                self._fault(event, f"box {share.box} opened another seed")
        root, cards = self._roots[0]
        cut = commitment.cut_of(self.shoe, root, cards, event.shares)
        if cut != event.cut:
            self._fault(event, f"cut at {event.cut}, root and seeds make it {cut}")
        self._cut = event

    def _enter(self, round_id: str) -> None:
        """Note where a round's first card lies: those before it are discards."""
        if round_id != self._round:
            self._round, self._first, self._up_card = round_id, self._out[0], ""

    def _used_before(self) -> list[int]:
        """Return the indices that earlier rounds used, ascending (C-15, C-17)."""
        used = {self._index_at(position) for position in range(self._first)}
        return sorted(used - self._burned)

    def _index_at(self, position: int) -> int:
        cut = self._cut.cut if self._cut is not None else 0
        return (cut + position) % self._cards

    def _leaves_shoe(self, event: Any, index: int, order: int) -> None:
        """Cards leave in the committed order, none skipped and none twice."""
        position = self._out[order]
        expected = position if order else self._index_at(position)
        if index != expected:
            text = f"card {index} of order {order} left, {expected} was next"
            self._fault(event, text)
        self._out[order] = position + 1

    def _keep(self, event: Any, at: tuple[int, int], leaf: bytes) -> None:
        if self._leaves.setdefault(at, leaf) != leaf:
            self._fault(event, f"card {at[1]} of order {at[0]} has two leaves")

    def _see_dealt(self, event: s.CardsDealt) -> None:
        self._enter(event.round_id)
        for card in event.cards:
            self._leaves_shoe(event, card.index, card.order)
            if card.place == "dealer" and not self._up_card:
                self._up_card = card.card
            if card.card:
                self._prove(event, card)
            else:
                self._keep(event, (card.order, card.index), card.leaf)

    def _prove(self, event: Any, card: s.DealtCard) -> None:
        """A card's salt and proof lead from its leaf to the committed root."""
        at = (card.order, card.index)
        name = f"{card.card} at {card.index} of order {card.order}"
        if card.order not in self._roots:
            self._fault(event, f"{name}: this order was never committed")
            return
        root, cards = self._roots[card.order]
        slot = Slot(self.shoe, card.order, card.index)
        if commitment.leaf_of(slot, card.card, card.salt) != card.leaf:
            self._fault(event, f"{name}: the leaf is another card's")
        elif not commitment.is_included(
            card.leaf, (card.index, cards), card.proof, root
        ):
            self._fault(event, f"{name}: the proof does not lead to the root")
        else:
            self.proved += 1
        self._keep(event, at, card.leaf)
        self._known[at] = card.card

    def _see_turned(
        self, event: s.BurnedCardShown | s.HoleRevealed, card: s.DealtCard
    ) -> None:
        at = (card.order, card.index)
        if at not in self._leaves:
            self._fault(event, f"card {card.index} never lay face down")
        self._prove(event, card)
        self._judge_look(event, at)

    def _see_look(self, event: s.HoleLooked) -> None:
        at = (event.order, event.index)
        self._looks[at] = (event.natural, self._up_card)
        if at not in self._leaves:
            self._fault(event, f"card {event.index} never lay face down")

    def _judge_look(self, event: Any, at: tuple[int, int]) -> None:
        """The dealer's look said what the hole card then was."""
        if at not in self._looks:
            return
        said, up_card = self._looks[at]
        ranks = {up_card[:1], self._known[at][0]}
        natural = "A" in ranks and not _TENS.isdisjoint(ranks)
        if natural != said:
            text = f"the look said {_natural(said)}, {up_card} {self._known[at]} lay"
            self._fault(event, text)
        del self._looks[at]

    def _retire(self, event: s.ShoeRetired) -> None:
        """Rebuild root and leaves from what is revealed, face-down cards included."""
        self.is_retired = True
        assert self._committed is not None
        cards = [event.order[at : at + 2] for at in range(0, len(event.order), 2)]
        if commitment.reserve_hash_of(event.reserve) != self._committed.reserve_hash:
            self._fault(event, "the reserve is not the promised one")
        self._rebuild(event, 0, cards)
        if 1 in self._roots and self._cut is not None:
            discards = [cards[index] for index in self._discards]
            again = commitment.reshuffled(
                self.shoe, event.reserve, self._cut.shares, discards
            )
            self._rebuild(event, 1, list(again))
        for at in list(self._looks):
            if at in self._known:
                self._judge_look(event, at)

    def _rebuild(self, event: s.ShoeRetired, order: int, cards: list[str]) -> None:
        slots = [Slot(self.shoe, order, index) for index in range(len(cards))]
        leaves = [
            commitment.leaf_of(slot, card, commitment.salt_of(event.secret, slot))
            for slot, card in zip(slots, cards, strict=True)
        ]
        if (
            not leaves
            or commitment.root_of(commitment.tree_of(leaves)) != (self._roots[order][0])
        ):
            self._fault(event, f"order {order} as revealed has another root")
            return
        for (of, index), leaf in self._leaves.items():
            if of == order and leaves[index] != leaf:
                self._fault(event, f"card {index} of order {order} was another one")
            elif of == order:
                self._known.setdefault((of, index), cards[index])


def _natural(said: bool) -> str:  # noqa: FBT001 - one fact, named by its function
    return "natural" if said else "no natural"
