"""What may be asked of the archive's index of rounds, and what it answers."""

from typing import Literal, get_args

import msgspec

from contracts.envelope import Micros

Status = Literal["open", "settled", "void", "abandoned"]
Outcome = Literal[
    "won",
    "lost",
    "even",
    "main_blackjack",
    "main_win",
    "main_push",
    "main_lose",
    "main_bust",
    "main_surrender",
    "main_even_money",
    "side_win",
    "side_lose",
    "insurance_win",
    "insurance_lose",
]
"""Of a player's seat: its net once the round is closed, or the result of a wager."""

LINE_OUTCOMES: tuple[str, ...] = get_args(Outcome)[3:]
"""Those that a line decides: its kind and its result."""

Place = tuple[Micros, str]
"""When a round was opened, and its id: the order of every list of rounds."""

OVERDUE_US = 60_000_000
"""So long after its last deadline an open round counts as interrupted."""


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """Which rounds are looked for; what is empty, 0 or `None` does not matter.

    Whatever is asked of a seat holds for one and the same seat of a round.
    `operator`: of one of its players. `transaction`: our id of a transfer or of a call
    to an operator. `before`: the place in the order, newest first, after which to go
    on. `now` is needed for `interrupted`: an open round may have missed its deadlines.
    """

    round_id: str = ""
    operator: str = ""
    player: str = ""
    table: str = ""
    status: str = ""
    shoe: str = ""
    rule_set: str = ""
    currency: str = ""
    transaction: str = ""
    operator_transaction: str = ""
    session: str = ""
    outcome: str = ""
    since: Micros = 0
    until: Micros = 0
    staked_min: int | None = None
    staked_max: int | None = None
    paid_min: int | None = None
    paid_max: int | None = None
    net_min: int | None = None
    net_max: int | None = None
    interrupted: bool = False
    retried: bool = False
    automatic: bool = False
    before: Place | None = None
    limit: int = 50
    now: Micros = 0


class SeatRow(msgspec.Struct, frozen=True):
    player: str
    staked_minor: int
    paid_minor: int
    net_minor: int


class RoundRow(msgspec.Struct, frozen=True):
    """A round of the index. Nets are there once it is closed."""

    round_id: str
    table: str
    rule_set: str
    currency: str
    shoe: str
    status: str
    opened_at: Micros
    closed_at: Micros
    is_interrupted: bool = False
    seats: tuple[SeatRow, ...] = ()


class Found(msgspec.Struct, frozen=True):
    """A page of rounds. With `place` as `before` the search goes on there.

    A page may be short, even empty, and still have a place: the work of one question
    is bounded, and all that was opened after that place has been looked at.
    """

    rows: tuple[RoundRow, ...] = ()
    place: Place | None = None
