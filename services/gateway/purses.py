"""What is a player's own: the balance, the seats, and what the wallet refused."""

from collections.abc import Callable
from typing import Any

import msgspec

from contracts import round_events as e
from contracts.balances import Balance, balance_after

_REFUSALS_KEPT = 8

_ENCODE = msgspec.json.Encoder().encode


Own = e.WagersPlaced | e.WagersRefused | e.FundsDeclined
"""Events of a round that are about one player's purse."""


class Refusal(msgspec.Struct, frozen=True):
    """A bet or stake that the wallet did not bear, and why."""

    round_id: str
    target: str
    reason: str


class You(msgspec.Struct, frozen=True, tag_field="kind", tag="you"):
    """All of it, each time something in it changes."""

    player: str
    currency: str
    balance_minor: int
    seats: dict[str, str]
    refusals: tuple[Refusal, ...]


class Purse:
    """One player's own, as long as the player is here."""

    def __init__(self, player: str, currency: str, balance: Balance) -> None:
        self.player = player
        self.currency = currency
        self.balance = balance
        self.seats: dict[str, str] = {}
        self._refusals: tuple[Refusal, ...] = ()

    def hear_wallet(self, event: Any) -> None:
        self.balance = balance_after(self.balance, event)

    def hear_round(self, event: Own, seat: str) -> None:
        """Take in an event of a round that is about this player."""
        match event:
            case e.WagersPlaced():
                self.seats[event.round_id] = seat
            case e.WagersRefused():
                self._refuse(event.round_id, str(event.box), event.reason)
            case e.FundsDeclined():
                self._refuse(event.round_id, event.target, event.reason)

    def _refuse(self, round_id: str, target: str, reason: str) -> None:
        refusal = Refusal(round_id, target, reason)
        self._refusals = (*self._refusals, refusal)[-_REFUSALS_KEPT:]

    def leave(self, round_id: str) -> None:
        self.seats.pop(round_id, None)

    def message(self) -> bytes:
        name = self.player.partition(".")[2]
        you = You(
            name, self.currency, self.balance.minor, dict(self.seats), self._refusals
        )
        return _ENCODE(you)


Told = Callable[[bytes], None]
