"""What the door's routes answer, one type per body.

A door may know more members than this library: those are left out here. Amounts are
minor units, times microseconds since 1970 in UTC.
"""

from typing import Any

import msgspec

from push22.client.views import Happened, Limits, Round, Table


class Body(msgspec.Struct, frozen=True):
    """The body of an answer, or a part of it."""


class Accepted(Body, frozen=True):
    """A command was accepted: its id, its stream, and the version of its last event."""

    id: str
    stream: str
    version: int
    accepted: bool = True


class Launch(Body, frozen=True):
    """`url` is where the player's browser goes; the token is good for one session."""

    launch_token: str
    url: str
    expires_at: int


class Session(Body, frozen=True):
    """A player's session. `table` is the only one that it sees, or empty."""

    session_token: str
    expires_at: int
    player: str
    currency: str
    table: str


class Me(Body, frozen=True):
    player: str
    currency: str
    balance_minor: int
    table: str
    expires_at: int


class TableLine(Body, frozen=True):
    """A table in a list. `is_own`: opened by the operator who asks.

    `returns`: what its game returns in theory, in words; an older gateway tells none.
    """

    table: str
    status: str
    rule_set: str
    currency: str
    limits: Limits
    phase: str
    seats: int
    is_own: bool
    returns: tuple[str, ...] = ()


class Tables(Body, frozen=True):
    tables: tuple[TableLine, ...]


class TableState(Body, frozen=True):
    """A table as the socket's snapshot has it."""

    table: str
    feed: str
    seq: int
    view: Table


class Balance(Body, frozen=True):
    player: str
    currency: str
    balance_minor: int


class Seat(Body, frozen=True):
    player: str
    staked_minor: int
    paid_minor: int
    net_minor: int


class RoundLine(Body, frozen=True):
    """A round in a list. `seats` are only those that the asker may know."""

    round_id: str
    table: str
    rule_set: str
    currency: str
    shoe: str
    status: str
    is_interrupted: bool
    opened_at: int
    closed_at: int
    seats: tuple[Seat, ...]


class Rounds(Body, frozen=True):
    """All that was opened after `searched_to` has been looked at; `cursor` goes on."""

    rounds: tuple[RoundLine, ...]
    cursor: str
    searched_to: int = 0


class RoundTold(Body, frozen=True):
    """A round, and what happened in it. `seats` names only the asker's players."""

    rule_set: str
    rule_set_digest: str
    engine: str
    view: Round
    happened: tuple[Happened, ...]
    seats: dict[str, str]


class ReportRow(Body, frozen=True):
    """Closed rounds and what an operator's players staked and got."""

    group: str
    currency: str
    rounds: int
    void_rounds: int
    stakes_minor: int
    payouts_minor: int
    net_minor: int


class Report(Body, frozen=True):
    """`open_rounds` were opened before `until` and are in none of the rows."""

    operator: str
    title: str
    since: int
    until: int
    made_at: int
    by: str
    open_rounds: int
    fields: tuple[str, ...]
    rows: tuple[ReportRow, ...]
    note: str


class SideWager(Body, frozen=True):
    """A side wager, and what it pays for one."""

    name: str
    title: str
    pays: dict[str, int]
    min_minor: int
    max_minor: int


class Rules(Body, frozen=True):
    """A table's rules in words, and what a page has to know of them."""

    rule_set: str
    title: str
    decks: int
    boxes: int
    boxes_per_player: int
    hands_per_box: int
    wagers: int
    side: SideWager | None
    limits: Limits
    switched_natural: bool
    actions: tuple[str, ...]
    felt: tuple[str, ...]
    text: tuple[str, ...]
    returns: tuple[str, ...] = ()


class Record(Body, frozen=True):
    """One record of a round as support reads it."""

    id: str
    type: str
    service: str
    at: int
    by: str
    who: str
    caused_by: str
    data: dict[str, Any]


class RoundRecords(Body, frozen=True):
    round_id: str
    records: tuple[Record, ...]


class OperatorLine(Body, frozen=True):
    """An operator that is configured; `keys` are the ids of its keys."""

    operator: str
    currencies: tuple[str, ...]
    keys: tuple[str, ...]


class Operators(Body, frozen=True):
    operators: tuple[OperatorLine, ...]
