"""Collects the events of one decision and keeps the state they lead to.

After the decision itself, `follow` adds what the new state owes at once: closed
betting, requests to the shoe, settlements, the next offer, the end.
"""

from typing import Any

from runtime.service import Context, Evolved
from services.table_orchestrator.evolve import evolve_round
from services.table_orchestrator.follow import next_event
from services.table_orchestrator.state import RoundState

_STEPS_MAX = 100
"""No input leads to more events than this; more would be an endless loop."""


class Steps:
    """Events so far and the state after them."""

    def __init__(self, state: RoundState, context: Context) -> None:
        self.state = state
        self.context = context
        self.events: list[Any] = []

    def add(self, event: Any) -> None:
        self.state = evolve_round(self.state, event)
        self.events.append(event)

    def follow(self) -> Evolved:
        """Add all that follows by itself and return every event."""
        while (event := next_event(self.state, self.context.now)) is not None:
            assert len(self.events) < _STEPS_MAX, "a round must come to rest"
            self.add(event)
        return Evolved.of(self.events, self.state)
