"""Insurance is worth what is published, whatever of the box is seen (G.3)."""

from fractions import Fraction

import pytest

from blackjack.house_rules import RuleSet
from blackjack.rule_sets import rule_set
from push22.certify.insurance_worth import insurance_worth, insurance_worths


def values(rules: RuleSet, up: str, seen: int) -> list[Fraction]:
    found = insurance_worths(rules)
    return [each.value for each in found if (each.up, each.seen) == (up, seen)]


@pytest.mark.parametrize(
    ("name", "value", "printed"),
    [
        ("lv-1d", "-1/17", "-5.8824"),
        ("lv-2d", "-7/103", "-6.7961"),
        ("ny-switch-6d", "-23/311", "-7.3955"),
        ("ny-switch-8d", "-31/415", "-7.4699"),
    ],
)
def test_insurance_against_an_ace_is_worth_what_is_published(
    name: str, value: str, printed: str
) -> None:
    """G.3: no other card seen."""
    (found,) = values(rule_set(name), "A", 0)

    assert str(found) == value
    assert f"{100 * float(found):.4f}" == printed


@pytest.mark.parametrize(
    ("name", "value", "printed"),
    [
        ("ny-switch-6d", "-239/311", "-76.8489"),
        ("ny-switch-8d", "-319/415", "-76.8675"),
    ],
)
def test_insurance_against_a_ten_is_worth_what_is_published(
    name: str, value: str, printed: str
) -> None:
    """G.3: no other card seen; offered in New York alone."""
    (found,) = values(rule_set(name), "T", 0)

    assert str(found) == value
    assert f"{100 * float(found):.4f}" == printed


@pytest.mark.parametrize(
    ("name", "up", "fractions"),
    [
        ("ny-switch-6d", "A", [Fraction(-(19 + 3 * k), 307) for k in range(5)]),
        ("ny-switch-8d", "A", [Fraction(-(9 + k), 137) for k in range(5)]),
        ("ny-switch-6d", "T", [Fraction(-(235 + 3 * j), 307) for j in range(5)]),
        ("ny-switch-8d", "T", [Fraction(-(105 + j), 137) for j in range(5)]),
    ],
)
def test_with_the_box_seen_insurance_is_worth_what_is_published(
    name: str, up: str, fractions: list[Fraction]
) -> None:
    """G.3: four cards of a Switch box seen, 0 to 4 of them completing the natural."""
    assert values(rule_set(name), up, 4) == fractions


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("ny-switch-6d", "-6.19 -7.17 -8.14 -9.12 -10.10"),
        ("ny-switch-8d", "-6.57 -7.30 -8.03 -8.76 -9.49"),
    ],
)
def test_the_printed_percentages_agree(name: str, printed: str) -> None:
    """G.3: two decimals for each number of tens seen."""
    found = values(rule_set(name), "A", 4)

    assert [f"{100 * float(value):.2f}" for value in found] == printed.split()


def test_only_the_up_cards_that_insure_are_listed() -> None:
    """Puerto Rico insures against an ace alone."""
    ups = {each.up for each in insurance_worths(rule_set("pr-switch-6d"))}

    assert ups == {"A"}


def test_a_box_of_one_hand_sees_two_cards() -> None:
    """Outside Switch games only the hand's own two cards are known."""
    found = insurance_worths(rule_set("lv-1d"))

    assert [(each.seen, each.completing) for each in found] == [
        (0, 0),
        (2, 0),
        (2, 1),
        (2, 2),
    ]


def test_what_is_seen_averages_to_what_is_unseen() -> None:
    """Over all hands the mean of the values with the cards seen is the blind value."""
    rules = rule_set("lv-1d")
    chances = (Fraction(35 * 34), Fraction(2 * 35 * 16), Fraction(16 * 15))
    whole = 51 * 50

    mean = sum(
        chance / whole * insurance_worth(rules, "A", 2, tens).value
        for tens, chance in enumerate(chances)
    )

    assert mean == insurance_worth(rules, "A", 0, 0).value
