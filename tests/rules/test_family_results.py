"""Every cell of the settlement tables E.2 to E.6, written out by hand.

New York Switch (E.1) has its own file.
"""

import pytest

from blackjack.rule_sets import rule_set
from blackjack.settlement import settle
from blackjack.state import Due
from tests.rules.played import due

HANDS: dict[str, tuple[str, dict[str, object]]] = {
    "bust": ("Th 6h 8h", {"state": "bust"}),
    "surrendered": ("Th 6h", {"state": "surrendered"}),
    "even money": ("Ah Kh", {"state": "even_money", "natural": True}),
    "natural": ("Ah Kh", {"natural": True}),
    "paid natural": ("Ah Kh", {"state": "paid", "natural": True}),
    "two-card 21": ("Ah Kh", {}),
    "21": ("7h 7c 7s", {}),
    "21 doubled": ("6h 5h Th", {"stake_minor": 2000, "added_minor": 1000}),
    "20": ("Th Qh", {}),
    "20 doubled": ("6h 5h 9h", {"stake_minor": 2000, "added_minor": 1000}),
}
DEALERS: dict[str, dict[str, object]] = {
    "natural": {"dealer": "Td Ad", "dealer_natural": True},
    "22": {"dealer": "Td 6d 6c"},
    "23": {"dealer": "Td 6d 7c"},
    "21": {"dealer": "7d 4d Td"},
    "20": {"dealer": "Td Kd"},
    "19": {"dealer": "Td 9d"},
    "none": {},
}
LOOK: dict[str, object] = {**DEALERS["natural"], "by_look": True}

MULTIPLE_ACTION = """
bust        | natural | bust      | -1000 | MA-24
bust        | 22      | bust      | -1000 | MA-24
bust        | 19      | bust      | -1000 | MA-24
surrendered | natural | surrender | -500  | MA-25
surrendered | 23      | surrender | -500  | MA-25
surrendered | 21      | surrender | -500  | MA-25
natural     | natural | push      | 0     | MA-26
natural     | 22      | blackjack | 1500  | MA-27
natural     | 21      | blackjack | 1500  | MA-27
two-card 21 | natural | lose      | -1000 | MA-28
two-card 21 | 22      | win       | 1000  | MA-32
two-card 21 | 21      | win       | 1000  | MA-36
two-card 21 | 20      | win       | 1000  | MA-33
21          | natural | lose      | -1000 | MA-28
21 doubled  | natural | lose      | -2000 | MA-28
21          | 23      | win       | 1000  | MA-32
21          | 21      | push      | 0     | MA-34
21          | 20      | win       | 1000  | MA-33
20          | natural | lose      | -1000 | MA-29
20 doubled  | natural | lose      | -2000 | MA-29
20          | 22      | win       | 1000  | MA-32
20          | 19      | win       | 1000  | MA-33
20          | 20      | push      | 0     | MA-34
20          | 21      | lose      | -1000 | MA-35
20 doubled  | 21      | lose      | -2000 | MA-35
"""
PUERTO_RICO = """
bust        | 22      | bust      | -1000 | PR-26
bust        | 23      | bust      | -1000 | PR-26
bust        | 19      | bust      | -1000 | PR-26
natural     | natural | push      | 0     | PR-27
natural     | 22      | blackjack | 1000  | PR-28
natural     | 23      | blackjack | 1000  | PR-28
natural     | 21      | blackjack | 1000  | PR-28
two-card 21 | 22      | push      | 0     | PR-30
two-card 21 | 23      | win       | 1000  | PR-31
21          | 21      | push      | 0     | PR-33
21          | 20      | win       | 1000  | PR-32
20          | natural | lose      | -1000 | PR-29
20          | 22      | push      | 0     | PR-30
20 doubled  | 23      | win       | 2000  | PR-31
20          | 19      | win       | 1000  | PR-32
20          | 20      | push      | 0     | PR-33
20          | 21      | lose      | -1000 | PR-34
"""
LAS_VEGAS = """
even money   | natural | even_money | 1000  | LV-39
even money   | none    | even_money | 1000  | LV-39
natural      | natural | push       | 0     | LV-37
paid natural | none    | blackjack  | 1500  | LV-40
bust         | 22      | bust       | -1000 | LV-35
bust         | 19      | bust       | -1000 | LV-35
surrendered  | none    | surrender  | -500  | LV-36
two-card 21  | 22      | win        | 1000  | LV-42
two-card 21  | 21      | push       | 0     | LV-44
21           | 20      | win        | 1000  | LV-43
20           | natural | lose       | -1000 | LV-38
20           | 22      | win        | 1000  | LV-42
20 doubled   | 23      | win        | 2000  | LV-42
20           | 19      | win        | 1000  | LV-43
20           | 20      | push       | 0     | LV-44
20           | 21      | lose       | -1000 | LV-45
"""
ONE_DECK = """
paid natural | none    | blackjack  | 1200  | LV-41
natural      | natural | push       | 0     | LV-37
20           | 21      | lose       | -1000 | LV-45
"""
LAS_VEGAS_SWITCH = """
even money   | natural | even_money | 1000  | LS-25
even money   | 22      | even_money | 1000  | LS-25
natural      | natural | push       | 0     | LS-23
paid natural | none    | blackjack  | 1000  | LS-26
bust         | 22      | bust       | -1000 | LS-22
bust         | 23      | bust       | -1000 | LS-22
two-card 21  | 22      | push       | 0     | LS-27
two-card 21  | 23      | win        | 1000  | LS-28
21           | 21      | push       | 0     | LS-30
21           | 20      | win        | 1000  | LS-29
20           | natural | lose       | -1000 | LS-24
20           | 22      | push       | 0     | LS-27
20 doubled   | 23      | win        | 2000  | LS-28
20           | 19      | win        | 1000  | LS-29
20           | 20      | push       | 0     | LS-30
20           | 21      | lose       | -1000 | LS-31
"""
ONLINE = """
bust        | natural | bust      | -1000 | ON-25
bust        | 22      | bust      | -1000 | ON-25
natural     | natural | push      | 0     | ON-26
natural     | 22      | blackjack | 1000  | ON-27
natural     | 21      | blackjack | 1000  | ON-27
two-card 21 | natural | lose      | -1000 | ON-28
21 doubled  | natural | lose      | -2000 | ON-28
21          | 22      | push      | 0     | ON-29
21          | 23      | win       | 1000  | ON-30
21          | 21      | push      | 0     | ON-32
21          | 20      | win       | 1000  | ON-31
20          | natural | lose      | -1000 | ON-28
20 doubled  | natural | lose      | -2000 | ON-28
20          | 22      | push      | 0     | ON-29
20          | 23      | win       | 1000  | ON-30
20          | 19      | win       | 1000  | ON-31
20          | 20      | push      | 0     | ON-32
20          | 21      | lose      | -1000 | ON-33
"""
TABLES = {
    "ny-multiple-action": MULTIPLE_ACTION,
    "pr-switch-6d": PUERTO_RICO,
    "pr-switch-8d": PUERTO_RICO,
    "lv-8d": LAS_VEGAS,
    "lv-6d": LAS_VEGAS,
    "lv-6d-high-limit": LAS_VEGAS,
    "lv-2d-pitch": LAS_VEGAS,
    "lv-2d": LAS_VEGAS,
    "lv-1d": ONE_DECK,
    "lv-switch": LAS_VEGAS_SWITCH,
    "online-switch": ONLINE,
}
ROWS = [
    (name, *(cell.strip() for cell in row.split("|")))
    for name, table in TABLES.items()
    for row in table.strip().split("\n")
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}: {row[1]} v {row[2]}")
def test_a_hand_against_the_dealer_ends_as_its_table_says(row: tuple[str, ...]) -> None:
    """Result, net and clause of each cell of E.2 to E.6 for a wager of 1000.

    MA-24 to MA-29, MA-32 to MA-36, PR-26 to PR-34, LV-35 to LV-45, LS-22 to LS-31
    and ON-25 to ON-33.
    """
    name, hand, dealer, result, net, cited = row
    cards, facts = HANDS[hand]
    line = settle(rule_set(name), due(cards, **facts, **DEALERS[dealer]))
    assert line.result == result
    assert line.payout_minor - line.stake_minor == int(net)
    assert line.clauses == (cited,)


@pytest.mark.parametrize(
    ("hand", "circle", "result", "net", "cited"),
    [
        ("natural", 1, "push", 0, "MA-26"),
        ("20", 1, "lose", -1000, "MA-29"),
        ("natural", 2, "push", 0, "MA-31"),
        ("natural", 3, "push", 0, "MA-31"),
        ("20", 2, "lose", -1000, "MA-30"),
        ("20", 3, "lose", -1000, "MA-30"),
    ],
)
def test_a_natural_by_the_look_decides_all_circles(
    *, hand: str, circle: int, result: str, net: int, cited: str
) -> None:
    """MA-9 `settle_all`: the later circles cite MA-30 and MA-31."""
    cards, facts = HANDS[hand]
    decided = due(cards, **facts, **LOOK, circle=circle)
    line = settle(rule_set("ny-multiple-action"), decided)
    assert (line.result, line.payout_minor - 1000) == (result, net)
    assert line.clauses == (cited,)


SIDES = """
pr-switch-6d     | 9h 8c 7s 6d | -1 | PR-8
pr-switch-6d     | 9h 8c 9s 6d | 1  | PR-9
pr-switch-6d     | 9h 9c 9s 6d | 5  | PR-10
pr-switch-8d     | 9h 6c 6s 9d | 8  | PR-11
pr-switch-8d     | Kh Kc Ks Kh | 40 | PR-12
lv-8d            | Th Qh       | -1 | LV-15
lv-6d            | 9h 9c       | 10 | LV-16
lv-6d-high-limit | 9h 9h       | 15 | LV-17
lv-2d            | 9h 9c       | 10 | LV-16
lv-2d-pitch      | 9h 9h       | 25 | LV-18
lv-switch        | 9h 8c 7s 6d | -1 | LS-8
lv-switch        | 9h 8c 9s 6d | 1  | LS-9
lv-switch        | 9h 9c 9s 6d | 5  | LS-10
lv-switch        | 9h 6c 6s 9d | 8  | LS-11
lv-switch        | Kh Kc Ks Kh | 40 | LS-12
online-switch    | 9h 8c 7s 6d | -1 | ON-6
online-switch    | 9h 8c 9s 6d | 1  | ON-7
online-switch    | 9h 9c 9s 6d | 5  | ON-8
online-switch    | 9h 6c 6s 9d | 8  | ON-9
online-switch    | Kh Kc Ks Kh | 40 | ON-10
"""
SIDE_ROWS = [
    tuple(cell.strip() for cell in row.split("|")) for row in SIDES.strip().split("\n")
]


def side_due(cards: str) -> Due:
    dealt = tuple(cards.split())
    name = "super_match" if len(dealt) == 4 else "bet_the_set"
    return Due(f"1.{name}", 1, "side", 100, cards=dealt, side=name)


@pytest.mark.parametrize("row", SIDE_ROWS, ids=lambda row: f"{row[0]}: {row[1]}")
def test_a_side_wager_pays_what_its_table_says(row: tuple[str, ...]) -> None:
    """Odds and clause of each category, on a wager of 100 (C-20, C-21).

    PR-8 to PR-12, LV-15 to LV-18, LS-8 to LS-12 and ON-6 to ON-10.
    """
    name, cards, odds, cited = row
    line = settle(rule_set(name), side_due(cards))
    assert line.result == ("lose" if odds == "-1" else "win")
    assert line.payout_minor - 100 == 100 * int(odds)
    assert line.clauses == (cited,)


@pytest.mark.parametrize(("cards", "odds"), [("9h 6c 6s 9d", 7), ("Kh Kc Ks Kh", 50)])
def test_las_vegas_switch_with_eight_decks_pays_their_table(
    cards: str, odds: int
) -> None:
    """LS-11 and LS-12 under the option `decks = 8`."""
    line = settle(rule_set("lv-switch", {"decks": 8}), side_due(cards))
    assert line.payout_minor == 100 * (odds + 1)


@pytest.mark.parametrize(
    ("name", "win", "lose"),
    [
        ("ny-multiple-action", "MA-12", "MA-13"),
        ("pr-switch-6d", "PR-14", "PR-15"),
        ("lv-1d", "LV-20", "LV-21"),
        ("lv-switch", "LS-13", "LS-14"),
        ("online-switch", "ON-13", "ON-14"),
    ],
)
def test_insurance_pays_two_to_one_or_loses(name: str, win: str, lose: str) -> None:
    """C-25 with the family's own clauses, on a stake of 333.

    MA-12, MA-13, PR-14, PR-15, LV-20, LV-21, LS-13, LS-14, ON-13 and ON-14.
    """
    rules = rule_set(name)
    insured = Due("1.1.insurance", 1, "insurance", 333, dealer_natural=True)
    won = settle(rules, insured)
    lost = settle(rules, Due("1.1.insurance", 1, "insurance", 333))
    assert (won.result, won.payout_minor, won.clauses) == ("win", 999, (win,))
    assert (lost.result, lost.payout_minor, lost.clauses) == ("lose", 0, (lose,))
