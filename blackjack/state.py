"""The values of a round: hands, boxes, the round itself, and what it asks for.

All frozen: a move makes new values. Stakes are per circle; a game without circles has
one. `machine.py` is the way in; these types say what there is to see.
"""

from typing import Literal

import msgspec

from blackjack.cards import Card
from blackjack.house_rules import RuleSet

HandStatus = Literal["playing", "stood", "bust", "surrendered", "even_money", "paid"]
Stage = Literal["deal", "insurance", "look", "play", "hole", "dealer", "over"]


class Hand(msgspec.Struct, frozen=True, gc=False):
    """A hand. `hard` counts aces as 1; `original` stands on its original wager.

    `natural` is true while the two cards lie so that they count as one (C-5).
    """

    label: str
    cards: tuple[Card, ...]
    hard: int
    ace: bool
    wagers: tuple[int, ...]
    added: tuple[int, ...]
    status: HandStatus = "playing"
    natural: bool = False
    split: bool = False
    original: bool = True
    doubled: bool = False

    @property
    def total(self) -> int:
        hard = self.hard
        return hard + 10 if self.ace and hard <= 11 else hard


class Box(msgspec.Struct, frozen=True, gc=False):
    """A box with its hands in label order.

    `window`: the switch is still to be had. `used`: the one switch was made.
    `exchanged`: the second cards lie crossed. `fixed`: a card was dealt or a hand
    surrendered, so that nothing is returned any more (NY-22).
    """

    number: int
    hands: tuple[Hand, ...]
    sides: tuple[tuple[str, int], ...] = ()
    window: bool = False
    used: bool = False
    exchanged: bool = False
    fixed: bool = False


class Insurance(msgspec.Struct, frozen=True, gc=False):
    """A hand's (box's) answer to the offer; nothing staked where it declined."""

    target: str
    box: int
    most_minor: int
    answered: bool = False
    stake_minor: int = 0
    settled: bool = False


class Due(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A decided wager, complete in itself: settlement needs nothing else.

    `state` says how the hand ended; `added_minor` is what is not original wager
    (section A, Words). `dealer` are the dealer's cards of the deciding dealer round.
    `by_look`: the natural was found before anybody played.
    """

    label: str
    box: int
    kind: Literal["main", "side", "insurance"]
    stake_minor: int
    wagered_minor: int = 0
    added_minor: int = 0
    cards: tuple[Card, ...] = ()
    state: str = "stood"
    natural: bool = False
    side: str = ""
    circle: int = 0
    dealer: tuple[Card, ...] = ()
    dealer_natural: bool = False
    by_look: bool = False


class Stake(msgspec.Struct, frozen=True, gc=False):
    """An accepted stake under the label of its result."""

    label: str
    box: int
    stake_minor: int


class Round(msgspec.Struct, frozen=True, gc=False):
    """The whole round. `wanted` are the places that wait for a card, in order.

    `dealer` lists all dealer cards in the order received and turned; `dealer_hand`
    those of the dealer round in play. `due` is the hand or box that is waited for.
    `first_circle` is the first circle still in play (MA-9).
    """

    rules: RuleSet
    boxes: tuple[Box, ...]
    stage: Stage
    wanted: tuple[str, ...] = ()
    due: str = ""
    up: Card = ""
    dealer: tuple[Card, ...] = ()
    dealer_hand: tuple[Card, ...] = ()
    hole_down: bool = False
    insurances: tuple[Insurance, ...] = ()
    dues: tuple[Due, ...] = ()
    natural_by_look: bool = False
    dealer_round: int = 0
    first_circle: int = 0
    split_away: tuple[Stake, ...] = ()
    cards_used: int = 0


class NeedCards(msgspec.Struct, frozen=True, gc=False):
    """Cards for these places, in this order: a hand's label, `dealer` or `hole`."""

    places: tuple[str, ...]


class NeedDecisions(msgspec.Struct, frozen=True, gc=False):
    """Somebody has to decide: see `machine.offers`."""


class NeedLook(msgspec.Struct, frozen=True, gc=False):
    """Whether the hole card makes a natural (C-26)."""


class NeedHole(msgspec.Struct, frozen=True, gc=False):
    """The hole card is turned over."""


class NeedNothing(msgspec.Struct, frozen=True, gc=False):
    """The round is over."""


Need = NeedCards | NeedDecisions | NeedLook | NeedHole | NeedNothing


class Option(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """An action and the amounts it may cost, minor units; 0 where it costs nothing."""

    action: str
    min_minor: int = 0
    max_minor: int = 0


class Offer(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What a box or hand may do now. Nobody waits for an offer that is not `due`."""

    target: str
    box: int
    options: tuple[Option, ...]
    due: bool = False
