"""The bot's play: what the table says, keep on a tie, and nothing illegal."""

import random

import pytest

from blackjack import machine, strategy
from blackjack.bets import Bet
from blackjack.cards import FULL_DECK
from blackjack.machine import NeedCards, NeedDecisions, NeedHole, NeedLook
from blackjack.rule_sets import RULE_SETS, rule_set
from blackjack.strategy_table import strategy_for
from tests.rules.played import LATE, NY, play


@pytest.mark.parametrize(
    ("cards", "chosen"),
    [
        ("Th 9c 6d 6s Tc Td", "stand"),
        ("Th 9c 7d 6s Tc Td", "hit"),
        ("2h 9c 6d 9s 9d Td", "double"),
        ("Ah 9c 6d 6s 9d Td", "double"),
        ("Ah 9c 7d 8s 9d Td", "stand"),
        ("2h 9c 6d 2s 2d Td", "split"),
        ("2h 9c 7d Ts 9d Td", "hit"),
    ],
)
def test_what_the_table_says_is_played(cards: str, chosen: str) -> None:
    """1.1 by the cell of its two cards against the up card, the switch declined."""
    game = play(cards, "1 keep").game
    assert strategy.choose(game) == ("1.1", chosen, None)


def test_the_better_arrangement_is_taken() -> None:
    """T-6 and 6-T become T-T and 6-6 at once, T-T and 6-6 stay."""
    assert strategy.choose(play("Th 6c 7d 6s Tc Td").game) == ("1", "switch", None)
    kept = strategy.choose(play("Th 6c 7d Ts 6d Td").game)
    assert kept is not None
    assert kept[1] != "switch"


def test_a_tie_keeps_the_cards() -> None:
    """Second cards of one rank: the other arrangement is worth the same."""
    game = play("Th 9c 7d 8s 8d Td").game
    assert not strategy.switches(game, game.boxes[0])


def test_two_naturals_are_kept() -> None:
    """The box waits and the bot says keep."""
    assert strategy.choose(play("Ah Kc 7d Kh Ac Td").game) == ("1", "keep", None)


def test_insurance_is_declined() -> None:
    """Also with a natural."""
    game = machine.open_round(rule_set(NY), (Bet(1, (1000, 1000)),))
    game = machine.deal(game, ("Ah", "9c", "Ad", "Kh", "8c", None))
    assert strategy.choose(game) == ("1.1", "decline", None)


def test_nothing_is_chosen_when_nothing_is_due() -> None:
    """Before the cards and after the end."""
    assert strategy.choose(play("", boxes=("wager = 1",)).game) is None
    game = machine.open_round(rule_set(NY), (Bet(1, (1000, 1000)),))
    assert strategy.choose(game) is None


HOUSES = [
    *((name, {}) for name in RULE_SETS),
    ("ny-switch-6d", LATE),
    ("ny-switch-8d", {**LATE, "soft17": "stand"}),
    ("ny-multiple-action", {"delivery": "determinate_first"}),
    ("ny-multiple-action", {"natural_in_round_one": "first_circle"}),
    ("pr-switch-6d", {"switch_back": True, "double_for_less": True}),
]


@pytest.mark.parametrize(("name", "options"), HOUSES)
def test_what_is_chosen_is_always_legal(name: str, options: dict[str, object]) -> None:
    """200 rounds from shuffled cards, to their end, in every rule set."""
    rules = rule_set(name, options)
    chance = random.Random(f"{name}{options}")
    wagers = (1000,) * rules.wagers_max
    for _ in range(200):
        cards = list(FULL_DECK * rules.decks)
        chance.shuffle(cards)
        game = machine.open_round(rules, (Bet(1, wagers), Bet(2, wagers)))
        _play_to_the_end(game, cards)


def test_even_money_is_taken_where_the_table_says_so() -> None:
    """Las Vegas Switch pays a natural 1:1: a sure unit, not one or a push."""
    game = machine.open_round(rule_set("lv-switch"), (Bet(1, (1000, 1000)),))
    game = machine.deal(game, ("Ah", "9c", None, "Kh", "8c", "Ad"))
    assert strategy.choose(game) == ("1.1", "even_money", None)
    game = machine.apply(game, "1.1", "even_money")
    assert strategy.choose(game) == ("1.2", "decline", None)


def test_even_money_is_left_where_a_natural_pays_more() -> None:
    """At 3:2 to wait is worth more than one unit."""
    game = machine.open_round(rule_set("lv-6d"), (Bet(1, (1000,)),))
    game = machine.deal(game, ("Ah", None, "Kh", "Ad"))
    assert strategy.choose(game) == ("1.1", "decline", None)


def test_a_hand_is_surrendered_where_the_table_says_so() -> None:
    """Ten and six against a ten; with a third card it is no longer legal."""
    game = _after_look("lv-6d", ("Th", None, "6c", "Td"))
    assert strategy.choose(game) == ("1.1", "surrender", None)
    game = _after_look("lv-2d", ("Th", None, "6c", "Td"))
    assert strategy.choose(game) == ("1.1", "hit", None)


def test_a_pair_that_may_not_be_split_plays_on() -> None:
    """Eights against a seven: split, and split no further than the limit allows."""
    game = _after_look("lv-1d", ("8h", None, "8c", "7d"))
    assert strategy.choose(game) == ("1.1", "split", None)
    rules = rule_set("pr-switch-6d")
    game = machine.open_round(rules, (Bet(1, (1000, 1000)),))
    game = machine.deal(game, ("8h", "9c", "7d", "8c", "9h", None))
    game = machine.apply(game, "1.1", "split")
    game = machine.deal(game, ("8d",))
    assert strategy.choose(game) == ("1.1.1", "hit", None)


def test_a_split_ace_that_pairs_stands_at_the_limit() -> None:
    """Las Vegas shoes split aces to four hands, then each stands by itself."""
    game = _after_look("lv-6d", ("Ah", None, "Ac", "6d"))
    for label in ("1.1", "1.1.1", "1.1.1.1"):
        assert strategy.choose(game) == (label, "split", None)
        game = machine.apply(game, label, "split")
        game = machine.deal(game, ("As",))
    assert strategy.choose(game) is None


def test_a_natural_without_a_look_is_worth_less_in_a_switch() -> None:
    """Online: a switch may make a natural, and the worth of one depends on the up card.

    A-9 and 9-T against a ten: A-T and 9-9 together are worth more.
    """
    game = machine.open_round(rule_set("online-switch"), (Bet(1, (1000, 1000)),))
    game = machine.deal(game, ("Ah", "9c", "Td", "9h", "Tc"))
    table = strategy_for(game.rules)
    assert table.natural[10] < 1
    assert strategy.choose(game) == ("1", "switch", None)
    game = machine.apply(game, "1", "switch")
    assert not strategy.switches(game, game.boxes[0])


def _after_look(name: str, cards: tuple[str | None, ...]) -> machine.Round:
    """Deal one box by itself; the dealer has no natural."""
    game = machine.open_round(rule_set(name), (Bet(1, (1000,)),))
    game = machine.deal(game, cards)
    if isinstance(machine.need(game), NeedLook):
        game = machine.looked(game, natural=False)
    return game


def _play_to_the_end(game: machine.Round, cards: list[str]) -> None:
    hole = ""
    while True:
        match machine.need(game):
            case NeedCards(places):
                drawn = [cards.pop() for _ in places]
                if "hole" in places:
                    hole = drawn[places.index("hole")]
                faces = zip(places, drawn, strict=True)
                game = machine.deal(
                    game, tuple(None if p == "hole" else c for p, c in faces)
                )
            case NeedLook():
                natural = machine.is_natural((hole, machine.up_card(game)))
                game = machine.looked(game, natural=natural)
            case NeedHole():
                game = machine.turn_hole(game, hole)
            case NeedDecisions():
                chosen = strategy.choose(game)
                assert chosen is not None
                assert machine.refusal(game, *chosen) is None
                game = machine.apply(game, *chosen)
            case _:
                assert game.stage == "over"
                return
