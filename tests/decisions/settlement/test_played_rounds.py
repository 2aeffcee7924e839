"""Rounds of every rule set, played at random through the rule book and the money.

The rule book's dues go through settlement into the players' wallets, to the end or to
a void at any step. Each player's balance is reckoned here from the lines alone.
"""

from collections import Counter
from functools import reduce
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from blackjack import machine
from blackjack.cards import FULL_DECK
from blackjack.machine import (
    Bet,
    NeedCards,
    NeedDecisions,
    NeedHole,
    NeedLook,
    NeedNothing,
)
from blackjack.rule_data import RULE_SETS
from contracts.identities import wallet_stream
from contracts.round_events import OpenStake, PlayerDue, SettlementDue
from contracts.settlement import WagersSettled
from contracts.wallet import Deposit
from runtime.service import Context, Decider
from services.settlement import SETTLEMENT as SETTLEMENT_DECIDER
from services.wallet import SERVICE as WALLET_SERVICE
from services.wallet import WALLET
from tests.builders import ALICE, BOB, EUR, ROUND, SETTLEMENT, funds_requested, voided
from tests.spec import PLATFORM, reactions

PURSE = 10_000_000
OWNERS = {1: ALICE, 2: BOB, 3: ALICE}


class Stream:
    """A decider with its state, which keeps what it decided."""

    def __init__(self, decider: Decider, stream: str) -> None:
        self.decider = decider
        self.state = decider.initial(stream)

    def take(self, message: Any, cause_id: str = "cause-1") -> tuple[Any, ...]:
        context = Context(0, cause_id, PLATFORM)
        events = self.decider.decide(message, self.state, context)
        assert isinstance(events, tuple)
        self.state = reduce(self.decider.evolve, events, self.state)
        return events


class Casino:
    """One round with its settlement and its players' wallets."""

    def __init__(self, name: str, random: Random) -> None:
        self.random = random
        self.name = name
        self.shoe = [card for card in FULL_DECK for _ in range(8)]
        random.shuffle(self.shoe)
        self.hole = ""
        self.parts = 0
        self.settlement = Stream(SETTLEMENT_DECIDER, SETTLEMENT)
        self.lines: dict[str, tuple[str, int, int]] = {}
        self.reservations = 0
        self.wallets = {
            wallet_stream(player, EUR): Stream(WALLET, wallet_stream(player, EUR))
            for player in (ALICE, BOB)
        }
        for player in (ALICE, BOB):
            self._wallet(player).take(Deposit(player, EUR, PURSE))
        self.game = machine.open_round(RULE_SETS[name], tuple(self._bets()))

    def _wallet(self, player: str) -> Stream:
        return self.wallets[wallet_stream(player, EUR)]

    def _bets(self) -> list[Bet]:
        rules = RULE_SETS[self.name]
        boxes = list(OWNERS)[: min(rules.boxes, self.random.randint(1, 3))]
        return [self._bet(box) for box in boxes]

    def _bet(self, box: int) -> Bet:
        rules = RULE_SETS[self.name]
        wager = self.random.randint(1000, 1003)
        sides = {rules.side.name: 501} if rules.side else {}
        bet = Bet(box, (wager,) * rules.wagers_max, sides)
        self._reserve(box, wager * rules.wagers_max + sum(sides.values()))
        return bet

    def _reserve(self, box: int, amount_minor: int) -> None:
        self.reservations += 1
        name = f"{ROUND}:stake:{self.reservations}"
        message = replace(funds_requested(amount_minor, name), player=OWNERS[box])
        assert self._wallet(OWNERS[box]).take(message)

    def step(self) -> bool:
        """Do what the round needs next; tell whether there was anything."""
        need = machine.need(self.game)
        match need:
            case NeedCards():
                self.game = machine.deal(self.game, self._cards(need.places))
            case NeedLook():
                natural = machine.is_natural((machine.up_card(self.game), self.hole))
                self.game = machine.looked(self.game, natural)
            case NeedHole():
                self.game = machine.turn_hole(self.game, self.hole)
            case NeedDecisions():
                self._play()
            case NeedNothing():
                return False
        self._settle()
        return True

    def _cards(self, places: tuple[str, ...]) -> tuple[str | None, ...]:
        cards: list[str | None] = []
        for place in places:
            card = self.shoe.pop()
            if place == "hole":
                self.hole = card
            cards.append(None if place == "hole" else card)
        return tuple(cards)

    def _play(self) -> None:
        offer = self.random.choice(machine.offers(self.game))
        option = self.random.choice(offer.options)
        amount = None
        if option.max_minor:
            amount = self.random.randint(option.min_minor, option.max_minor)
            if amount == option.max_minor:
                amount = None
        cost = machine.cost(self.game, offer.target, option.action, amount)
        if cost:
            self._reserve(offer.box, cost)
        self.game = machine.apply(self.game, offer.target, option.action, amount)

    def _settle(self) -> None:
        dues = machine.dues(self.game)
        self.game = machine.take_dues(self.game)
        over = isinstance(machine.need(self.game), NeedNothing)
        if not dues and not over:
            return
        self.parts += 1
        message = SettlementDue(
            round_id=ROUND,
            part=self.parts,
            rule_set=self.name,
            options={},
            currency=EUR,
            dues=tuple(PlayerDue(OWNERS[due.box], due) for due in dues),
            final=over,
        )
        self._book(self.settlement.take(message))

    def _book(self, events: tuple[Any, ...]) -> None:
        for event in events:
            if isinstance(event, WagersSettled):
                for item in event.lines:
                    line = item.line
                    money = (item.player, line.stake_minor, line.payout_minor)
                    self.lines[line.label] = money
            for to in reactions(WALLET_SERVICE, event):
                assert self.wallets[to.stream].take(to.message)

    def void(self) -> None:
        stakes = (
            OpenStake(OWNERS[stake.box], stake.label, stake.stake_minor)
            for stake in machine.stakes(self.game)
        )
        self._book(self.settlement.take(voided(*stakes, part=self.parts + 1)))

    def audit(self, *, is_void: bool) -> None:
        """A void keeps what was won; otherwise a balance moves by the lines' nets."""
        nets: Counter[str] = Counter()
        for player, stake_minor, payout_minor in self.lines.values():
            net_minor = payout_minor - stake_minor
            nets[player] += max(0, net_minor) if is_void else net_minor
        for player in (ALICE, BOB):
            wallet = self._wallet(player).state
            assert wallet.balance_minor == PURSE + nets[player]
            assert not any(funds.in_play_minor for funds in wallet.rounds)


@pytest.mark.parametrize("name", sorted(RULE_SETS))
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), steps=st.none() | st.integers(0, 25))
def test_h2_a_round_that_is_played_or_voided_pays_to_the_cent(
    name: str, seed: int, steps: int | None
) -> None:
    """Nothing stays in play, and every balance is what the lines say."""
    casino = Casino(name, Random(seed))
    done = 0
    while done != steps and casino.step():
        done += 1
    is_void = not isinstance(machine.need(casino.game), NeedNothing)
    if is_void:
        casino.void()
    casino.audit(is_void=is_void)
