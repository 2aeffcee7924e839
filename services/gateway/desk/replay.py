"""A round as the viewer gets it: told once, stepped through by the page alone.

The round's sequence number is the version in its own stream (H15). Where a round may
not be seen whole yet, cards that lie face down and the shoe's records are left out.
"""

from typing import Any, Literal

import msgspec

from contracts.envelope import Micros
from services.gateway.told_rules import RulesTold
from services.gateway.views import LimitsView, OfferView

WATERMARK = "REPLAY, not live"

Who = Literal["player", "timeout", "system", "support"]


class Header(msgspec.Struct, frozen=True):
    """What the round was played with. `closed_at` is 0 while it is open.

    `positions` are those in the shoe's order that its cards had, burned ones too.
    `is_same_rules`: the rule set of that name is the same one now, by its digest.
    """

    round_id: str
    table: str
    number: int
    status: str
    currency: str
    opened_at: Micros
    closed_at: Micros
    rule_set: str
    rule_set_digest: str
    is_same_rules: bool
    options: dict[str, Any]
    limits: LimitsView
    engine: str
    running_engine: str
    shoe: str
    shoe_root: bytes
    is_shoe_retired: bool
    cards_out_before: int
    cards_out_after: int
    positions: tuple[int, ...]


class Seat(msgspec.Struct, frozen=True):
    """A player of the round: which seat of the views, and which boxes."""

    seat: str
    player: str
    boxes: tuple[int, ...]


class CardAt(msgspec.Struct, frozen=True):
    """A card and where it went; `index` is its position in the shoe's order."""

    place: str
    card: str
    index: int


class HandAt(msgspec.Struct, frozen=True):
    """A hand as the decider counted it after the record."""

    label: str
    total: int
    soft: bool


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One record of the round, of whichever service.

    `offered` is what could be chosen from when it was decided, or what it opened.
    `took_ms` is the time since its cause, for a player's decision since it was
    offered. `shown` has what changed in the view of each perspective, `decided` what
    changed in the decider's own.
    """

    sequence: int
    is_foreign: bool
    at: Micros
    offset_ms: int
    service: str
    log: str
    partition: int
    offset: int
    id: str
    type: str
    caused_by: str
    by: Who
    who: str
    words: str
    action: str
    target: str
    cards: tuple[CardAt, ...]
    hands: tuple[HandAt, ...]
    offered: tuple[OfferView, ...]
    transactions: tuple[str, ...]
    operator_transactions: tuple[str, ...]
    took_ms: int
    shown: dict[str, dict[str, Any]]
    decided: dict[str, Any]
    record: msgspec.Raw | None
    """As it was stored; none where it may not be shown yet."""


class Line(msgspec.Struct, frozen=True):
    """A settled wager. A refund of a void cites no clause."""

    sequence: int
    player: str
    label: str
    kind: str
    stake_minor: int
    result: str
    payout_minor: int
    net_minor: int
    clauses: tuple[str, ...]


class Movement(msgspec.Struct, frozen=True):
    """A transfer between accounts, and the balance after its record."""

    sequence: int
    id: str
    what: str
    debit: str
    credit: str
    amount_minor: int
    balance_minor: int


class Attempt(msgspec.Struct, frozen=True):
    """What came of calling the operator once, with the record that says so."""

    sequence: int
    at: Micros
    number: int
    outcome: str
    reason: str
    record: msgspec.Raw


class Call(msgspec.Struct, frozen=True):
    """A call to the operator that keeps the money. `id` is our transaction id."""

    sequence: int
    id: str
    kind: str
    amount_minor: int
    outcome: str
    operator_transaction: str
    operator_balance_minor: int
    attempts: tuple[Attempt, ...]


class Purse(msgspec.Struct, frozen=True):
    """One player's money in the round: before + net + other - owed is after.

    `net_minor` is what the round's own movements came to. `other_minor` is what else
    moved the balance between the first and the last of them: a deposit, another round.
    `is_operators`: the balances are those at the operator who keeps the money, null
    where he told none, and `owed_minor` is what of the net was not with him yet;
    movements are of our books all the same.
    """

    player: str
    before_minor: int | None
    net_minor: int
    other_minor: int
    owed_minor: int
    after_minor: int | None
    is_operators: bool
    movements: tuple[Movement, ...]
    calls: tuple[Call, ...]


class PutRight(msgspec.Struct, frozen=True):
    """A correction that was approved for the round: no part of what it won or lost.

    The balances are the player's around it, of one that was posted; null where an
    operator keeps the money.
    """

    sequence: int
    player: str
    amount_minor: int
    case: str
    proposal: int
    proposed_by: str
    approved_by: str
    outcome: Literal["posted", "refused", "awaited"]
    before_minor: int | None
    after_minor: int | None
    calls: tuple[Call, ...]


class Gap(msgspec.Struct, frozen=True):
    """Something that is not there, came twice, or came when nobody waited for it."""

    kind: Literal["missing", "repeated", "late"]
    sequence: int
    record: str
    text: str


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A round to step through.

    `perspectives` names those that `shown` has: `""` is the table's, `*` the record's,
    others are seats whose cards only they saw. One that is not there saw what the table
    saw. `is_whole` is false where something is left out.
    """

    watermark: str = WATERMARK
    is_whole: bool
    header: Header
    rules: RulesTold
    seats: tuple[Seat, ...]
    perspectives: tuple[str, ...]
    steps: tuple[Step, ...]
    lines: tuple[Line, ...]
    clauses: dict[str, str]
    purses: tuple[Purse, ...]
    put_right: tuple[PutRight, ...]
    gaps: tuple[Gap, ...]
    script: str
    """The round as a round script; empty where it can't be written as one."""
