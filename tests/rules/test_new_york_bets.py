"""New York wagers, entry, Super Match, insurance and look: NY-1 to NY-19."""

import pytest

from blackjack import machine
from blackjack.bets import Bet, BetContext, bet_refusal
from blackjack.rule_sets import Limits, RuleSetError, digest, rule_set
from services.table_orchestrator.entry import History, entry_of, played, shuffled
from tests.rules.played import LATE, NY, NY_8, clauses, nets, pending, play, reasons


def refused(bet: Bet, *, limits: Limits | None = None, **context: object) -> str | None:
    rules = rule_set(NY, context.pop("options", {}))
    facts = BetContext(**{"player": "ann", **context})
    return bet_refusal(rules, limits or Limits(), bet, facts)


def test_ny_1_the_id_says_how_many_decks() -> None:
    """Six and eight."""
    assert rule_set(NY).decks == 6
    assert rule_set(NY_8).decks == 8


@pytest.mark.parametrize(
    ("wagers", "reason"),
    [
        ((1000, 1000), None),
        ((500000, 500000), None),
        ((1000,), "wrong_wager_count"),
        ((1000, 1000, 1000), "wrong_wager_count"),
        ((1000, 1001), "wagers_not_equal"),
        ((999, 999), "below_minimum"),
        ((500001, 500001), "above_maximum"),
    ],
)
def test_ny_2_two_equal_wagers_within_the_posted_limits(
    wagers: tuple[int, ...], reason: str | None
) -> None:
    """Minimum and maximum apply to each."""
    assert refused(Bet(1, wagers)) == reason


def test_ny_2_the_hands_of_a_box_are_decided_by_themselves() -> None:
    """One wins, one loses."""
    table = play("Th 9c 8d Th 6c Td", "1.1 stand", "1.2 stand")
    assert nets(table) == {"1.1": 1000, "1.2": -1000}


def test_ny_3_five_boxes() -> None:
    """Box 5 is there, boxes 0 and 6 are not."""
    assert refused(Bet(5, (1000, 1000))) is None
    assert refused(Bet(6, (1000, 1000))) == "no_such_box"
    assert refused(Bet(0, (1000, 1000))) == "no_such_box"


@pytest.mark.parametrize("most", [1, 2, 3, 4, 5])
def test_ny_3_one_player_holds_boxes_up_to_the_option(most: int) -> None:
    """Any free boxes, next to each other or not."""
    order = (1, 3, 5, 2, 4)
    options = {"boxes_per_player": most}
    for count, box in enumerate(order):
        holders = dict.fromkeys(order[:count], "ann")
        reason = refused(Bet(box, (1000, 1000)), holders=holders, options=options)
        assert reason == (None if count < most else "too_many_boxes")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("soft17", "maybe"),
        ("hole_card", "early"),
        ("hole_card", True),
        ("mid_shoe_entry", "closed"),
        ("boxes_per_player", 0),
        ("boxes_per_player", 6),
        ("boxes_per_player", 2.0),
        ("boxes_per_player", True),
        ("penetration", 0.49),
        ("penetration", 0.91),
        ("penetration", 1),
        ("penetration", "0.75"),
        ("penetration", True),
        ("decks", 8),
        ("delivery", "hole"),
        ("switch_back", True),
        ("double_for_less", False),
        ("overbet", "refuse"),
        ("natural_in_round_one", "settle_all"),
        ("entry", "open"),
    ],
)
def test_options_and_values_that_are_not_listed_are_errors(
    name: str, value: object
) -> None:
    """The error names the rule set and the option."""
    with pytest.raises(RuleSetError, match=f"{NY}.*{name}"):
        rule_set(NY, {name: value})


@pytest.mark.parametrize(
    ("name", "default", "other"),
    [
        ("soft17", "hit", "stand"),
        ("hole_card", "dealt", "late"),
        ("mid_shoe_entry", "open", "barred"),
        ("boxes_per_player", 5, 1),
        ("penetration", 0.75, 0.5),
    ],
)
def test_options_have_their_defaults(name: str, default: object, other: object) -> None:
    """Setting the default changes nothing; another value changes the rules."""
    plain = digest(rule_set(NY))
    assert digest(rule_set(NY, {name: default})) == plain
    assert digest(rule_set(NY, {name: other})) != plain


def test_ny_4_barred_who_lets_a_round_pass_waits_for_the_shuffle() -> None:
    """Ann plays both rounds; Bob misses one and Cy comes late: both are barred."""
    rules = rule_set(NY, {"mid_shoe_entry": "barred"})
    history = History()
    assert entry_of(rules, history, 1000).admitted is None
    history = played(history, ("ann", "bob"), 4, 1000)
    assert entry_of(rules, history, 1000).admitted == ("ann", "bob")
    history = played(history, ("ann",), 2, 1000)
    assert entry_of(rules, history, 1000).admitted == ("ann",)
    assert entry_of(rules, shuffled(history), 1000).admitted is None
    assert entry_of(rule_set(NY), history, 1000).admitted is None


def test_ny_4_a_barred_player_is_refused() -> None:
    """The reason of the reference."""
    assert refused(Bet(1, (1000, 1000)), barred=True) == "entry_barred"


def test_ny_5_one_card_is_burned_per_shoe_and_per_new_dealer() -> None:
    """It may be seen on request."""
    rules = rule_set(NY)
    assert (rules.burn_per_shuffle, rules.burn_per_dealer) == (1, 1)
    assert rules.burn_shown


def test_ny_6_the_hole_card_is_the_last_starting_card_or_comes_late() -> None:
    """Order U takes six cards for one box, order N five."""
    places = ["1.1", "1.2", "2.1", "2.2", "dealer", "1.1", "1.2", "2.1", "2.2", "hole"]
    bets = (Bet(1, (1000, 1000)), Bet(2, (1000, 1000)))
    game = machine.open_round(rule_set(NY), bets)
    assert machine.need(game) == machine.NeedCards(tuple(places))
    game = machine.open_round(rule_set(NY, LATE), bets)
    assert machine.need(game) == machine.NeedCards(tuple(places[:-1]))


@pytest.mark.parametrize(
    ("amount", "reason"),
    [
        (100, None),
        (500000, None),
        (99, "side_below_minimum"),
        (500001, "side_above_maximum"),
        (0, "invalid_amount"),
    ],
)
def test_ny_7_super_match_from_the_side_minimum_to_the_maximum(
    amount: int, reason: str | None
) -> None:
    """Whatever the main wagers are."""
    assert refused(Bet(1, (1000, 1000), {"super_match": amount})) == reason


def test_ny_7_the_side_minimum_is_the_posted_one() -> None:
    """A table may post its own."""
    bet = Bet(1, (1000, 1000), {"super_match": 499})
    limits = Limits(side_min_minor=500, max_minor=1000)
    assert refused(bet, limits=limits) == "side_below_minimum"
    bet = Bet(1, (1000, 1000), {"super_match": 1001})
    assert refused(bet, limits=limits) == "side_above_maximum"


def test_ny_8_super_match_is_settled_before_insurance() -> None:
    """As soon as the cards are out: nobody has answered yet."""
    game = machine.open_round(
        rule_set(NY), (Bet(1, (1000, 1000), {"super_match": 100}),)
    )
    game = machine.deal(game, ("9h", "8c", "Ad", "9c", "7c", None))
    assert machine.insurance_open(game)
    assert [due.label for due in machine.dues(game)] == ["1.super_match"]
    assert machine.dues(game)[0].cards == ("9h", "9c", "8c", "7c")


def test_ny_10_super_match_has_no_bearing_on_the_hands() -> None:
    """The side wager wins 500 while both hands lose."""
    box = "wager = 1000\nsuper_match = 500"
    steps = ("1.1 stand", "1.2 stand")
    table = play("9h 8c Td 9c 7c Ks", *steps, boxes=(box,))
    assert nets(table) == {"1.super_match": 500, "1.1": -1000, "1.2": -1000}


@pytest.mark.parametrize("up", ["Ad", "Kd", "Qd", "Jd", "Td"])
@pytest.mark.parametrize("options", [{}, LATE])
def test_ny_16_insurance_is_offered_on_an_ace_and_on_ten_values(
    up: str, options: dict[str, str]
) -> None:
    """To each hand, up to half of its wager."""
    game = machine.open_round(rule_set(NY, options), (Bet(1, (1001, 1001)),))
    cards = ("9h", "8c", up, "9c", "7c", None)
    game = machine.deal(game, cards[: len(machine.need(game).places)])
    offers = machine.offers(game)
    assert [offer.target for offer in offers] == ["1.1", "1.2"]
    assert offers[0].options == (
        machine.Option("insure", 1, 500),
        machine.Option("decline"),
    )


def test_ny_16_no_insurance_on_a_nine() -> None:
    """The answer is refused."""
    table = play("9h 8c 9d 9c 7c Ad", "1.1 insure !insurance_not_offered")
    assert pending(table) == "1.1"


def test_ny_17_and_18_a_hand_that_declined_has_no_insurance() -> None:
    """One hand insured, the other not: +2 for the one (NY-17)."""
    table = play("Th 9c Kd 7h 8c Ad", "1.1 insure 300", "1.2 decline")
    assert nets(table) == {"1.1.insurance": 600, "1.1": -1000, "1.2": -1000}
    assert clauses(table)["1.1.insurance"] == ("NY-17",)


def test_ny_19_a_natural_by_the_look_ends_the_round_at_once() -> None:
    """No switch and no play; the player's natural pushes, the rest lose."""
    steps = ("1 switch !round_over", "1.2 hit !round_over")
    table = play("Ah 9c Kd Th 8c Ad", *steps)
    assert nets(table) == {"1.1": 0, "1.2": -1000}
    assert clauses(table) == {"1.1": ("NY-35",), "1.2": ("NY-37",)}
    assert len(reasons(table)) == 2


def test_ny_19_no_look_when_the_hole_card_comes_late() -> None:
    """With an ace up the round goes on at once."""
    assert pending(play("Th 9c Ad 7h 8c", "1.1 decline", options=LATE)) == "1.1"
