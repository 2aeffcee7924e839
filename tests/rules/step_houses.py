"""Rule sets, boxes and cards in which two reasons against a step can meet."""

from blackjack.script import read_script
from tests.rules.played import reasons, script_text
from tests.rules.pure_table import PureTable

ONE = ("wager = 1000",)
TWO = ("wager = 1000", "wager = 1000")
POOR = ("wager = 1000\nbalance = 2000",)
ANN = 'player = "ann"\nwager = 1000'
HOUSES: dict[str, tuple[str, tuple[str, ...]]] = {
    "NY": ("ny-switch-6d", ONE),
    "NY two boxes": ("ny-switch-6d", TWO),
    "NY broke": ("ny-switch-6d", POOR),
    "PR": ("pr-switch-6d", ONE),
    "PR broke": ("pr-switch-6d", POOR),
    "MA": ("ny-multiple-action", ONE),
    "MA broke": ("ny-multiple-action", ("wager = 1000\nbalance = 6000",)),
    "LV": ("lv-6d", ONE),
    "LV two boxes": ("lv-6d", TWO),
    "LV broke": ("lv-6d", POOR),
    "LS": ("lv-switch", TWO),
    "ON": ("online-switch", ONE),
    "ON two boxes": ("online-switch", (ANN, ANN)),
    "ON broke": ("online-switch", POOR),
}
"""A broke player has nothing left once the bet, in multiple action a split, is paid."""

Situation = tuple[str, str, str]
"""House, cards, steps; both reasons apply to the last step."""

# New York and Puerto Rico: 1.1, 1.2, up card, 1.1, 1.2, hole card.
PLAIN = "Th 9c 7d 6h 7s Td"
SEVEN_UP = "Th 9c 7d 6h 8c 9d"
ACE_UP = "Th 9c Ad 6h 8c 9d"
OVER = "Th 9c Kd 6h 8c Ad"
NATURAL = "Ah 9c 7d Kh 8c Td"
SWITCHED_21 = "Ah 9c 7d 6h Kc Td"
EIGHTS = "8h 9c 7d 8s 8c Td 2c 3c"
THREE_CARDS = "Th 9c 7d 2h 8c Td 5s"
# Two boxes: both hands of each, up card, both hands of each, hole card.
LATER_BOX = "Th 9c 2h 9s 7d 6h 8c Tc 8s Td 5s"
LATER_BOX_OF_EIGHTS = "Th 9c 8h 9s 7d 6h 7c 8s 8d Td 8c 8h 8s"
# Multiple action: 1.1, up card, 1.1, hole card, then the split hands.
SPLIT_ONCE = "8h 7c 8d Td 8s 9s"
# Las Vegas: each hand, hole card, each hand, up card.
LV_ACE_UP = "Th 9c 6d Ad"
LV_OVER = "Th Ac 6d Kd"
LV_ACES = "Ah 9c Ad 7d As"
LS_SEVEN_UP = "Th 9c 5d 4h 9s 6h 8c 2d 3h 7s"
# Online: both hands, up card, both hands.
ON_ACE_UP = "Th 9c Ad 6h 8c Kd"
ON_TWO = "Th 9c 8h 7c Ad 6h 8c 9d 7h"


def script_of(situation: Situation) -> str:
    """Write the situation as a script whose last step must be refused."""
    house, cards, steps = situation
    rules, boxes = HOUSES[house]
    *before, last = (step.strip() for step in steps.split(";"))
    return script_text(cards, *before, f"{last} !", rules=rules, boxes=boxes)


def reason_of_the_last(situation: Situation) -> str:
    """Play all but the last step as accepted; return why that one is refused."""
    table = PureTable(read_script(script_of(situation)))
    table.play()
    return reasons(table)[0]
