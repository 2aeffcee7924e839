"""The bot's play: what the table says, keep on a tie, and nothing illegal."""

import random

import pytest

from blackjack import machine, strategy
from blackjack.bets import Bet
from blackjack.cards import FULL_DECK
from blackjack.machine import NeedCards, NeedDecisions, NeedHole, NeedLook
from blackjack.rule_sets import rule_set
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


@pytest.mark.parametrize("options", [{}, LATE])
@pytest.mark.parametrize("name", [NY, "ny-switch-8d", "pr-switch-6d", "lv-switch"])
def test_what_is_chosen_is_always_legal(name: str, options: dict[str, str]) -> None:
    """200 rounds of two boxes from shuffled cards, to their end."""
    rules = rule_set(name, options if name.startswith("ny") else {})
    chance = random.Random(f"{name}{options}")
    for _ in range(200):
        cards = list(FULL_DECK * rules.decks)
        chance.shuffle(cards)
        game = machine.open_round(rules, (Bet(1, (1000,) * 2), Bet(3, (1500,) * 2)))
        _play_to_the_end(game, cards)


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
