"""What is owed to operators now, and how often it was tried."""

from typing import Any

import msgspec

from contracts.base import tag_of
from contracts.envelope import Envelope, Micros
from contracts.identities import operator_of
from contracts.wallet_calls import (
    CallAlarmed,
    CallEnded,
    CallFailed,
    CallHurried,
    CallOwed,
)

HEEDS = frozenset(
    tag_of(kind) for kind in (CallOwed, CallFailed, CallAlarmed, CallHurried, CallEnded)
)


class OpenCall(msgspec.Struct, frozen=True):
    """A call that has not ended. `reason` is what came of the last attempt.

    `waits_for` is the call before it in the player's queue: only the first is made.
    """

    call: str
    kind: str
    operator: str
    player: str
    currency: str
    amount_minor: int
    round_id: str
    owed_at: Micros
    attempts: int = 0
    reason: str = ""
    retry_at: Micros = 0
    alarmed_at: Micros = 0
    waits_for: str = ""


class OwedCalls:
    """Follows the queues of all wallets."""

    def __init__(self) -> None:
        self._queues: dict[str, dict[str, OpenCall]] = {}

    def see(self, envelope: Envelope, event: Any) -> None:
        queue = self._queues.setdefault(envelope.stream, {})
        match event:
            case CallOwed():
                # A rollback takes the place of a debit that is still owed.
                queue.pop(event.call.reference, None)
                queue[event.call.id] = _owed(envelope, event)
            case CallFailed():
                _change(
                    queue,
                    event.call,
                    attempts=event.attempt,
                    reason=event.reason,
                    retry_at=event.retry_at,
                )
            case CallAlarmed():
                _change(queue, event.call.id, alarmed_at=envelope.recorded_at)
            case CallHurried():
                _change(queue, event.call, retry_at=envelope.recorded_at)
            case CallEnded():
                queue.pop(event.call.id, None)

    def now(self, operator: str = "") -> list[OpenCall]:
        """Return what is owed: what a person was called for comes first."""
        found = [call for queue in self._queues.values() for call in _in_order(queue)]
        meant = [call for call in found if operator in ("", call.operator)]
        return sorted(meant, key=lambda x: (not x.alarmed_at, x.owed_at, x.call))


def _owed(envelope: Envelope, event: CallOwed) -> OpenCall:
    return OpenCall(
        call=event.call.id,
        kind=event.call.kind,
        operator=operator_of(event.player),
        player=event.player,
        currency=event.currency,
        amount_minor=event.call.amount_minor,
        round_id=event.round_id,
        owed_at=envelope.recorded_at,
    )


def _change(queue: dict[str, OpenCall], call: str, **changes: Any) -> None:
    if call in queue:
        queue[call] = msgspec.structs.replace(queue[call], **changes)


def _in_order(queue: dict[str, OpenCall]) -> list[OpenCall]:
    names = ["", *queue]
    return [
        msgspec.structs.replace(call, waits_for=before)
        for before, call in zip(names, queue.values(), strict=False)
    ]
