"""What a wallet remembers: its balance, and what it has at stake in recent rounds.

The memory is bounded: of rounds in which nothing is in play any more only the last
few are kept, so that a repeat that slips through is still quiet.
"""

import msgspec

ROUNDS_KEPT = 64
"""Rounds remembered, unless more than these have money in play."""

CASH_TRANSFERS_KEPT = 64
"""Deposits and withdrawals whose repeat is noticed here, below the answers (H4)."""


class RoundFunds(msgspec.Struct, frozen=True, omit_defaults=True):
    """One round's money of this player.

    `held` are the reservations whose end the wallet has not seen; `ended` those that
    were refused, returned or settled; `tombstones` those cancelled before they came
    (H1). `parts` are the parts of the settlement that are booked.
    """

    round_id: str
    in_play_minor: int = 0
    held: dict[str, int] = {}
    ended: tuple[str, ...] = ()
    tombstones: tuple[str, ...] = ()
    parts: tuple[int, ...] = ()


class Wallet(msgspec.Struct, frozen=True, omit_defaults=True):
    """One player's account in one currency. `rounds`: the last touched comes last."""

    player: str
    currency: str
    balance_minor: int = 0
    rounds: tuple[RoundFunds, ...] = ()
    cash_transfers: tuple[str, ...] = ()


def initial(stream: str) -> Wallet:
    player, _, currency = stream.removeprefix("wallet-").rpartition(".")
    return Wallet(player, currency)


def funds_of(state: Wallet, round_id: str) -> RoundFunds:
    found = (funds for funds in reversed(state.rounds) if funds.round_id == round_id)
    return next(found, RoundFunds(round_id))
