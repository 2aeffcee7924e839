"""What goes over the wire: one type per body, from which OpenAPI is made."""

from typing import Annotated, Literal

import msgspec

from contracts.envelope import Micros
from contracts.round_search import SeatRow
from contracts.table import TableLimits, Timings
from contracts.table_events import Options
from services.gateway.ports import CallRow, ReportRow
from services.gateway.story import Told
from services.gateway.views import Happened, LimitsView, RoundView, TableView

PlayerName = Annotated[
    str,
    msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_]{0,63}$", examples=["alice"]),
]
Currency = Annotated[str, msgspec.Meta(pattern=r"^[A-Z]{3}$", examples=["EUR"])]
TableName = Annotated[
    str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9_]{0,31}$", examples=["t1"])
]
Money = Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1, examples=[1000])]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request's body: a misspelt member is never silently ignored."""


class LaunchAsked(Asked, frozen=True):
    """`table`: the only one that the session will see.

    `wallet_token`: for an operator who keeps his players' money: what his own wallet
    exchanges for a session (docs/operator-wallet.md).
    """

    player: PlayerName
    currency: Currency
    table: Annotated[str, msgspec.Meta(pattern=r"^([a-z0-9][a-z0-9_]{0,31})?$")] = ""
    wallet_token: Annotated[str, msgspec.Meta(max_length=512)] = ""


class TableAsked(Asked, frozen=True):
    """A table to be opened, with house options of its rule set.

    Without `limits` it posts those of its rule set.
    """

    table: TableName
    rule_set: Annotated[str, msgspec.Meta(max_length=64, examples=["ny-switch-6d"])]
    currency: Currency
    options: Options = {}
    limits: TableLimits | None = None
    timings: Timings = Timings()


class LimitsAsked(Asked, frozen=True):
    min_minor: Money
    max_minor: Money
    side_min_minor: Money


class ReasonGiven(Asked, frozen=True):
    reason: Text


class MoneyMoved(Asked, frozen=True):
    """`reference`: the operator's own name for it."""

    currency: Currency
    amount_minor: Money
    reference: Annotated[str, msgspec.Meta(max_length=128)] = ""


class LaunchTraded(Asked, frozen=True):
    launch_token: Annotated[str, msgspec.Meta(max_length=2048)]


class Session(msgspec.Struct, frozen=True):
    session_token: str
    expires_at: Micros
    player: str
    currency: str
    table: str


class Me(msgspec.Struct, frozen=True):
    player: str
    currency: str
    balance_minor: int
    table: str
    expires_at: Micros


class TableLine(msgspec.Struct, frozen=True):
    """A table in the lobby. `seats`: how many players have a bet there."""

    table: str
    status: Literal["open", "closed"]
    rule_set: str
    currency: str
    limits: LimitsView
    phase: str
    seats: int
    returns: tuple[str, ...]
    """What its game returns in theory, as its rules tell it (GLI-19 4.7)."""
    is_own: bool = False
    """Told to operators: opened by them."""


class Tables(msgspec.Struct, frozen=True):
    tables: list[TableLine]


class TableState(msgspec.Struct, frozen=True):
    """A table as the socket's snapshot has it."""

    table: str
    feed: str
    seq: int
    view: TableView


class Balance(msgspec.Struct, frozen=True):
    player: str
    currency: str
    balance_minor: int


class RoundLine(msgspec.Struct, frozen=True):
    """A round in a list. `seats` are only those that the asker may know."""

    round_id: str
    table: str
    rule_set: str
    currency: str
    shoe: str
    status: str
    is_interrupted: bool
    opened_at: Micros
    closed_at: Micros
    seats: list[SeatRow]


class Rounds(msgspec.Struct, frozen=True):
    """Newest first; with `cursor` as a parameter the list goes on.

    A page may be short or empty and still have a cursor: one request's work is
    bounded, and all that was opened after `searched_to` has been looked at.
    """

    rounds: list[RoundLine]
    cursor: str = ""
    searched_to: Micros = 0


class RoundTold(msgspec.Struct, frozen=True):
    """A round, and what happened in it. `seats` names only the asker's players."""

    rule_set: str
    rule_set_digest: str
    engine: str
    view: RoundView
    happened: tuple[Happened, ...]
    seats: dict[str, str]


class RoundRecords(msgspec.Struct, frozen=True):
    """A round's records in the order of commits."""

    round_id: str
    records: list[Told]


class Report(msgspec.Struct, frozen=True):
    """A report with its header (GLI-19 2.9.1)."""

    operator: str
    title: str
    since: Micros
    until: Micros
    made_at: Micros
    by: str
    open_rounds: int
    """Opened before `until` and in play when it was made: in none of the rows."""
    fields: list[str]
    rows: list[ReportRow]
    note: str
    """Says so where there was no activity."""


class OperatorLine(msgspec.Struct, frozen=True):
    operator: str
    currencies: list[str]
    keys: list[str]


class Operators(msgspec.Struct, frozen=True):
    operators: list[OperatorLine]


class Calls(msgspec.Struct, frozen=True):
    calls: list[CallRow]


class WalletNamed(Asked, frozen=True):
    """Whose wallet owes the call: `<operator>.<player>`."""

    player: Annotated[
        str,
        msgspec.Meta(
            pattern=r"^[a-z0-9][a-z0-9_]{0,31}\.[A-Za-z0-9][A-Za-z0-9_]{0,63}$",
            examples=["acme.alice"],
        ),
    ]
    currency: Currency


class Health(msgspec.Struct, frozen=True):
    status: Literal["ok", "unavailable"]
