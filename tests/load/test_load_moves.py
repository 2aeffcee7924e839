"""What a player in a mood does with what a table offers."""

import pytest
from msgspec.structs import replace

from push22.client import Act, Round, Table
from push22.client.views import (
    Box,
    Dealer,
    Decision,
    Hand,
    Limits,
    Offer,
    Option,
    Timings,
    Waiting,
)
from push22.load.moves import next_move
from push22.load.schedule import Mood

OWN = frozenset({1})
NOTHING = Mood(splits=False)


def hand(label: str, *cards: str, total: int, is_switched: bool = False) -> Hand:
    return Hand(label, cards, total, False, "playing", is_switched, 0)


def offer(target: str, *actions: str, is_due: bool = True) -> Offer:
    options = tuple(Option(action, 0, 1000) for action in actions)
    return Offer(target, int(target[0]), is_due, options)


def table(hands: tuple[Hand, ...], *offers: Offer, phase: str = "turn") -> Table:
    box = Box(1, "p1", False, True, (1000, 1000), {}, hands, {})
    decision = Decision(1, phase, 0, offers)
    dealer = Dealer(("Th", ""), 10, False)
    shown = Round(
        "round-t1-1", 1, 7, phase, (box,), dealer, decision, (), (), "", "open"
    )
    return Table(
        "t1", "open", "ny-switch-6d", "EUR", {}, Limits(), Timings(), None, shown
    )


PAIR = (hand("1.1", "8h", "8d", total=16), hand("1.2", "Tc", "9d", total=19))
PLAYS = ("hit", "stand", "double", "split")


def test_a_switch_is_taken_in_the_mood_and_only_once() -> None:
    """It may be taken back while it is offered: no player goes round in circles."""
    offers = offer("1.1", *PLAYS), offer("1", "switch", is_due=False)
    switched = tuple(replace(each, switched=True) for each in PAIR)

    taken = next_move(table(PAIR, *offers), OWN, Mood(switches=True, splits=False))
    again = next_move(table(switched, *offers), OWN, Mood(switches=True, splits=False))

    assert taken == Act("round-t1-1", "switch", "1", expected_version=7)
    assert again is not None
    assert (again.action, again.target) != ("switch", "1")


def test_out_of_the_mood_no_switch_is_taken_though_strategy_would() -> None:
    """The shares decide, so that two loads of one setting do as much."""
    hands = (hand("1.1", "Ah", "5d", total=16), hand("1.2", "6c", "Td", total=16))
    offers = offer("1.1", "hit", "stand"), offer("1", "switch", is_due=False)

    move = next_move(table(hands, *offers), OWN, NOTHING)

    assert move is not None
    assert move.action != "switch"


@pytest.mark.parametrize("splits", [True, False])
def test_a_pair_is_split_by_the_mood(*, splits: bool) -> None:
    """Eights would always be split by strategy."""
    move = next_move(table(PAIR, offer("1.1", *PLAYS)), OWN, Mood(splits=splits))

    assert move is not None
    assert (move.action == "split") is splits


@pytest.mark.parametrize(("insures", "action"), [(True, "insure"), (False, "decline")])
def test_insurance_is_taken_by_the_mood(*, insures: bool, action: str) -> None:
    """The rest declines."""
    shown = table(PAIR, offer("1", "insure", "decline"), phase="insurance")

    move = next_move(shown, OWN, Mood(insures=insures))

    assert move is not None
    assert (move.action, move.target) == (action, "1")


def test_nothing_is_done_while_others_are_waited_for() -> None:
    """A round that waits for another box waits for no own move."""
    others = Offer("2.1", 2, True, (Option("hit", 0, 0),))

    assert next_move(table(PAIR, others), OWN, Mood(switches=True)) is None


def test_nothing_is_done_while_a_split_waits_for_its_money() -> None:
    """It was ordered; once more would be refused."""
    view = table(PAIR, offer("1.1", *PLAYS))
    assert view.round is not None
    waiting = replace(view.round, waiting=(Waiting("1.1", "split", 1000),))

    assert next_move(replace(view, round=waiting), OWN, Mood()) is None
