"""The game behind a rule set: only what matters to the play of a hand.

Rule sets with one game share one strategy table. Left out because no best play turns
on it: doubling for less, playing on with a natural, hitting 21, side wagers.
"""

from typing import Literal

import msgspec

from blackjack.house_rules import RuleSet


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """What a strategy table is solved for.

    `look`: against every dealer's hand, none, or the first of `circles` dealer's hands
    on one up card (multiple action). `switched_is_21`: an ace and a ten brought
    together by a switch is 21 and no natural.
    """

    decks: int
    hits_soft_17: bool
    push_22: bool
    look: bool
    circles: int
    natural_pays: tuple[int, int]
    even_money: bool
    switched_is_21: bool
    surrender: Literal["no", "yes", "waits"]
    hands_max: int
    ace_hands_max: int
    late_natural_takes_added: bool
    two_card_21_pushes_natural: bool
    two_card_21_beats_21: bool

    @property
    def name(self) -> str:
        """The name of its file: every parameter has its part in it."""
        numerator, denominator = self.natural_pays
        parts = (
            f"{self.decks}d",
            "h17" if self.hits_soft_17 else "s17",
            "push22" if self.push_22 else "",
            "look" if self.look else "no-look",
            f"{self.circles}-circles" if self.circles > 1 else "",
            f"{numerator}to{denominator}",
            "even-money" if self.even_money else "",
            "switched-21" if self.switched_is_21 else "",
            {"no": "", "yes": "surrender", "waits": "surrender-waits"}[self.surrender],
            f"split{self.hands_max}",
            f"aces{self.ace_hands_max}",
            "" if self.late_natural_takes_added else "original-only",
            "21-pushes-natural" if self.two_card_21_pushes_natural else "",
            "21-beats-21" if self.two_card_21_beats_21 else "",
        )
        return "-".join(part for part in parts if part)


def game_of(rules: RuleSet) -> Game:
    surrender: Literal["no", "yes", "waits"] = "no"
    if rules.surrender:
        surrender = "waits" if rules.surrender_waits else "yes"
    return Game(
        decks=rules.decks,
        hits_soft_17=rules.hits_soft_17,
        push_22=rules.push_22,
        look=rules.look,
        circles=rules.dealer_rounds,
        natural_pays=rules.natural_pays,
        even_money=rules.even_money,
        switched_is_21=rules.switch is not None and not rules.switch.makes_naturals,
        surrender=surrender,
        hands_max=rules.hands_max,
        ace_hands_max=rules.ace_hands_max,
        late_natural_takes_added=rules.natural_takes_added,
        two_card_21_pushes_natural=rules.two_card_21_pushes_natural,
        two_card_21_beats_21=rules.two_card_21_beats_21,
    )
