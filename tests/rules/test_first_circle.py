"""What is left after circle 1 has met the dealer's natural alone (MA-9)."""

from blackjack import machine
from blackjack.machine import Stake
from tests.rules.played import clauses, nets, play

MA = "ny-multiple-action"
FIRST = {"natural_in_round_one": "first_circle"}
CIRCLES = ("wager = [1000, 2000, 3000]",)


def test_ma_9_a_split_stakes_nothing_on_the_circle_that_is_decided() -> None:
    """A void would give back what is named here: the circle's wager stands once."""
    cards = "8h Ac 8d Kd 3c Td Ts"
    steps = ("1.1 decline", "1.1 split", "1.1.1 double")
    table = play(cards, *steps, rules=MA, options=FIRST, boxes=CIRCLES)

    assert machine.stakes(table.game) == (
        Stake("1.1.1.circle_2", 1, 4000),
        Stake("1.1.1.circle_3", 1, 6000),
        Stake("1.1.2.circle_2", 1, 2000),
        Stake("1.1.2.circle_3", 1, 3000),
        Stake("1.1.circle_1", 1, 1000),
    )


def test_ma_29_a_later_natural_is_not_the_one_that_the_look_found() -> None:
    """Circle 1 falls to the look, circle 2 to a natural of its own: both MA-29."""
    steps = ("1.1 decline", "1.1 stand")
    cards = "Th Ac 9d Kd Qs 6c"
    table = play(cards, *steps, rules=MA, options=FIRST, boxes=CIRCLES)

    assert clauses(table) == {
        "1.1.circle_1": ("MA-29",),
        "1.1.circle_2": ("MA-29",),
        "1.1.circle_3": ("MA-33",),
    }


def test_ma_26_a_natural_meets_each_natural_by_itself() -> None:
    """Pushed twice by MA-26, then paid: the dealer's third second card is a six."""
    table = play(
        "Ah Ac Jd Kd Qs 6c", "1.1 decline", rules=MA, options=FIRST, boxes=CIRCLES
    )

    assert clauses(table) == {
        "1.1.circle_1": ("MA-26",),
        "1.1.circle_2": ("MA-26",),
        "1.1.circle_3": ("MA-27",),
    }
    assert nets(table)["1.1.circle_3"] == 4500
