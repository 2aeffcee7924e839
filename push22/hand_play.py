"""Playing by hand: shows what is offered and asks for a choice."""

import asyncio
import sys
from contextlib import suppress

import msgspec
from rich.console import Console

from blackjack import machine
from contracts import round_events as e
from contracts import table as t
from contracts.envelope import Actor
from push22.bot import command_for, next_move
from push22.errors import Failure
from push22.follower import player_actor
from push22.session import Session
from runtime.bus_memory import Delivery
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


_TICK_S = 0.5
"""How often the casino's clocks are looked at while a prompt stands."""

_PAST = {"stand": "stood", "keep": "kept"}
"""What is decided for whoever lets the time pass."""


class HandPlayer:
    """Asks the person at the terminal for every decision."""

    def __init__(self, session: Session, console: Console) -> None:
        self.session = session
        self.console = console
        session.casino.host.subscribe(self._hear)

    def _hear(self, delivery: Delivery) -> None:
        """Say what became of this player's decisions without a choice of theirs."""
        event = delivery.event
        is_own = getattr(event, "player", "") == self.session.table.player
        if isinstance(event, e.FundsDeclined) and is_own:
            self._say(f"  {event.action} refused: {event.reason}")
        if delivery.envelope.actor.kind != "timeout":
            return
        if isinstance(event, e.Decision) and is_own:
            past = _PAST[e.ACTION_OF[type(event)]]
            self._say(f"\n  {event.target} was {past} for you: the time was up")
        if isinstance(event, e.InsuranceClosed):
            self._say("\n  insurance was closed: the time was up")

    def _say(self, text: str) -> None:
        self.console.print(text, highlight=False)

    async def move(self, round_id: str) -> tuple[msgspec.Struct, Actor] | None:
        """Bet as agreed, then ask for each decision."""
        state = self.session.follower.rounds.state(round_id)
        table = self.session.table
        if isinstance(state, Betting):
            return next_move(
                self.session.follower, round_id, table.player, table.wagers
            )
        if not isinstance(state, Playing) or not state.offered:
            return None
        if state.pending or state.voiding:
            return None
        command = await self._ask(state)
        return None if command is None else (command, player_actor(table.player))

    async def _ask(self, state: Playing) -> t.HandCommand | None:
        """Ask until a letter fits, or until the question is no longer the round's."""
        offers = own_offers(state, self.session.table.player)
        self._show(state, offers)
        choices = _choices(offers)
        names = "  ".join(f"{key} {name}" for key, (_, name) in choices.items())
        while True:
            self.console.print(f"  {names}: ", end="", highlight=False, markup=False)
            text = await self._line(state)
            if text is None:
                return None
            found = choices.get(text.strip().lower())
            if found is not None:
                return command_for(state.round_id, found[0], (found[1], None))
            self.console.print("  one of the letters, please")

    def _stands(self, asked: Playing) -> bool:
        """Tell whether the round is still where it was when it was shown."""
        rounds = self.session.follower.rounds
        if asked.round_id not in rounds.open_rounds():
            return False
        now = rounds.state(asked.round_id)
        return isinstance(now, Playing) and now.game == asked.game

    async def _line(self, asked: Playing) -> str | None:
        """Wait for a line, or until there is nothing to ask for any more.

        Without a thread, which no signal could end; and time goes on meanwhile.
        """
        loop, ready = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(sys.stdin.fileno(), ready.set)
        try:
            while not ready.is_set():
                with suppress(TimeoutError):
                    await asyncio.wait_for(ready.wait(), _TICK_S)
                await self.session.casino.host.settle()
                if not self._stands(asked):
                    return None
        finally:
            loop.remove_reader(sys.stdin.fileno())
        line = sys.stdin.readline()
        if not line:
            raise Failure("play", "the input ended")
        return line

    def _show(self, state: Playing, offers: tuple[machine.Offer, ...]) -> None:
        dealer = " ".join(state.game.dealer)
        self.console.print(f"dealer {dealer}", highlight=False)
        due = {offer.target for offer in offers if offer.due}
        for hand in machine.hands(state.game):
            mark = ">" if hand.label in due or str(hand.label[0]) in due else " "
            cards = " ".join(hand.cards)
            self.console.print(
                f" {mark} {hand.label:8} {cards}  ({hand.total})", highlight=False
            )


def own_offers(state: Playing, player: str) -> tuple[machine.Offer, ...]:
    """Return what the round offers a player now; others' cards are theirs (LV-13).

    The state knows it after a restart too, where no event is heard again.
    """
    offers = machine.offers(state.game)
    return tuple(offer for offer in offers if state.owners[offer.box] == player)


def _choices(offers: tuple[machine.Offer, ...]) -> dict[str, tuple[str, str]]:
    """Return the first offer of each action, what is due before the rest."""
    found: dict[str, tuple[str, str]] = {}
    for offer in offers:
        for option in offer.options:
            found.setdefault(_KEY_OF[option.action], (offer.target, option.action))
    return found
