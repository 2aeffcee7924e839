"""Events of a table: its rules, its shoe, and the rounds it calls."""

from contracts.base import Event, Value
from contracts.envelope import Micros
from contracts.table import TableLimits, Timings

Options = dict[str, str | bool | int | float | list[str]]


class Entry(Value, frozen=True):
    """Who may bet on a round (NY-4, MA-4, LV-5, LV-6), fixed when it is called.

    `admitted`: only these players (`None`: everyone), and none who is `barred`.
    `unrestricted`: everyone else is held to the minimum (`None`: nobody is), and so
    is whoever is `minimum_only`. `minimums_minor`: players who keep an earlier posted
    minimum. `maximums_minor`: players with a maximum of their own (LV-8).
    """

    admitted: tuple[str, ...] | None = None
    unrestricted: tuple[str, ...] | None = None
    minimums_minor: dict[str, int] = {}
    maximums_minor: dict[str, int] = {}
    barred: tuple[str, ...] = ()
    minimum_only: tuple[str, ...] = ()


class RoundTerms(Value, frozen=True):
    """Everything a round needs to know of its table (H7)."""

    table: str
    number: int
    rule_set: str
    options: Options
    rule_set_digest: str
    engine: str
    currency: str
    limits: TableLimits
    timings: Timings
    shoe: str
    shoe_root: bytes
    shoe_reserve_hash: bytes
    first_of_shoe: bool
    burn: int
    """Cards burned before the deal: one per new shoe, one per new dealer (NY-5)."""
    entry: Entry = Entry()
    not_before: Micros = 0
    """No card before this time: the minimum cycle since the last round's start."""


class TableOpened(Event, frozen=True, tag="table.table_opened.v1"):
    table: str
    rule_set: str
    options: Options
    rule_set_digest: str
    engine: str
    currency: str
    limits: TableLimits
    timings: Timings


class TableClosed(Event, frozen=True, tag="table.table_closed.v1"):
    table: str
    reason: str
    round_id: str = ""
    """The round that was open then, where there was one."""


class LimitsChanged(Event, frozen=True, tag="table.limits_changed.v1"):
    table: str
    before: TableLimits
    after: TableLimits
    round_id: str = ""


class DealerChanged(Event, frozen=True, tag="table.dealer_changed.v1"):
    table: str
    dealer: str
    round_id: str = ""


class PlayerMaximumSet(Event, frozen=True, tag="table.player_maximum_set.v1"):
    """The house recorded another maximum for a player (LV-8); 0: the table's again."""

    table: str
    player: str
    max_minor: int
    round_id: str = ""


class SeatReserved(Event, frozen=True, tag="table.seat_reserved.v1"):
    """The player may leave for a while: rounds that pass do not count (MA-5)."""

    table: str
    player: str


class ShoeRequested(Event, frozen=True, tag="table.shoe_requested.v1"):
    """A freshly shuffled shoe is due. `cut_card_at`: see C-16; 0 means none."""

    table: str
    shoe: str
    decks: int
    cut_card_at: int


class ShoeInstalled(Event, frozen=True, tag="table.shoe_installed.v1"):
    table: str
    shoe: str
    root: bytes
    reserve_hash: bytes


class RoundCalled(Event, frozen=True, tag="table.round_called.v1"):
    round_id: str
    terms: RoundTerms


class RoundRecorded(Event, frozen=True, tag="table.round_recorded.v1"):
    """What a finished round means for the table's next ones."""

    table: str
    round_id: str
    players: tuple[str, ...]
    starting_hands: int
    dealt: bool
    """False where no card left the shoe: the round does not count."""
    all_passed: bool = False
    """Whoever might have bet let the round pass: a new shoe is due (NY-4, LV-5)."""
    started_at: Micros = 0
    """See `CardsRequested`."""


class ShoeDiscarded(Event, frozen=True, tag="table.shoe_discarded.v1"):
    """The shoe is used up; its secrets may be revealed."""

    table: str
    shoe: str


class CommandRefused(Event, frozen=True, tag="table.command_refused.v1"):
    """A player's or platform's command was refused, and why (H4)."""

    command_id: str
    command: str
    reason: str
    target: str = ""
    round_id: str = ""
