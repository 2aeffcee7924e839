"""What a wallet remembers: its balance, and what it has at stake in recent rounds.

The memory is bounded: of rounds in which nothing is in play any more only the last
few are kept, so that a repeat that slips through is still quiet.
"""

import msgspec

from contracts.desk import Proposed
from contracts.envelope import Micros
from contracts.wallet_calls import OperatorCall

ROUNDS_KEPT = 64
"""Rounds remembered, unless more than these have money in play."""

CASH_TRANSFERS_KEPT = 64
"""Deposits and withdrawals whose repeat is noticed here, below the answers (H4)."""

CORRECTIONS_KEPT = 64
"""Corrections whose repeat is noticed here, below the positions."""


class RoundFunds(msgspec.Struct, frozen=True, omit_defaults=True):
    """One round's money of this player.

    `held` are the reservations whose end the wallet has not seen; `ended` those that
    were refused, returned or settled; `tombstones` those cancelled before they came
    (H1). `parts` are the parts of the settlement that are booked. `debits` are the
    operator's transactions of the held ones, by reservation.
    """

    round_id: str
    in_play_minor: int = 0
    held: dict[str, int] = {}
    ended: tuple[str, ...] = ()
    tombstones: tuple[str, ...] = ()
    parts: tuple[int, ...] = ()
    debits: dict[str, str] = {}
    is_closed: bool = False
    """The operator is told that the round is over, or will be."""


class OwedCall(msgspec.Struct, frozen=True, omit_defaults=True):
    """A call that has not ended: how often it was tried, and when it is due again.

    `since`: about when the first attempt failed. `is_alarmed`: a person was called.
    """

    call: OperatorCall
    round_id: str = ""
    token: str = ""
    attempts: int = 0
    due_at: Micros = 0
    since: Micros = 0
    is_alarmed: bool = False
    order: Proposed | None = None


class OperatorSide(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the wallet of an operator's player knows of the operator, and owes him.

    Calls are made one after the other: only the first one is ever under way.
    """

    session: str = ""
    balance_minor: int = 0
    calls: tuple[OwedCall, ...] = ()
    ended: int = 0


class Wallet(msgspec.Struct, frozen=True, omit_defaults=True):
    """One player's account in one currency. `rounds`: the last touched comes last."""

    player: str
    currency: str
    balance_minor: int = 0
    rounds: tuple[RoundFunds, ...] = ()
    cash_transfers: tuple[str, ...] = ()
    corrections: tuple[str, ...] = ()
    operator: OperatorSide | None = None
    """Set where the operator keeps the money; the balance is then what we hold."""


def initial(stream: str) -> Wallet:
    player, _, currency = stream.removeprefix("wallet-").rpartition(".")
    return Wallet(player, currency)


def funds_of(state: Wallet, round_id: str) -> RoundFunds:
    found = (funds for funds in reversed(state.rounds) if funds.round_id == round_id)
    return next(found, RoundFunds(round_id))
