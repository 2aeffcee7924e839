"""Playing by hand: shows what is offered and asks for a choice."""

import asyncio
import sys

import msgspec
from rich.console import Console

from blackjack import machine
from contracts import round_events as e
from contracts import table as t
from contracts.envelope import Actor
from contracts.sight import seen_by
from push22.bot import command_for, next_move
from push22.client import player_actor
from push22.errors import Failure
from push22.session import Session
from services.table_orchestrator.state import Betting, Playing

_KEYS = {
    "h": "hit",
    "s": "stand",
    "d": "double",
    "p": "split",
    "r": "surrender",
    "w": "switch",
    "b": "switch_back",
    "k": "keep",
    "i": "insure",
    "n": "decline",
    "e": "even_money",
}
_KEY_OF = {action: key for key, action in _KEYS.items()}


class HandPlayer:
    """Asks the person at the terminal for every decision."""

    def __init__(self, session: Session, console: Console) -> None:
        self.session = session
        self.console = console
        self.offers: tuple[machine.Offer, ...] = ()
        session.casino.host.subscribe(self._hear)

    def _hear(self, delivery: object) -> None:
        """Hear what this player may see and no more (LV-13)."""
        event = seen_by(getattr(delivery, "event", None), self.session.table.player)
        if isinstance(event, e.DecisionOpened):
            self.offers = event.offers
        if isinstance(event, e.FundsDeclined):
            self.console.print(f"  {event.action} refused: {event.reason}")

    async def move(self, round_id: str) -> tuple[msgspec.Struct, Actor] | None:
        """Bet as agreed, then ask for each decision."""
        state = self.session.client.rounds.state(round_id)
        table = self.session.table
        if isinstance(state, Betting):
            return next_move(self.session.client, round_id, table.player, table.wagers)
        if not isinstance(state, Playing) or not state.offered:
            return None
        command = await self._ask(state)
        return command, player_actor(table.player)

    async def _ask(self, state: Playing) -> t.HandCommand:
        self._show(state)
        choices = self._choices()
        names = "  ".join(f"{key} {name}" for key, (_, name) in choices.items())
        while True:
            prompt = f"  {names}: "
            text = await self._line(prompt)
            found = choices.get(text.strip().lower())
            if found is not None:
                return command_for(state.round_id, found[0], (found[1], None))
            self.console.print("  one of the letters, please")

    async def _line(self, prompt: str) -> str:
        """Wait for a line without a thread, which no signal could end."""
        self.console.print(prompt, end="", highlight=False, markup=False)
        loop, ready = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(sys.stdin.fileno(), ready.set)
        try:
            await ready.wait()
        finally:
            loop.remove_reader(sys.stdin.fileno())
        line = sys.stdin.readline()
        if not line:
            raise Failure("play", "the input ended")
        return line

    def _choices(self) -> dict[str, tuple[str, str]]:
        """Return the first offer of each action, what is due before the rest."""
        found: dict[str, tuple[str, str]] = {}
        for offer in self.offers:
            for option in offer.options:
                key = _KEY_OF[option.action]
                found.setdefault(key, (offer.target, option.action))
        return found

    def _show(self, state: Playing) -> None:
        dealer = " ".join(state.game.dealer)
        self.console.print(f"dealer {dealer}", highlight=False)
        due = {offer.target for offer in self.offers if offer.due}
        for hand in machine.hands(state.game):
            mark = ">" if hand.label in due or str(hand.label[0]) in due else " "
            cards = " ".join(hand.cards)
            self.console.print(
                f" {mark} {hand.label:8} {cards}  ({hand.total})", highlight=False
            )
