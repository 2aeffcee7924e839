"""Plays a round script through the real casino: deciders, shoe, settlement, wallet.

Only the order of the shoe and the clock are the script's; everything else is what
live play does. Judging stands in `script_result.py`.
"""

import asyncio
from typing import Any

import msgspec

from blackjack import machine
from blackjack.script import RoundScript, ScriptBox, ScriptError, ScriptStep
from contracts import identities
from contracts import round_events as e
from contracts import settlement as st
from contracts import table as t
from contracts.envelope import Actor
from contracts.wallet import BALANCE_MINOR_MAX
from push22.bot import command_for
from push22.casino import CasinoDoor
from push22.follower import PLATFORM, Follower, player_actor
from runtime.ambient import ManualClock
from services.table_orchestrator.state import Betting, Playing

TABLE = "script"
CURRENCY = identities.DEFAULT_CURRENCY


class StepRefused(msgspec.Struct, frozen=True):
    step: str
    reason: str


class Played(msgspec.Struct):
    """What came out of a script, before it is compared with what was expected."""

    bets_refused: dict[str, str] = {}
    refused: list[StepRefused] = []
    lines: dict[str, Any] = {}
    accepted_in_spite: str = ""
    refused_in_error: StepRefused | None = None
    game: machine.Round | None = None
    balances_minor: dict[str, int] = {}
    pending: str | None = None
    burned: int = 0


class ScriptTable:
    """One table with the script's cards in its shoe; its players are the operator's."""

    def __init__(
        self,
        script: RoundScript,
        casino: CasinoDoor,
        clock: ManualClock,
        *,
        table: str = TABLE,
        operator: str = identities.DEFAULT_OPERATOR,
    ) -> None:
        self.script = script
        self.casino = casino
        self.clock = clock
        self.table = table
        self.operator = operator
        self.round_id = identities.round_id(table, 1)
        self.follower = Follower(casino)
        self.follower.on_round = self._hear
        casino.host.subscribe(self._hear_lines)
        self.played = Played()
        self.funds_reason = ""

    def _hear(self, round_id: str, event: Any) -> None:
        if round_id != self.round_id:
            return
        if isinstance(event, e.FundsDeclined | e.WagersRefused):
            self.funds_reason = event.reason
        if isinstance(event, e.CardsRequested):
            self.played.burned += event.burn
        state = self.follower.rounds.state(round_id)
        if isinstance(state, Playing):
            self.played.game = state.game

    def _hear_lines(self, delivery: Any) -> None:
        if delivery.envelope.round_id != self.round_id:
            return
        if isinstance(delivery.event, st.WagersSettled):
            for item in delivery.event.lines:
                self.played.lines[item.line.label] = item.line

    async def play(self) -> Played:
        """Play the whole script and return what came out."""
        await self._open()
        # Nothing here waits: who bounds the time is heard between the steps.
        for box in self.script.boxes:
            await asyncio.sleep(0)
            await self._bet(box)
        await self._deal()
        for step in self.script.steps:
            await asyncio.sleep(0)
            if not await self._step(step):
                break
        await self._close_insurance()
        self._note_end()
        return self.played

    async def _open(self) -> None:
        limits = self.script.limits
        answer = await self.follower.send(
            t.OpenTable(
                table=self.table,
                rule_set=self.script.rule_set,
                currency=CURRENCY,
                options=dict(self.script.options),
                limits=t.TableLimits(
                    limits.min_minor, limits.max_minor, limits.side_min_minor
                ),
            ),
            PLATFORM,
        )
        if answer.reason:
            raise ScriptError("limits", f"no table opens so: {answer.reason}")
        await self.casino.host.settle()
        for player, balance in self.script.balances().items():
            if balance > BALANCE_MINOR_MAX:
                raise ScriptError("box.balance", f"must be at most {BALANCE_MINOR_MAX}")
            await self.casino.deposit(self._id(player), CURRENCY, balance)
        await self.casino.host.settle()

    async def _bet(self, box: ScriptBox) -> None:
        self.funds_reason = ""
        answer = await self.follower.send(
            t.PlaceBet(
                self.round_id, box.box, box.wagers_minor, dict(box.side_wagers_minor)
            ),
            player_actor(self._id(box.player)),
        )
        await self.casino.host.settle()
        reason = answer.reason or self.funds_reason
        if reason:
            self.played.bets_refused[str(box.box)] = reason

    async def _deal(self) -> None:
        state = self.follower.rounds.state(self.round_id)
        assert isinstance(state, Betting), "cards only come when players are ready"
        for player in dict.fromkeys(bet.player for bet in state.bets):
            await self.follower.send(
                t.StartDealing(self.round_id), player_actor(player)
            )
            await self.casino.host.settle()

    async def _step(self, step: ScriptStep) -> bool:
        """Do one step; false where the play cannot go on."""
        reason = await self._reason(step)
        if reason:
            refused = StepRefused(step.text, reason)
            self.played.refused.append(refused)
            if not step.must_refuse:
                self.played.refused_in_error = refused
                return False
        elif step.must_refuse:
            self.played.accepted_in_spite = step.text
            return False
        return True

    async def _reason(self, step: ScriptStep) -> str:
        game = self.played.game
        answers = ("insure", "decline", "even_money")
        if game and machine.insurance_open(game) and step.action not in answers:
            reason = self._judged_as_if_closed(game, step)
            if reason:
                return reason
            await self._close_insurance()
        return await self._decide(step)

    def _judged_as_if_closed(self, game: machine.Round, step: ScriptStep) -> str:
        """A step that is no answer is judged as if the insurance offer were closed."""
        game = machine.close_insurance(game)
        if isinstance(machine.need(game), machine.NeedLook):
            game = machine.looked(game, self._dealer_has_natural(game))
        if isinstance(machine.need(game), machine.NeedHole):
            game = machine.turn_hole(game, self._hole_card())
        reason = machine.refusal(game, step.target, step.action, step.amount_minor)
        if reason:
            return str(reason)
        cost = machine.cost(game, step.target, step.action, step.amount_minor)
        owner = self._owner(step.target)
        if cost > self.follower.balance_minor(owner, CURRENCY):
            return "insufficient_funds"
        return ""

    def _dealer_has_natural(self, game: machine.Round) -> bool:
        return machine.is_natural((self._hole_card(), machine.up_card(game)))

    def _hole_card(self) -> str:
        state = self.follower.rounds.state(self.round_id)
        assert isinstance(state, Playing)
        places = machine.starting_places(state.game)
        return self.script.cards[places.index("hole")]

    async def _decide(self, step: ScriptStep) -> str:
        game = self.played.game or machine.open_round(self.script.rules, ())
        is_over = isinstance(machine.need(game), machine.NeedNothing)
        if is_over or step.action not in t.COMMAND_FOR:
            # A table knows the hands of a closed round no more; the rules do (C-64).
            reason = machine.refusal(game, step.target, step.action, step.amount_minor)
            assert reason is not None, "nothing can be done when a round is over"
            return str(reason)
        self.funds_reason = ""
        command = command_for(
            self.round_id, step.target, (step.action, step.amount_minor)
        )
        answer = await self.follower.send(command, self._actor(step.target))
        await self.casino.host.settle()
        return answer.reason or self.funds_reason

    def _owner(self, target: str) -> str:
        box = target.partition(".")[0]
        for item in self.script.boxes:
            if str(item.box) == box:
                return self._id(item.player)
        return self._id(self.script.boxes[0].player)

    def _actor(self, target: str) -> Actor:
        return player_actor(self._owner(target))

    async def _close_insurance(self) -> None:
        game = self.played.game
        if game is None or not machine.insurance_open(game):
            return
        self.clock.advance(seconds=3600)
        await self.casino.host.settle()

    def _note_end(self) -> None:
        for player in self.script.balances():
            balance = self.follower.balance_minor(self._id(player), CURRENCY)
            self.played.balances_minor[player] = balance
        game = self.played.game
        self.played.pending = machine.pending(game) if game else None

    def _id(self, player: str) -> str:
        """Name a player of the script as the casino does (H13)."""
        return f"{self.operator}.{player}"
