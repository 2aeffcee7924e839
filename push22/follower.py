"""Follows a casino in this process: sends commands and hears what became of them.

Used by the bot, the interactive player, round scripts and the benchmark. It sees what
the logs show, and nothing else.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from contracts import identities
from contracts import round_events as e
from contracts.balances import Balance, balance_after
from contracts.base import is_refusal
from contracts.envelope import Actor, Answer
from push22.casino import CasinoDoor
from runtime.bus_memory import Delivery
from services.table_orchestrator.evolve import evolve_round, initial_round
from services.table_orchestrator.state import RoundState

PLATFORM = Actor("platform", "push22")


class Rounds:
    """The open rounds, folded from their events, with the version last seen."""

    def __init__(self) -> None:
        self._states: dict[str, tuple[RoundState, int]] = {}

    def apply(self, delivery: Delivery) -> None:
        stream = delivery.envelope.stream
        if stream not in self._states and is_refusal(delivery.envelope.type):
            # A command that came after the end opens nothing again.
            return
        state, _ = self._states.get(stream, (initial_round(stream), 0))
        changed = evolve_round(state, delivery.event)
        self._states[stream] = (changed, delivery.envelope.version)

    def forget(self, round_id: str) -> None:
        self._states.pop(round_id, None)

    def state(self, round_id: str) -> RoundState:
        return self._states[round_id][0]

    def version(self, round_id: str) -> int:
        return self._states[round_id][1]

    def open_rounds(self) -> tuple[str, ...]:
        return tuple(self._states)


class Follower:
    """Follows rounds and balances; `on_round` hears each event of a round."""

    def __init__(self, casino: CasinoDoor, *keys: str) -> None:
        """Hear of all that happens, or of what has these routing keys (H8)."""
        self.casino = casino
        self.rounds = Rounds()
        self.balances: dict[str, Balance] = {}
        self.on_round: Callable[[str, Any], None] = _nobody
        casino.host.subscribe(self._hear, *keys)

    def _hear(self, delivery: Delivery) -> None:
        stream = delivery.envelope.stream
        category = identities.category_of(stream)
        if category == "wallet":
            self._hear_wallet(stream, delivery.event)
        if category != "round":
            return
        self.rounds.apply(delivery)
        self.on_round(stream, delivery.event)
        if isinstance(delivery.event, e.RoundClosed):
            self.rounds.forget(stream)

    def _hear_wallet(self, stream: str, event: Any) -> None:
        before = self.balances.get(stream, Balance())
        self.balances[stream] = balance_after(before, event)

    def balance_minor(self, player: str, currency: str) -> int:
        stream = identities.wallet_stream(player, currency)
        return self.balances.get(stream, Balance()).minor

    async def send(
        self, command: msgspec.Struct, actor: Actor, command_id: str = ""
    ) -> Answer:
        """Send a command and wait for its recorded answer."""
        return await self.casino.host.submit(self.envelope(command, actor, command_id))

    def envelope(
        self, command: msgspec.Struct, actor: Actor, command_id: str = ""
    ) -> bytes:
        """Return the bytes of a command; without an id, a fresh one is made."""
        return self.casino.envelope(command, actor, command_id)


def _nobody(stream: str, event: Any) -> None:
    del stream, event


def player_actor(player: str) -> Actor:
    return Actor("player", player)
