"""Samples: what they count, that they can be repeated, and rounds known by heart."""

import pytest

from blackjack.rule_sets import RULE_SETS, rule_set
from blackjack.strategy_table import strategy_for
from push22.kernel import Game, compile_game, play_shoe, play_shoes, simulate

pytestmark = pytest.mark.slow
"""The kernel is compiled first."""

NY = "ny-switch-6d"


def game_of(name: str, **options: object) -> Game:
    rules = rule_set(name, options)
    return compile_game(rules, strategy_for(rules))


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_sums_of_a_sample_agree(name: str) -> None:
    """Batches make up the whole, and every dealer round ended in some way."""
    game = game_of(name)
    sample = simulate(game, rounds=10_007, seed=1, batches=10)
    dealt = sum(sample.dealer_totals.values())

    assert sum(batch.rounds for batch in sample.batches) == sample.rounds == 10_007
    assert sum(batch.net_minor for batch in sample.batches) == sample.net_minor
    assert sum(batch.net_squared for batch in sample.batches) == sample.net_squared
    hands = game.rules.hands_per_box * game.rules.circles
    assert sample.initial_minor == 10_007 * 100 * hands
    assert sample.initial_minor < sample.staked_minor < 1.3 * sample.initial_minor
    assert sample.net_squared > sample.net_minor**2 / sample.rounds
    ended = dealt + sample.dealer_naturals + sample.dealer_not_played
    if game.rules.circles == 1:
        assert ended == sample.rounds
    else:
        assert 2 * sample.rounds < ended <= 3 * sample.rounds


def test_equal_seeds_give_equal_samples() -> None:
    """However the rounds are cut into batches; and another seed, another sample."""
    game = game_of(NY)
    whole = simulate(game, rounds=5000, seed=3, batches=1)
    parts = simulate(game, rounds=5000, seed=3, batches=7)

    assert simulate(game, rounds=5000, seed=3, batches=7) == parts
    assert whole._replace(batches=()) == parts._replace(batches=())
    assert simulate(game, rounds=5000, seed=4).net_minor != whole.net_minor


@pytest.mark.parametrize("batches", [0, 11])
def test_every_batch_has_a_round(batches: int) -> None:
    """Ten rounds can't be none or eleven batches."""
    with pytest.raises(ValueError, match="10 rounds"):
        simulate(game_of(NY), rounds=10, seed=1, batches=batches)


@pytest.mark.parametrize(("decks", "name"), [(1, "lv-1d"), (2, "lv-2d"), (8, "lv-8d")])
def test_naturals_come_as_often_as_they_must(decks: int, name: str) -> None:
    """Player and dealer: 2 x aces x tens / pairs of cards, within 4.5 deviations."""
    rounds = 400_000
    sample = simulate(game_of(name), rounds=rounds, seed=8)
    size = 52 * decks
    chance = 2 * (4 * decks) * (16 * decks) / (size * (size - 1))
    deviation = (rounds * chance * (1 - chance)) ** 0.5

    assert abs(sample.naturals - rounds * chance) < 4.5 * deviation
    assert abs(sample.dealer_naturals - rounds * chance) < 4.5 * deviation


@pytest.mark.parametrize(
    ("cards", "net"),
    [
        # 1.1, hole card, 1.1, up card
        ([10, 8, 9, 10], 100),  # 19 against 18
        ([10, 9, 9, 10], 0),
        ([1, 9, 10, 7], 150),
        ([1, 1, 10, 10], 0),  # both have a natural
        ([10, 1, 10, 10], -100),  # the look finds one
        ([6, 10, 5, 6, 10, 10], 200),  # 11 doubles, the dealer breaks
        ([8, 10, 8, 6, 10, 10, 10], 200),  # 8-8 splits and stands on both
        ([2, 10, 10, 10, 10], -100),  # 12 draws against a ten, and breaks
    ],
)
def test_a_las_vegas_round_nets_what_it_must(cards: list[int], net: int) -> None:
    """A single hand of 100 with eight decks."""
    assert play_shoe(game_of("lv-8d"), cards) == net


@pytest.mark.parametrize(
    ("cards", "net"),
    [
        # 1.1, 1.2, up card, 1.1, 1.2, hole card
        ([10, 10, 7, 10, 10, 10], 200),
        ([10, 5, 6, 5, 10, 10], 300),  # T-5 and 5-T switch; 5-5 doubles
        ([10, 10, 10, 10, 10, 1], -200),
        ([10, 10, 6, 10, 10, 6, 10], 0),  # the dealer's 22 pushes
        ([1, 10, 6, 10, 10, 6, 10], 100),  # but not against a natural
    ],
)
def test_a_switch_round_nets_what_it_must(cards: list[int], net: int) -> None:
    """Two hands of 100 in New York; a shoe that runs on deals tens."""
    assert play_shoe(game_of(NY), cards + [10] * 20) == net


def test_six_to_five_is_paid_on_one_deck() -> None:
    """A natural of 100 wins 120 there."""
    assert play_shoe(game_of("lv-1d"), [1, 9, 10, 7]) == 120


def test_a_shoe_that_is_too_short_is_refused() -> None:
    """A hand that draws needs a card that is not there."""
    with pytest.raises(ValueError, match="of a shoe of 4"):
        play_shoe(game_of("lv-8d"), [2, 10, 3, 10])


@pytest.mark.parametrize("shoes", [[[0, 5, 5, 5]], [[11, 5, 5, 5]], [5, 5, 5, 5]])
def test_what_is_no_shoe_is_refused(shoes: list[object]) -> None:
    """Ranks go from 1 to 10, and shoes are rows."""
    with pytest.raises(ValueError, match="rows of ranks"):
        play_shoes(game_of("lv-8d"), shoes)
