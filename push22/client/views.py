"""What a table looks like to whoever sits there, as the door shows it.

A door may know more members and words than this library: those are left out here, and
no word is refused. Amounts are minor units, times microseconds since 1970 in UTC.
"""

from typing import Any

import msgspec


class View(msgspec.Struct, frozen=True):
    """A part of a view."""


class Hand(View, frozen=True):
    """`total` is 0 where a card of the hand may not be seen; such a card is `""`."""

    label: str
    cards: tuple[str, ...]
    total: int
    soft: bool
    status: str
    switched: bool
    doubled_minor: int


class Box(View, frozen=True):
    """`pending`: a bet of this box still waits for its funds."""

    box: int
    seat: str
    pending: bool
    ready: bool
    wagers_minor: tuple[int, ...]
    side_wagers_minor: dict[str, int]
    hands: tuple[Hand, ...]
    insurance: dict[str, int]


class Dealer(View, frozen=True):
    """The dealer's hand in play; the card `""` lies face down."""

    cards: tuple[str, ...]
    total: int
    soft: bool


class Option(View, frozen=True):
    """An action and the amounts it may cost; 0 where it costs nothing."""

    action: str
    min_minor: int
    max_minor: int


class Offer(View, frozen=True):
    """What a box or hand may do now. Nobody waits for an offer that is not `due`."""

    target: str
    box: int
    due: bool
    options: tuple[Option, ...]

    @property
    def actions(self) -> frozenset[str]:
        return frozenset(option.action for option in self.options)


class Decision(View, frozen=True):
    """`due_at` is 0 while no clock runs."""

    number: int
    kind: str
    due_at: int
    offers: tuple[Offer, ...]


class Waiting(View, frozen=True):
    """A decision that waits for its funds."""

    target: str
    action: str
    amount_minor: int


class Line(View, frozen=True):
    """A settled or, with the result `void`, a refunded wager."""

    seat: str
    label: str
    kind: str
    stake_minor: int
    result: str
    payout_minor: int
    clauses: tuple[str, ...]


class Round(View, frozen=True):
    """`version` is what `expected_version` of an action is compared with."""

    round_id: str
    number: int
    version: int
    phase: str
    boxes: tuple[Box, ...]
    dealer: Dealer
    decision: Decision | None
    waiting: tuple[Waiting, ...]
    lines: tuple[Line, ...]
    burned_card: str
    status: str
    not_before: int = 0

    @property
    def is_closed(self) -> bool:
        return self.phase == "closed"

    def net_minor(self, seat: str) -> int:
        """Add up what a seat got and staked, as far as it is settled."""
        own = (line for line in self.lines if line.seat == seat)
        return sum(line.payout_minor - line.stake_minor for line in own)


class Limits(View, frozen=True):
    """Posted limits."""

    min_minor: int = 1000
    max_minor: int = 500000
    side_min_minor: int = 100


class Timings(View, frozen=True):
    """How long the table waits, milliseconds."""

    betting_ms: int = 20000
    seed_ms: int = 5000
    insurance_ms: int = 15000
    decision_ms: int = 30000
    funds_ms: int = 10000
    min_cycle_ms: int = 0


USUAL_TIMINGS = Timings()


class Shoe(View, frozen=True):
    """The shoe in use: what it was committed to, and how many cards have left it."""

    id: str
    root: bytes
    cards_out: int


class Table(View, frozen=True):
    """A table and its newest round; `status` is `open` or `closed`."""

    table: str
    status: str
    rule_set: str
    currency: str
    options: dict[str, Any]
    limits: Limits
    timings: Timings
    shoe: Shoe | None = None
    round: Round | None = None


class Happened(View, frozen=True):
    """What a delta follows from: the event's name, and what it was about."""

    what: str
    at: int
    by: str
    target: str = ""
    seat: str = ""
