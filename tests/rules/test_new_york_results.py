"""New York results: every cell of the settlement table, side wagers, insurance."""

import pytest

from blackjack.rule_sets import rule_set
from blackjack.settlement import settle
from blackjack.state import Due
from tests.rules.played import LATE, NY, NY_8, clauses, due, nets, play

HANDS: dict[str, tuple[str, dict[str, object]]] = {
    "bust": ("Th 6h 8h", {"state": "bust"}),
    "surrendered": ("Th 6h", {"state": "surrendered"}),
    "natural": ("Ah Kh", {"natural": True}),
    "two-card 21": ("Ah Kh", {}),
    "21": ("7h 7c 7s", {}),
    "21 doubled": ("6h 5h Th", {"stake_minor": 2000, "added_minor": 1000}),
    "20": ("Th Qh", {}),
    "20 doubled": ("6h 5h 9h", {"stake_minor": 1600, "added_minor": 600}),
    "20 on added": ("8h 3c 9h", {"added_minor": 1000}),
    "20 on added, doubled": ("8h 3c 9h", {"stake_minor": 2000, "added_minor": 2000}),
    "21 on added": ("8h 3c Th", {"added_minor": 1000}),
    "17": ("Th 7h", {}),
    "17 doubled": ("6h 5h 6h", {"stake_minor": 2000, "added_minor": 1000}),
}
DEALERS: dict[str, dict[str, object]] = {
    "look": {"dealer": "Td Ad", "dealer_natural": True, "by_look": True},
    "late": {"dealer": "Td Ad", "dealer_natural": True},
    "22": {"dealer": "Td 6d 6c"},
    "23+": {"dealer": "Td 6d 8c"},
    "26": {"dealer": "6d Td Kd"},
    "21": {"dealer": "7d 4d Td"},
    "20": {"dealer": "Td Kd"},
    "18": {"dealer": "Td 8d"},
}
CELLS = """
bust        | 22     | bust      | -1000 | NY-32
bust        | 23+    | bust      | -1000 | NY-32
bust        | late   | bust      | -1000 | NY-32
bust        | 18     | bust      | -1000 | NY-32
surrendered | late   | lose      | -1000 | NY-34
surrendered | 22     | surrender | -500  | NY-33
surrendered | 23+    | surrender | -500  | NY-33
surrendered | 18     | surrender | -500  | NY-33
surrendered | 21     | surrender | -500  | NY-33
natural     | look   | push      | 0     | NY-35
natural     | late   | push      | 0     | NY-35
natural     | 22     | blackjack | 1000  | NY-36
natural     | 23+    | blackjack | 1000  | NY-36
natural     | 21     | blackjack | 1000  | NY-36
natural     | 18     | blackjack | 1000  | NY-36
two-card 21 | late   | push      | 0     | NY-39
two-card 21 | 22     | push      | 0     | NY-41
two-card 21 | 23+    | win       | 1000  | NY-42
two-card 21 | 21     | push      | 0     | NY-44
two-card 21 | 20     | win       | 1000  | NY-43
21          | late   | lose      | -1000 | NY-38
21          | 22     | push      | 0     | NY-41
21          | 23+    | win       | 1000  | NY-42
21          | 21     | push      | 0     | NY-44
21          | 20     | win       | 1000  | NY-43
21 doubled  | late   | lose      | -1000 | NY-38 NY-40
21 doubled  | 22     | push      | 0     | NY-41
21 doubled  | 23+    | win       | 2000  | NY-42
21 doubled  | 21     | push      | 0     | NY-44
21 doubled  | 20     | win       | 2000  | NY-43
21 on added | late   | push      | 0     | NY-38 NY-40
20          | look   | lose      | -1000 | NY-37
20          | late   | lose      | -1000 | NY-37
20          | 22     | push      | 0     | NY-41
20          | 23+    | win       | 1000  | NY-42
20          | 26     | win       | 1000  | NY-42
20          | 18     | win       | 1000  | NY-43
20          | 20     | push      | 0     | NY-44
20          | 21     | lose      | -1000 | NY-45
20 doubled  | late   | lose      | -1000 | NY-37 NY-40
20 doubled  | 22     | push      | 0     | NY-41
20 doubled  | 26     | win       | 1600  | NY-42
20 doubled  | 18     | win       | 1600  | NY-43
20 doubled  | 20     | push      | 0     | NY-44
20 doubled  | 21     | lose      | -1600 | NY-45
20 on added | late   | push      | 0     | NY-37 NY-40
20 on added, doubled | late | push | 0    | NY-37 NY-40
20 on added | 18     | win       | 1000  | NY-43
20 on added | 21     | lose      | -1000 | NY-45
17          | look   | lose      | -1000 | NY-37
17          | 18     | lose      | -1000 | NY-45
17 doubled  | 18     | lose      | -2000 | NY-45
17          | 22     | push      | 0     | NY-41
17          | 26     | win       | 1000  | NY-42
"""
ROWS = [
    tuple(cell.strip() for cell in row.split("|")) for row in CELLS.strip().split("\n")
]


@pytest.mark.parametrize("name", [NY, NY_8])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} v {row[1]}")
def test_ny_32_to_45_each_cell(row: tuple[str, ...], name: str) -> None:
    """Result, net and clauses, cell by cell: NY-32 to NY-45."""
    hand, dealer, result, net, cited = row
    cards, facts = HANDS[hand]
    rules = rule_set(name, LATE if dealer == "late" else {})
    line = settle(rules, due(cards, **facts, **DEALERS[dealer]))
    assert line.result == result
    assert line.payout_minor - line.stake_minor == int(net)
    assert line.clauses == tuple(cited.split())


MATCHES = """
9h 8c 7s 6d | -1 -1 | NY-11
Th Jc Qs Kd | -1 -1 | NY-11
9h 8c 9s 6d | 1 1   | NY-12
9h 9c 9s 6d | 5 5   | NY-13
9h 6c 6s 9d | 8 7   | NY-14
Kh Kc Ks Kh | 40 50 | NY-15
"""
SIDES = [
    tuple(cell.strip() for cell in row.split("|"))
    for row in MATCHES.strip().split("\n")
]


@pytest.mark.parametrize("row", SIDES, ids=lambda row: row[0])
def test_ny_11_to_15_super_match(row: tuple[str, ...]) -> None:
    """Six decks and eight: NY-11 to NY-15, by rank whatever the suits (NY-9)."""
    cards, factors, clause = row
    for name, factor in zip((NY, NY_8), factors.split(), strict=True):
        side = Due(
            "1.super_match",
            1,
            "side",
            300,
            cards=tuple(cards.split()),
            side="super_match",
        )
        line = settle(rule_set(name), side)
        assert line.payout_minor - 300 == 300 * int(factor)
        assert line.result == ("lose" if factor == "-1" else "win")
        assert line.clauses == (clause,)


@pytest.mark.parametrize("name", [NY, NY_8])
@pytest.mark.parametrize("options", [{}, LATE])
@pytest.mark.parametrize(
    ("natural", "result", "net", "clause"),
    [(True, "win", 800, "NY-17"), (False, "lose", -400, "NY-18")],
)
def test_ny_17_and_18_insurance(  # one row and what it is played with
    name: str,
    options: dict[str, str],
    *,
    natural: bool,
    result: str,
    net: int,
    clause: str,
) -> None:
    """A natural pays 2:1 (NY-17); without one the insurance loses (NY-18)."""
    item = Due("1.1.insurance", 1, "insurance", 400, dealer_natural=natural)
    line = settle(rule_set(name, options), item)
    assert (line.result, line.payout_minor - 400) == (result, net)
    assert line.clauses == (clause,)


def test_ny_40_played_through() -> None:
    """A late natural: 1.1.1 loses its wager, its double and all of 1.1.2 go back."""
    cards = "8h Th Ad 8c 9h 3s Td 3c 2c Kd"
    steps = ("1.1 split", "1.1.1 double", "1.1.2 hit", "1.1.2 stand", "1.2 stand")
    table = play(cards, *steps, options=LATE)
    assert nets(table) == {"1.1.1": -1000, "1.1.2": 0, "1.2": -1000}
    assert clauses(table)["1.1.1"] == ("NY-38", "NY-40")
    assert clauses(table)["1.1.2"] == ("NY-37", "NY-40")


def test_ny_40_what_a_bust_took_stays_lost() -> None:
    """1.1.1 busts doubled: both stakes are lost before the natural shows."""
    cards = "8h Th Ad 8c 9h 9s Kc 3c Kd"
    steps = ("1.1 split", "1.1.1 hit", "1.1.2 stand", "1.2 stand")
    table = play(cards, *steps, options=LATE)
    assert nets(table) == {"1.1.1": -1000, "1.1.2": 0, "1.2": -1000}
    assert clauses(table)["1.1.1"] == ("NY-32",)


def test_ny_40_a_hand_split_from_the_second_stands_on_added_stake() -> None:
    """1.1.2.1 and 1.1.2.2 push, 1.1.1 loses its original wager."""
    cards = "8h Th Ad 8c 9h 3s 8d 2c 2d Kd"
    steps = ("1.1 split", "1.1.1 stand", "1.1.2 split", "1.1.2.1 stand")
    more = ("1.1.2.2 stand", "1.2 stand")
    table = play(cards, *steps, *more, options=LATE)
    assert nets(table) == {"1.1.1": -1000, "1.1.2.1": 0, "1.1.2.2": 0, "1.2": -1000}
