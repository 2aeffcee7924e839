"""What a table looks like to whoever may see it: plain values, ready to be sent.

Players are seats: no name, balance or operator of anybody is in here.
"""

from typing import Literal

import msgspec

from contracts.base import Value
from contracts.envelope import Micros

Phase = Literal[
    "betting", "seeds", "dealing", "insurance", "turn", "dealer", "settling", "closed"
]
HandStatus = Literal["playing", "stood", "bust", "surrendered", "even_money"]


class Shown(msgspec.Struct, frozen=True, gc=False):
    """A part of a view: every member is sent, so that clients need no defaults."""


class HandView(Shown, frozen=True):
    """`total` is 0 where a card of the hand may not be seen."""

    label: str
    cards: tuple[str, ...]
    total: int = 0
    soft: bool = False
    status: HandStatus = "playing"
    switched: bool = False
    doubled_minor: int = 0


class BoxView(Shown, frozen=True):
    """`pending`: a bet of this box still waits for its funds.

    `insurance` has what each answer to the offer staked, 0 where it was declined.
    """

    box: int
    seat: str
    pending: bool
    ready: bool
    wagers_minor: tuple[int, ...]
    side_wagers_minor: dict[str, int]
    hands: tuple[HandView, ...] = ()
    insurance: dict[str, int] = {}


class DealerView(Shown, frozen=True):
    """The dealer's hand in play; the card `""` lies face down."""

    cards: tuple[str, ...] = ()
    total: int = 0
    soft: bool = False


class OptionView(Shown, frozen=True):
    """An action and the amounts it may cost; 0 where it costs nothing."""

    action: str
    min_minor: int
    max_minor: int


class OfferView(Shown, frozen=True):
    """What a box or hand may do now. Nobody waits for an offer that is not `due`."""

    target: str
    box: int
    due: bool
    options: tuple[OptionView, ...]


class DecisionView(Shown, frozen=True):
    """`due_at` is 0 while no clock runs."""

    number: int
    kind: str
    due_at: Micros
    offers: tuple[OfferView, ...]


class WaitingView(Shown, frozen=True):
    """A decision that waits for its funds."""

    target: str
    action: str
    amount_minor: int


class LineView(Shown, frozen=True):
    """A settled or, with the result `void`, a refunded wager."""

    seat: str
    label: str
    kind: str
    stake_minor: int
    result: str
    payout_minor: int
    clauses: tuple[str, ...] = ()


class RoundView(Shown, frozen=True):
    """`version` is what `expected_version` of an action is compared with.

    `not_before`: no card comes before this time; 0 where the table has no such rule.
    """

    round_id: str
    number: int
    version: int = 0
    phase: Phase = "betting"
    boxes: tuple[BoxView, ...] = ()
    dealer: DealerView = DealerView()
    decision: DecisionView | None = None
    waiting: tuple[WaitingView, ...] = ()
    lines: tuple[LineView, ...] = ()
    burned_card: str = ""
    status: str = "open"
    not_before: Micros = 0


class LimitsView(Shown, frozen=True):
    """Posted limits, minor units."""

    min_minor: int
    max_minor: int
    side_min_minor: int


class TimingsView(Shown, frozen=True):
    """How long the table waits, milliseconds."""

    betting_ms: int
    seed_ms: int
    insurance_ms: int
    decision_ms: int
    funds_ms: int
    min_cycle_ms: int


class ShoeView(Shown, frozen=True):
    """The shoe in use: what it was committed to, and how many cards have left it."""

    id: str
    root: bytes
    cards_out: int = 0


class TableView(Shown, frozen=True):
    """A table and its newest round."""

    table: str
    status: Literal["open", "closed"]
    rule_set: str
    currency: str
    options: dict[str, str | bool | int | float | list[str]]
    limits: LimitsView
    timings: TimingsView
    shoe: ShoeView | None = None
    round: RoundView | None = None


class Happened(Value, frozen=True):
    """What a delta follows from: the event's name, and what it was about."""

    what: str
    at: Micros
    by: str
    target: str = ""
    seat: str = ""
