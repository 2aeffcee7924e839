"""Settlement's events: each wager's result, payout and the clauses that decided it."""

from blackjack.settlement import Line
from contracts.base import Event, Value
from contracts.desk import Proposed


class PlayerLine(Value, frozen=True):
    """A settled wager and whose it was."""

    player: str
    line: Line


class WagersSettled(Event, frozen=True, tag="settlement.wagers_settled.v1"):
    """One part of a round is decided; `final` says that nothing is left to decide."""

    round_id: str
    part: int
    currency: str
    lines: tuple[PlayerLine, ...]
    final: bool = False


class Refund(Value, frozen=True):
    """A stake that a void gives back.

    `lost_minor` is the part of it that was settled as lost before and comes back
    from the house; the rest is still in play.
    """

    player: str
    label: str
    stake_minor: int
    lost_minor: int = 0


class RoundVoidSettled(Event, frozen=True, tag="settlement.round_void_settled.v1"):
    """A void's one answer: every stake not yet won goes back (H2)."""

    round_id: str
    part: int
    currency: str
    refunds: tuple[Refund, ...]
    order: Proposed | None = None


class VoidRefused(Event, frozen=True, tag="settlement.void_refused.v1"):
    """The round was settled before the void came: only corrections exist now (H2)."""

    round_id: str
    part: int
    reason: str
    order: Proposed | None = None
