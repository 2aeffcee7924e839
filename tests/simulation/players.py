"""What the people of a simulated casino send: sensible, silly, and by mistake."""

import hashlib
import random
from collections.abc import Callable
from typing import Any

import msgspec

from blackjack import machine
from blackjack.rule_sets import RuleSet
from contracts import table as t
from contracts import wallet as w
from contracts.envelope import Actor
from push22.bot import Wagers, command_for, next_move
from push22.follower import PLATFORM, Follower, player_actor
from services.table_orchestrator.state import Betting, Playing
from services.table_orchestrator.terms import rules_of

SUPPORT = Actor("support", "sam")
PLAYERS = ("local.ann", "local.bob", "other.cy")
SEED = b"a seed of thirty-two bytes or so"
_TARGETS = ("1", "2", "1.1", "1.2", "2.1", "2.2", "3.2", "1.3", "9.9", "", "x.1")
_STRANGE = ("round-t1-1", "round-t1-999", "round-nobody-1", "table-t1", "")

Move = tuple[msgspec.Struct, Actor]


class Crowd:
    """Makes up commands from what a client sees and from chance, and nothing else."""

    def __init__(self, rng: random.Random, tables: tuple[str, ...]) -> None:
        self.rng = rng
        self.tables = tables

    def play(self, follower: Follower) -> Move | None:
        """Somebody does what is open to him in one of the rounds."""
        rounds = follower.rounds.open_rounds()
        if not rounds:
            return None
        round_id = self.rng.choice(rounds)
        state = follower.rounds.state(round_id)
        if isinstance(state, Betting):
            return self._bet(state)
        if not isinstance(state, Playing):
            return None
        if self.rng.random() < 0.4:
            name = self.rng.choice(PLAYERS)
            return next_move(follower, round_id, name, Wagers((), ()))
        return self._any_offer(state)

    def _any_offer(self, state: Playing) -> Move | None:
        """Take one of the options that were offered, with one of its amounts."""
        offers = machine.offers(state.game)
        if not offers or not state.offered:
            return None
        offer = self.rng.choice(offers)
        option = self.rng.choice(offer.options)
        amount = None
        if option.max_minor and self.rng.random() < 0.5:
            amount = self.rng.randint(option.min_minor, option.max_minor)
        command = command_for(state.round_id, offer.target, (option.action, amount))
        return command, player_actor(state.owners[offer.box])

    def _bet(self, state: Betting) -> Move | None:
        name = self.rng.choice(PLAYERS)
        # Two boxes each, side by side; the first one mostly.
        box = 2 * PLAYERS.index(name) + self.rng.choice((1, 1, 2))
        own = [bet for bet in state.bets if bet.player == name]
        chance = self.rng.random()
        command: msgspec.Struct
        if state.closed and own:
            seed = self.rng.choice((SEED, SEED, b"another"))
            command = t.OpenSeed(state.round_id, box, seed)
        elif not own or chance < 0.15:
            command = self._wagers(state, box)
        elif chance < 0.22:
            command = t.WithdrawBet(state.round_id, box)
        elif chance < 0.8:
            command = t.StartDealing(state.round_id)
        else:
            return None
        return command, player_actor(name)

    def _wagers(self, state: Betting, box: int) -> t.PlaceBet:
        rules = rules_of(state.terms)
        count = self.rng.randint(rules.wagers_min, rules.wagers_max)
        amount = self.rng.choice((1000, 1001, 2500, 2500, 20_000, 90_000))
        seed_hash = hashlib.sha256(SEED).digest() if self.rng.random() < 0.4 else b""
        return t.PlaceBet(
            state.round_id, box, (amount,) * count, self._side(rules), seed_hash
        )

    def _side(self, rules: RuleSet) -> dict[str, int]:
        if rules.side is None or self.rng.random() < 0.4:
            return {}
        return {rules.side.name: self.rng.choice((300, 100))}

    def err(self, follower: Follower) -> Move:
        """Something that is nearly always refused: wrong hand, time or person."""
        rounds = (*follower.rounds.open_rounds(), *_STRANGE)
        round_id = self.rng.choice(rounds)
        who = player_actor(self.rng.choice(PLAYERS))
        box = self.rng.randint(-1, 9)
        target = self.rng.choice(_TARGETS)
        makers: tuple[Callable[[], Any], ...] = (
            lambda: self.rng.choice(tuple(t.ACTIONS))(round_id, target),
            lambda: t.DoubleDown(round_id, target, None, self.rng.randint(-5, 5000)),
            lambda: t.Hit(round_id, target, self.rng.randint(0, 60)),
            lambda: t.PlaceBet(round_id, box, (self.rng.randint(-1, 10**9),)),
            lambda: t.WithdrawBet(round_id, box),
            lambda: t.StartDealing(round_id),
            lambda: t.OpenSeed(round_id, box, b"no seed"),
            lambda: t.ShowBurnedCard(round_id),
            lambda: t.VoidRound(round_id, "not mine to void"),
            lambda: w.Withdraw(who.who, "EUR", 100),
        )
        return self.rng.choice(makers)(), who

    def manage(self, follower: Follower) -> Move:
        """The house acts: limits, dealers, voids, money in and out."""
        table = self.rng.choice(self.tables)
        rounds = (*follower.rounds.open_rounds(), "round-t1-1")
        name = self.rng.choice(PLAYERS)
        amount = self.rng.choice((1, 40_000, 10**7))
        limits = t.TableLimits(self.rng.choice((1000, 2000, 9000)))
        void = t.VoidRound(self.rng.choice(rounds), self.rng.choice(("a fault", " ")))
        return self.rng.choice(
            (
                (t.ChangeLimits(table, limits), PLATFORM),
                (t.ChangeDealer(table, "dora"), PLATFORM),
                (t.SetPlayerMaximum(table, name, amount), PLATFORM),
                (t.ReserveSeat(table, name), PLATFORM),
                (t.OpenTable(table, "ny-switch-6d", "EUR"), PLATFORM),
                (w.Deposit(name, "EUR", min(amount, 40_000)), PLATFORM),
                (w.Withdraw(name, "EUR", amount), PLATFORM),
                (void, SUPPORT),
                (void, SUPPORT),
            )
        )

    def close(self) -> Move:
        return t.CloseTable(self.rng.choice(self.tables), "the night is over"), SUPPORT
