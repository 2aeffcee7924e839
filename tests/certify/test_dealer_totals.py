"""The dealer ends as often as published: every hand of a full shoe (G.4, G.5)."""

from fractions import Fraction

import pytest

from push22.certify.counting import natural_chance
from push22.certify.dealer_totals import ENDINGS, by_up_card, of_any_up_card

OVERALL = [
    (6, True, ".133459 .141205 .135682 .181531 .074874 .047489 .073536 .212224"),
    (6, False, ".145245 .139258 .133685 .179527 .072874 .047489 .072591 .209331"),
    (8, True, ".133409 .141280 .135630 .181714 .074841 .047451 .073544 .212131"),
    (8, False, ".145215 .139318 .133629 .179709 .072838 .047451 .072599 .209240"),
    (2, True, ".133854 .140601 .136104 .180050 .075148 .047797 .073470 .212976"),
    (2, False, ".145482 .138780 .134132 .178058 .073168 .047797 .072519 .210064"),
]

BY_UP_CARD = {
    "2": ".130071 .135978 .131607 .125662 .120022 .000000 .152116 .204544",
    "3": ".125900 .131930 .126656 .122185 .116371 .000000 .097747 .279211",
    "4": ".122458 .125405 .122620 .117830 .113217 .000000 .095653 .302817",
    "5": ".118089 .123042 .118216 .112435 .108586 .000000 .093775 .325857",
    "6": ".115064 .114574 .115043 .110177 .105882 .000000 .089287 .349972",
    "7": ".369208 .137931 .078428 .078682 .073816 .000000 .064597 .197339",
    "8": ".128940 .359955 .128723 .069219 .069470 .000000 .059998 .183695",
    "9": ".120310 .117348 .351854 .120368 .060877 .000000 .056545 .172697",
    "T": ".111914 .111669 .111945 .340014 .034817 .077170 .052262 .160209",
    "A": ".057270 .142822 .142935 .143284 .065858 .308682 .037204 .101945",
}


def printed(chances: dict[str, Fraction]) -> str:
    return " ".join(f"{float(chances[each]):.6f}"[1:] for each in ENDINGS)


@pytest.mark.parametrize(("decks", "hits", "row"), OVERALL)
def test_the_dealer_ends_as_often_as_published(
    decks: int,
    hits: bool,  # noqa: FBT001 - a column of the table
    row: str,
) -> None:
    """G.5: to the last digit shown, every dealer hand played out by C-50."""
    found = of_any_up_card(by_up_card(decks, hits_soft_17=hits))

    assert printed(found) == row


@pytest.mark.parametrize(("up", "row"), BY_UP_CARD.items())
def test_the_up_card_moves_the_endings_as_published(up: str, row: str) -> None:
    """G.5: six decks, soft 17 hit, to the last digit shown."""
    assert printed(by_up_card(6, hits_soft_17=True)[up]) == row


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_no_hand_of_the_dealer_is_lost(decks: int) -> None:
    """Each up card's endings add up to exactly one."""
    for chances in by_up_card(decks, hits_soft_17=True).values():
        assert sum(chances.values()) == 1


@pytest.mark.parametrize(
    ("decks", "chance", "decimals"),
    [
        (1, Fraction(32, 663), "0.0482655"),
        (2, Fraction(64, 1339), "0.0477969"),
        (6, Fraction(192, 4043), "0.0474895"),
        (8, Fraction(256, 5395), "0.0474513"),
    ],
)
def test_naturals_are_as_frequent_as_published(
    decks: int, chance: Fraction, decimals: str
) -> None:
    """G.4: by pairs of cards and, once more, by the dealer's endings; C-5."""
    endings = of_any_up_card(by_up_card(decks, hits_soft_17=True))

    assert natural_chance(decks) == chance
    assert endings["natural"] == chance
    assert f"{float(chance):.7f}" == decimals
