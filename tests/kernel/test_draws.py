"""The kernel's chance: the published generator, and cards that are equally likely."""

from collections import Counter

import numpy as np
import pytest

from push22.kernel import draws
from push22.kernel.draws import PLACE, SIZE, WORDS, Work, new_work
from push22.kernel.simulate import DECK

pytestmark = pytest.mark.slow
"""The functions are compiled first, one by one."""

CHI_SQUARE_Z_MAX = 4.5
"""Some standard deviations; the seed is fixed, so a pass stays a pass."""


def z_of(observed: np.ndarray, expected: np.ndarray) -> float:
    """Return how far chi-square lies from its mean, in standard deviations."""
    freedom = len(observed) - 1
    chi_square = float(((observed - expected) ** 2 / expected).sum())
    return (chi_square - freedom) / (2 * freedom) ** 0.5


def shoe_of(cards: np.ndarray, seed: int) -> Work:
    work = new_work(cards.astype(np.uint8), draws.seeded_state(seed))
    work.run[SIZE] = len(cards)
    return work


def test_the_generator_is_xoshiro256_starstar() -> None:
    """Its first words from the state 1, 2, 3, 4, as other libraries publish them."""
    state = np.array([1, 2, 3, 4], dtype=np.uint64)
    words = [int(draws.next_word(state)) for _ in range(6)]

    assert words == [
        11520,
        0,
        1509978240,
        1215971899390074240,
        1216172134540287360,
        607988272756665600,
    ]


def test_the_seed_goes_through_splitmix64() -> None:
    """The published words of seed 1234567."""
    assert draws.seeded_state(1234567).tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
    ]


def test_every_place_of_a_small_shoe_gets_every_card() -> None:
    """Five different cards: all 60 beginnings of three come equally often."""
    work = shoe_of(np.arange(1, 6), seed=5)
    rounds = 120_000
    found: Counter[tuple[int, ...]] = Counter()
    for count in range(rounds):
        if count % (WORDS // 3) == 0:
            draws.refill(work)
        work.run[PLACE] = 0
        found[tuple(draws.draw(work) for _ in range(3))] += 1
        work.run[draws.BASE] += 3

    assert len(found) == 60
    observed = np.array(list(found.values()))
    assert abs(z_of(observed, np.full(60, rounds / 60))) < CHI_SQUARE_Z_MAX


def test_a_whole_shoe_is_drawn_without_replacement() -> None:
    """Drawing all 312 cards gives each of them once, in another order."""
    cards = np.tile(DECK, 6)
    work = shoe_of(cards, seed=6)
    draws.refill(work)
    drawn = [draws.draw(work) for _ in range(len(cards))]

    assert sorted(drawn) == sorted(cards.tolist())
    assert drawn != cards.tolist()


def test_words_that_favour_some_cards_are_thrown_away() -> None:
    """For three cards the word 0 would make one too likely; another is drawn."""
    state = draws.seeded_state(7)
    untouched = state.copy()

    assert draws.fair(3 * 5, 3, state) == 3 * 5
    assert (state == untouched).all()
    drawn_again = draws.fair(0, 3, state)
    assert drawn_again % 2**32 >= 2**32 % 3
    assert (state != untouched).any()


@pytest.mark.parametrize("decks", [1, 6, 8])
def test_without_chance_the_cards_come_as_they_lie(decks: int) -> None:
    """A word of 1 takes the first card left, whatever their number."""
    cards = np.tile(DECK, decks)
    work = new_work(cards.copy())

    assert [draws.draw(work) for _ in range(len(cards))] == cards.tolist()
