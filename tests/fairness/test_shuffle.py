"""Shuffle and cut: every order equally likely, a pure function of random words."""

from collections import Counter
from itertools import chain, pairwise, product, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blackjack import commitment
from blackjack.shuffle import below, shake_words, shuffled
from contracts.shoe import SeedShare
from push22 import verify_cards

CHI_SQUARE_99 = {51: 77.39, 51 * 51: 2773.0}
"""The 99 % quantiles (R1) for 52 equally likely values, and for 52 x 52 of them."""


def test_r2_every_order_of_four_comes_from_equally_many_words() -> None:
    """Counted over all words that matter: 4 * 3 * 2 ways, 24 orders, one each."""
    ways = product(range(4), range(3), range(2))
    orders = Counter(shuffled("abcd", iter(words)) for words in ways)
    assert len(orders) == 24
    assert set(orders.values()) == {1}


def test_r2_a_word_that_is_out_of_range_is_dropped() -> None:
    """Of two bits 3 is no number below 3; the next word is taken instead."""
    assert below(3, iter([3, 7, 2, 0])) == 2
    assert below(3, iter([0b100])) == 0
    assert below(1, iter([12345])) == 0


def test_r2_each_number_below_a_limit_has_equally_many_words() -> None:
    """All sixteen values of four bits: ten hit, one each, six are dropped."""
    hits = Counter()  # type: Counter[int]
    for word in range(16):
        hits[below(10, chain([word], repeat(1 << 31)))] += 1
    assert hits == Counter({0: 7} | dict.fromkeys(range(1, 10), 1))


@pytest.mark.parametrize("limit", [0, (1 << 32) + 1])
def test_no_number_is_drawn_below_an_impossible_limit(limit: int) -> None:
    """A limit of nothing, or beyond what a word holds, is a bug."""
    with pytest.raises(AssertionError):
        below(limit, repeat(0))


@given(st.integers(0, 416), st.binary(max_size=40))
def test_c1_a_shuffle_is_a_permutation(size: int, seed: bytes) -> None:
    """No card is lost or doubled, whatever the words."""
    order = shuffled(range(size), shake_words(b"", seed))
    assert sorted(order) == list(range(size))


@given(st.lists(st.integers(0, 9)), st.binary(max_size=40))
def test_the_shuffle_is_a_function_of_its_words(items: list[int], seed: bytes) -> None:
    """The same words give the same order, and leave the items as they were."""
    before = list(items)
    first = shuffled(items, shake_words(b"p", seed))
    assert first == shuffled(tuple(items), shake_words(b"p", seed))
    assert items == before


def test_r1_each_card_is_equally_often_at_each_place() -> None:
    """Chi-square at 99 % over 5,200 fixed shuffles of a deck: card x place."""
    counts = Counter()  # type: Counter[tuple[int, int]]
    words = shake_words(b"chi-square", b"1")
    for _ in range(5200):
        counts.update(enumerate(shuffled(range(52), words)))
    assert _chi_square(counts, 52 * 52) < CHI_SQUARE_99[51 * 51]


def test_r1_neighbours_are_independent() -> None:
    """Chi-square of the distance from a card to the one behind it, 51 distances."""
    counts = Counter()  # type: Counter[int]
    words = shake_words(b"chi-square", b"2")
    for _ in range(1000):
        order = shuffled(range(52), words)
        counts.update((b - a) % 52 for a, b in pairwise(order))
    assert 0 not in counts
    assert _chi_square(counts, 51) < CHI_SQUARE_99[51]


def test_r1_cuts_are_equally_likely() -> None:
    """Chi-square at 99 % over the cuts that 10,400 fixed seeds give."""
    counts = Counter()  # type: Counter[int]
    for number in range(10400):
        share = SeedShare(1, bytes(32), number.to_bytes(4, "big"))
        counts[commitment.cut_of("shoe-t1-1", bytes(32), 52, (share,))] += 1
    assert _chi_square(counts, 52) < CHI_SQUARE_99[51]


def _chi_square(counts: Counter[int] | Counter[tuple[int, int]], cells: int) -> float:
    assert len(counts) == cells
    expected = sum(counts.values()) / cells
    return sum((count - expected) ** 2 for count in counts.values()) / expected


def test_h12_every_part_of_the_shares_moves_the_cut() -> None:
    """Shoe, root, box, seed and an unopened seed's hash, each on its own."""
    seed, none = b"seed", bytes(32)
    cuts = [
        commitment.cut_of(shoe, root, 1 << 32, (share,))
        for shoe, root, share in [
            ("shoe-t1-1", none, SeedShare(1, none, seed)),
            ("shoe-t1-2", none, SeedShare(1, none, seed)),
            ("shoe-t1-1", bytes(31) + b"1", SeedShare(1, none, seed)),
            ("shoe-t1-1", none, SeedShare(2, none, seed)),
            ("shoe-t1-1", none, SeedShare(1, none, b"seee")),
            ("shoe-t1-1", none, SeedShare(1, none)),
            ("shoe-t1-1", none, SeedShare(1, bytes(31) + b"1")),
        ]
    ]
    assert len(set(cuts)) == len(cuts)


def test_h12_an_opened_seed_is_not_taken_for_an_unopened_ones_hash() -> None:
    """The same 32 bytes in either part give different cuts."""
    same = bytes(range(32))
    opened = commitment.cut_of("s", same, 1 << 32, (SeedShare(1, bytes(32), same),))
    shut = commitment.cut_of("s", same, 1 << 32, (SeedShare(1, same),))
    assert opened != shut


@given(st.lists(st.integers(0, 51), unique=True), st.binary(max_size=64))
def test_c17_both_implementations_shuffle_discards_alike(
    discards: list[int], reserve: bytes
) -> None:
    """The engine's and the stranger's, with a seed and a shut one."""
    shares = (SeedShare(1, bytes(32), b"x"), SeedShare(3, bytes(32)))
    theirs = [
        {"box": share.box, "seed": share.seed, "seed_hash": share.seed_hash}
        for share in shares
    ]
    assert list(
        commitment.reshuffled("shoe-t1-1", reserve, shares, discards)
    ) == verify_cards.reshuffled("shoe-t1-1", reserve, theirs, discards)


def test_r3_every_bit_of_the_reserve_reaches_every_block_of_words() -> None:
    """Blocks are hashed apart: no 1,600-bit state stands between secret and order."""
    one = shake_words(b"p", bytes(512))
    other = shake_words(b"p", bytes(511) + b"\x01")
    blocks = [[next(words) for _ in range(16 * 30)] for words in (one, other)]
    for start in range(0, 16 * 30, 16):
        assert blocks[0][start : start + 16] != blocks[1][start : start + 16]
