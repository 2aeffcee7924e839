"""The same shoes for the kernel and for the production rule book.

A shoe is a row of card codes; the rule book gets its cards, the kernel their ranks.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np
import numpy.typing as npt

from blackjack import machine, strategy
from blackjack.bets import Bet
from blackjack.cards import FULL_DECK, VALUES
from blackjack.house_rules import RuleSet
from blackjack.settlement import settle
from blackjack.strategy_table import Cell, StrategyTable, strategy_for
from push22.kernel import WAGER_MINOR, compile_game, outcomes

CARDS = 52
"""As many cards of each shoe as the smallest one has; no round needs more."""

POOR_CARDS = 200
"""More than eight hands of small cards take."""

TOTALS = tuple(product(range(3, 22), range(1, 11)))
RANKS = np.array([VALUES[card] for card in FULL_DECK], dtype=np.uint8)

Codes = npt.NDArray[np.uint16]


def random_shoes(decks: int, count: int, chance: np.random.Generator) -> Codes:
    """Return the top cards of `count` full shuffled shoes, by Fisher-Yates."""
    size = 52 * decks
    shoes = np.tile(np.arange(size, dtype=np.uint16), (count, 1))
    rows = np.arange(count)
    for place in range(min(CARDS, size - 1)):
        chosen = chance.integers(place, size, count)
        here = shoes[:, place].copy()
        shoes[:, place] = shoes[rows, chosen]
        shoes[rows, chosen] = here
    return shoes[:, :CARDS] % 52


def poor_shoes(ranks: str, count: int, chance: np.random.Generator) -> Codes:
    """Return endless shoes of a few ranks: pairs, aces and naturals all the time."""
    codes = [code for code, card in enumerate(FULL_DECK) if card[0] in ranks]
    return chance.choice(np.array(codes, dtype=np.uint16), (count, POOR_CARDS))


def wild_table(chance: np.random.Generator) -> StrategyTable:
    """Return a table that plays anything: every letter in any order, any value."""
    two = {
        (low, high, up): Cell("".join(chance.permutation(list("HSDPR"))), worth)
        for low, high, up in product(range(1, 11), repeat=3)
        for worth in [float(chance.integers(-8, 9)) / 8]
    }
    totals = [{key: str(chance.choice(["H", "S"])) for key in TOTALS} for _ in range(2)]
    natural = {up: float(chance.integers(0, 9)) / 8 for up in range(1, 11)}
    return StrategyTable(
        two, *totals, natural=natural, takes_even_money=True, digest="wild"
    )


def by_the_book(
    rules: RuleSet, bets: tuple[Bet, ...], cards: list[str]
) -> tuple[int, int, int, int]:
    """Play one round by the rule book from the top of `cards`.

    Returns its net, what was staked, how many cards it took, and whether it switched.
    """
    place = net = staked = switched = 0
    hole = ""
    game = machine.open_round(rules, bets)
    while True:
        for due in game.dues:
            line = settle(rules, due)
            net += line.payout_minor - line.stake_minor
            staked += line.stake_minor
        game = machine.take_dues(game) if game.dues else game
        if game.wanted:
            places = game.wanted
            drawn: list[str | None] = list(cards[place : place + len(places)])
            place += len(places)
            if "hole" in places:
                at = places.index("hole")
                hole, drawn[at] = str(drawn[at]), None
            game = machine.deal(game, tuple(drawn))
        elif game.stage == "look":
            game = machine.looked(game, machine.is_natural((hole, game.up)))
        elif game.stage == "hole":
            game = machine.turn_hole(game, hole)
        elif game.stage == "over":
            return net, staked, place, switched
        else:
            chosen = strategy.choose(game)
            assert chosen is not None, "somebody is asked"
            switched += chosen[1] == "switch"
            game = machine.apply(game, *chosen)


def differences(
    rules: RuleSet,
    shoes: Codes,
    *,
    table: StrategyTable | None = None,
    wager_minor: int = WAGER_MINOR,
    circles: int | None = None,
) -> Iterator[str]:
    """Deal the shoes to both and tell each round that is not the same."""
    game = compile_game(
        rules, table or strategy_for(rules), wager_minor=wager_minor, circles=circles
    )
    wagers = rules.hands_per_box * game.rules.circles
    bets = (Bet(1, (wager_minor,) * wagers),)
    columns = [column.tolist() for column in outcomes(game, RANKS[shoes])]
    kernel = zip(*columns, strict=True)
    for shoe, found in zip(shoes.tolist(), kernel, strict=True):
        cards = [FULL_DECK[code] for code in shoe]
        book = by_the_book(rules, bets, cards)
        if book != found:
            yield f"{' '.join(cards)}: book {book}, kernel {found}"
