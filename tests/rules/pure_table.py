"""Plays a round script on the rule book alone: bets, machine, settlement, balances.

A second player of scripts beside the production one, so that a fault of the casino
and a fault of the rule book can be told apart.
"""

from typing import Any

from blackjack import machine
from blackjack.bets import Bet, BetContext, accepted_bet, bet_cost, bet_refusal
from blackjack.machine import NeedCards, NeedHole, NeedLook
from blackjack.script import RoundScript, ScriptStep
from blackjack.settlement import Line, settle

_ANSWERS = ("insure", "decline", "even_money")


class PureTable:
    def __init__(self, script: RoundScript) -> None:
        self.script = script
        self.cards = list(script.cards)
        self.hole = ""
        self.balances = script.balances()
        self.owners: dict[int, str] = {}
        self.refused_bets: dict[str, str] = {}
        self.refused: list[tuple[str, str]] = []
        self.lines: dict[str, Line] = {}
        self.game = machine.open_round(script.rules, self._bets())

    def _bets(self) -> tuple[Bet, ...]:
        bets = []
        for box in self.script.boxes:
            bet = Bet(box.box, box.wagers_minor, box.side_wagers_minor)
            context = BetContext(player=box.player, holders=dict(self.owners))
            reason = bet_refusal(self.script.rules, self.script.limits, bet, context)
            if reason is None:
                bet = accepted_bet(self.script.rules, self.script.limits, bet)
                if bet_cost(bet) > self.balances[box.player]:
                    self.refused_bets[str(box.box)] = "insufficient_funds"
                    continue
                self.owners[box.box] = box.player
                self.balances[box.player] -= bet_cost(bet)
                bets.append(bet)
            else:
                self.refused_bets[str(box.box)] = str(reason)
        return tuple(sorted(bets, key=lambda bet: bet.box))

    def play(self) -> None:
        self.game = self._run(self.game)
        for step in self.script.steps:
            reason = self._step(step)
            if reason:
                self.refused.append((step.text, reason))
            assert bool(reason) == step.must_refuse, (step, reason)
            if step.reason:
                assert reason == step.reason, (step, reason)
        if machine.insurance_open(self.game):
            self.game = self._run(machine.close_insurance(self.game))

    def _run(self, game: machine.Round) -> machine.Round:
        while True:
            game = self._pay(game)
            need = machine.need(game)
            match need:
                case NeedCards():
                    game = machine.deal(game, self._draw(need.places))
                case NeedLook():
                    game = machine.looked(game, self._natural(game))
                case NeedHole():
                    game = machine.turn_hole(game, self.hole)
                case _:
                    return game

    def _draw(self, places: tuple[str, ...]) -> tuple[str | None, ...]:
        drawn: list[str | None] = []
        for place in places:
            card = self.cards.pop(0)
            if place == "hole":
                self.hole = card
            drawn.append(None if place == "hole" else card)
        return tuple(drawn)

    def _natural(self, game: machine.Round) -> bool:
        return machine.is_natural((self.hole, machine.up_card(game)))

    def _pay(self, game: machine.Round) -> machine.Round:
        for due in machine.dues(game):
            line = settle(self.script.rules, due)
            assert due.label not in self.lines, f"{due.label} is settled twice"
            self.lines[due.label] = line
            self.balances[self.owners[due.box]] += line.payout_minor
        return machine.take_dues(game)

    def _step(self, step: ScriptStep) -> str:
        game = self.game
        if machine.insurance_open(game) and step.action not in _ANSWERS:
            game = machine.close_insurance(game)
            kept = (dict(self.lines), dict(self.balances), list(self.cards))
            game = self._run(game)
            reason = self._refusal(game, step)
            if reason:
                self.lines, self.balances, self.cards = kept
                return reason
        reason = self._refusal(game, step)
        if reason:
            return reason
        owner = self.owners[int(step.target.partition(".")[0])]
        self.balances[owner] -= machine.cost(
            game, step.target, step.action, step.amount_minor
        )
        game = machine.apply(game, step.target, step.action, step.amount_minor)
        self.game = self._run(game)
        return ""

    def _refusal(self, game: machine.Round, step: ScriptStep) -> str:
        reason = machine.refusal(game, step.target, step.action, step.amount_minor)
        if reason:
            return str(reason)
        cost = machine.cost(game, step.target, step.action, step.amount_minor)
        owner = self.owners[int(step.target.partition(".")[0])]
        return "insufficient_funds" if cost > self.balances[owner] else ""

    def differences(self) -> list[str]:
        found: dict[str, Any] = {
            "dealer": " ".join(self.game.dealer),
            "net": {k: x.payout_minor - x.stake_minor for k, x in self.lines.items()},
            "outcome": {label: line.result for label, line in self.lines.items()},
            "balance": self.balances,
            "cards_used": self.game.cards_used,
            "pending": machine.pending(self.game),
            "bets_refused": self.refused_bets,
        }
        wrong = []
        for key, wanted in self.script.expect.items():
            got = found[key]
            if not isinstance(wanted, dict):
                if got != wanted:
                    wrong.append(f"{key}: expected {wanted}, got {got}")
                continue
            wrong.extend(
                f"{key}.{label}: expected {value}, got {got.get(label)}"
                for label, value in wanted.items()
                if got.get(label) != value and not (value == "*" and label in got)
            )
        return wrong
