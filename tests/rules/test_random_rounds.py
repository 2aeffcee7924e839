"""Rounds played at random, under every rule set: what must hold whatever happens."""

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blackjack import machine
from blackjack.bets import Bet, BetContext, bet_cost, bet_refusal
from blackjack.cards import FULL_DECK
from blackjack.machine import NeedCards, NeedHole, NeedLook, Option, Round
from blackjack.rule_sets import RULE_SETS, RuleSet, default_limits, rule_set
from blackjack.settlement import Line, settle

ANSWERS = ("insure", "decline", "even_money")
SWITCHES = ("switch", "switch_back", "keep")
PLAYS = ("hit", "stand", "double", "split", "surrender")

TABLES = [
    *((name, {}) for name in RULE_SETS),
    ("ny-switch-6d", {"hole_card": "late", "soft17": "stand"}),
    ("ny-multiple-action", {"natural_in_round_one": "first_circle"}),
    ("ny-multiple-action", {"delivery": "determinate_first", "decks": 6}),
    ("pr-switch-8d", {"switch_back": True, "double_for_less": True}),
    ("lv-switch", {"decks": 8}),
]


class RandomTable:
    """One round with random bets, cards and legal decisions."""

    def __init__(self, rules: RuleSet, rng: Random) -> None:
        self.rng = rng
        # Few ranks make pairs, aces and naturals common.
        ranks = rng.choice(("A23456789TJQK", "AATJ89", "A8T", "A"))
        deck = [card for card in FULL_DECK if card[0] in ranks]
        self.shoe = deck * 40
        rng.shuffle(self.shoe)
        bets = tuple(self._bet(rules, box) for box in range(1, rng.randint(2, 4)))
        self.staked = sum(bet_cost(bet) for bet in bets)
        self.drawn = 0
        self.hole = ""
        self.lines: list[Line] = []
        self.game = self._run(machine.open_round(rules, bets))

    def _bet(self, rules: RuleSet, box: int) -> Bet:
        limits = default_limits(rules)
        wager = self.rng.randint(limits.min_minor, limits.min_minor + 7)
        count = self.rng.randint(rules.wagers_min, rules.wagers_max)
        sides = {rules.side.name: self.rng.randint(100, 109)} if rules.side else {}
        sides = {name: min(stake, wager) for name, stake in sides.items()}
        bet = Bet(box, (wager,) * count, sides)
        assert bet_refusal(rules, limits, bet, BetContext(player="p")) is None
        return bet

    def _run(self, game: Round) -> Round:
        while True:
            self.lines += [settle(game.rules, due) for due in machine.dues(game)]
            game = machine.take_dues(game)
            match need := machine.need(game):
                case NeedCards():
                    game = self._meanwhile(game)
                    game = machine.deal(game, tuple(map(self._draw, need.places)))
                case NeedLook():
                    natural = machine.is_natural((self.hole, machine.up_card(game)))
                    game = machine.looked(game, natural)
                case NeedHole():
                    game = machine.turn_hole(game, self.hole)
                case _:
                    return game

    def _meanwhile(self, game: Round) -> Round:
        """While a card is on its way another box may switch; it comes all the same."""
        offers = machine.offers(game)
        if not offers or self.rng.random() < 0.5:
            return game
        offer = self.rng.choice(offers)
        action = self.rng.choice(offer.options).action
        assert action in SWITCHES
        after = machine.apply(game, offer.target, action)
        assert machine.need(after) == machine.need(game)
        return after

    def _draw(self, place: str) -> str | None:
        card = self.shoe[self.drawn]
        self.drawn += 1
        if place != "hole":
            return card
        self.hole = card
        return None

    def step(self) -> None:
        """Take one legal decision; now and then the time for insurance is up."""
        if machine.insurance_open(self.game) and self.rng.random() < 0.2:
            self.game = self._run(machine.close_insurance(self.game))
            return
        offer = self.rng.choice(machine.offers(self.game))
        option = self.rng.choice(offer.options)
        amount = None
        if option.min_minor != option.max_minor:
            amount = self.rng.randint(option.min_minor, option.max_minor)
        self.staked += machine.cost(self.game, offer.target, option.action, amount)
        game = machine.apply(self.game, offer.target, option.action, amount)
        self.game = self._run(game)

    def is_over(self) -> bool:
        return isinstance(machine.need(self.game), machine.NeedNothing)

    def finish(self) -> None:
        while not self.is_over():
            self.step()


tables = st.builds(
    lambda table, seed: RandomTable(rule_set(*table), Random(seed)),
    st.sampled_from(TABLES),
    st.integers(min_value=0, max_value=2**32),
)


def legal_steps(game: Round) -> dict[tuple[str, str], Option]:
    return {
        (offer.target, option.action): option
        for offer in machine.offers(game)
        for option in offer.options
    }


@settings(max_examples=600)
@given(tables)
def test_every_stake_is_settled_once_and_for_what_it_was(table: RandomTable) -> None:
    """No stake is lost or settled twice, and no payout is out of bounds (C-59)."""
    table.finish()

    labels = [line.label for line in table.lines]
    stakes = machine.stakes(table.game)
    assert sorted(labels) == sorted(stake.label for stake in stakes)
    assert sum(line.stake_minor for line in table.lines) == table.staked
    assert sum(stake.stake_minor for stake in stakes) == table.staked
    assert table.game.cards_used == table.drawn
    for line in table.lines:
        most = 51 if line.kind == "side" else 3
        assert 0 <= line.payout_minor <= most * line.stake_minor
        assert line.clauses


@settings(max_examples=250)
@given(tables)
def test_exactly_what_is_offered_is_accepted(table: RandomTable) -> None:
    """Whatever is not offered is refused, for each box, hand and action (C-62)."""
    while not table.is_over():
        game = table.game
        legal = legal_steps(game)
        boxes = [str(box.number) for box in game.boxes]
        hands = [hand.label for hand in machine.hands(game)]
        for target in (*boxes, *hands, "9", "1.9", "1.1.1.1.1.1"):
            for action in (*ANSWERS, *SWITCHES, *PLAYS, "fold"):
                refused = machine.refusal(game, target, action)
                assert (refused is None) == ((target, action) in legal)
        table.step()


@settings(max_examples=250)
@given(tables)
def test_amounts_are_accepted_within_the_offered_bounds_only(
    table: RandomTable,
) -> None:
    """The bounds of a double and of insurance are legal, one more or less is not."""
    while not table.is_over():
        game = table.game
        for (target, action), option in legal_steps(game).items():
            if action == "insure" or (action == "double" and game.rules.wagers_max < 3):
                least, most = option.min_minor, option.max_minor
                judged = [
                    machine.refusal(game, target, action, amount) is None
                    for amount in (least - 1, least, most, most + 1)
                ]
                assert judged == [False, True, True, False]
                assert machine.cost(game, target, action, least) == least
        table.step()


@settings(max_examples=250)
@given(tables)
def test_the_default_decision_is_always_legal_and_ends_the_round(
    table: RandomTable,
) -> None:
    """A silent table comes to its end by defaults alone, from anywhere."""
    for _ in range(table.rng.randint(0, 4)):
        if not table.is_over():
            table.step()
    while not table.is_over():
        default = machine.default_decision(table.game)
        assert default is not None
        assert machine.refusal(table.game, *default) is None
        assert machine.cost(table.game, *default) == 0
        table.game = table._run(machine.apply(table.game, *default))
    assert machine.default_decision(table.game) is None


@settings(max_examples=150)
@given(tables)
def test_a_round_survives_being_written_down(table: RandomTable) -> None:
    """Encoded and read again it is the same round."""
    while not table.is_over():
        written = msgspec.json.encode(table.game)
        assert msgspec.json.decode(written, type=Round) == table.game
        table.step()


@pytest.mark.parametrize("name", RULE_SETS)
def test_each_rule_set_comes_to_every_kind_of_result(name: str) -> None:
    """The random rounds are no empty promise: they reach what the rule set knows."""
    reached = set()
    for seed in range(150):
        table = RandomTable(rule_set(name), Random(seed))
        table.finish()
        reached |= {line.result for line in table.lines if line.kind == "main"}
    rules = rule_set(name)
    wanted = {"blackjack", "win", "push", "lose", "bust"}
    wanted |= {"surrender"} if rules.surrender else set()
    wanted |= {"even_money"} if rules.even_money else set()
    assert reached == wanted
