"""Pitch: the first two cards are their player's secret (LV-13)."""

from typing import Any

import pytest

from blackjack.rule_sets import RULE_SETS
from contracts import catalog
from contracts import round_events as e
from contracts import table as t
from contracts.sight import seen_by
from tests.decisions.table_orchestrator.felt import ALICE, BOB, ROUND, Felt
from tests.spec import player


def pitched(more: str = "", *, up: str = "6d", side: bool = False) -> Felt:
    felt = Felt(f"8c Tc 9d 8h 5h {up} {more}", rule_set_id="lv-2d-pitch")
    sides = {"bet_the_set": 100} if side else {}
    felt.tell(t.PlaceBet(ROUND, 1, (1000,), sides), player(ALICE))
    felt.tell(t.PlaceBet(ROUND, 2, (1000,)), player(BOB))
    for name in (ALICE, BOB):
        felt.tell(t.StartDealing(ROUND), player(name))
    return felt


def cards_for(felt: Felt, name: str) -> list[tuple[str, str]]:
    """Return every card of the players' hands as one of them has seen it so far."""
    found = []
    for event in felt.events:
        match seen_by(event, name):
            case e.CardsReceived(cards=cards):
                found += [(x.place, x.card) for x in cards if x.place[0] in "12"]
            case e.HandShown(target=target, cards=cards):
                found.append((target, " ".join(cards)))
    return found


def test_lv_13_each_player_sees_his_own_first_cards_only() -> None:
    """LV-13: for the others they are there and lie face down."""
    felt = pitched()

    mine = [("1.1", "8c"), ("2.1", ""), ("1.1", "8h"), ("2.1", "")]
    assert cards_for(felt, ALICE) == mine
    assert cards_for(felt, BOB) == [("1.1", ""), ("2.1", "Tc"), ("1.1", ""), *BOBS]
    nobodys = [("1.1", ""), ("2.1", ""), ("1.1", ""), ("2.1", "")]
    assert cards_for(felt, "local.eve") == nobodys


BOBS = [("2.1", "5h")]


def test_lv_13_the_dealers_up_card_is_for_all() -> None:
    """LV-13 is about players' cards; the hole card is nobody's (C-14)."""
    received = pitched().last(e.CardsReceived)

    dealer = [c for c in seen_by(received, "local.eve").cards if c.place in DEALERS]

    assert [(c.place, c.card) for c in dealer] == [("hole", ""), ("dealer", "6d")]


DEALERS = ("dealer", "hole")


def test_lv_13_no_other_message_tells_a_face_down_card() -> None:
    """LV-13: nothing that anybody else may see holds a card's name."""
    felt = pitched(side=True)

    seen = b"".join(catalog.encode(seen_by(x, "local.eve")) for x in felt.events)

    assert b"6d" in seen
    for card in (b"8c", b"Tc", b"8h", b"5h", b"9d"):
        assert card not in seen, card


def test_lv_13_offers_of_a_face_down_hand_tell_nothing() -> None:
    """LV-13: `split` would betray a pair, so others see whose turn it is, no more."""
    opened = pitched().last(e.DecisionOpened)

    def options(name: str) -> list[str]:
        offers = seen_by(opened, name).offers
        assert [offer.target for offer in offers] == ["1.1"]
        return [x.action for offer in offers for x in offer.options]

    assert "split" in options(ALICE)
    assert options(BOB) == []


def test_lv_13_even_money_betrays_no_natural() -> None:
    """LV-13: under an ace the natural's offer differs from the others'."""
    felt = Felt("Ac Tc 9d Kh 5h As", rule_set_id="lv-2d-pitch")
    for box, name in enumerate((ALICE, BOB), 1):
        felt.tell(t.PlaceBet(ROUND, box, (1000,)), player(name))
    for name in (ALICE, BOB):
        felt.tell(t.StartDealing(ROUND), player(name))
    opened = felt.last(e.DecisionOpened)

    for_bob = {o.target: o.options for o in seen_by(opened, BOB).offers}
    for_alice = {o.target: o.options for o in seen_by(opened, ALICE).offers}

    assert [x.action for x in for_alice["1.1"]] == ["insure", "decline", "even_money"]
    assert for_bob["1.1"] == ()
    assert [x.action for x in for_bob["2.1"]] == ["insure", "decline"]
    felt.do(ALICE, t.TakeEvenMoney, "1.1")
    assert felt.last(e.HandShown).cards == ("Ac", "Kh")


def test_lv_13_a_finished_hand_is_shown() -> None:
    """LV-13: when it stands; Bob's still lies face down."""
    felt = pitched()

    felt.do(ALICE, t.Stand, "1.1")

    assert felt.last(e.HandShown) == e.HandShown(ROUND, "1.1", ALICE, ("8c", "8h"))
    assert felt.state.face_down == ("2.1",)
    assert cards_for(felt, BOB)[-1] == ("1.1", "8c 8h")


def test_lv_13_a_split_shows_both_cards() -> None:
    """LV-13: before the new hands get theirs, which lie open."""
    felt = pitched("3c")

    felt.do(ALICE, t.SplitHand, "1.1")

    kinds = [type(x) for x in felt.events]
    shown = kinds.index(e.HandShown)
    assert kinds[shown - 1] is e.HandSplit
    assert felt.last(e.HandShown).cards == ("8c", "8h")
    assert cards_for(felt, BOB)[-1] == ("1.1.1", "3c")


def test_lv_13_cards_drawn_later_lie_open() -> None:
    """LV-13: the third card is seen, the first two are not."""
    felt = pitched("2c")

    felt.do(ALICE, t.Hit, "1.1")

    assert cards_for(felt, BOB)[-1] == ("1.1", "2c")
    assert felt.count(e.HandShown) == 0


def test_lv_13_a_bust_hand_is_shown_before_it_is_settled() -> None:
    """LV-13: its cards come with what is due."""
    felt = pitched("Kc")

    felt.do(ALICE, t.Hit, "1.1")

    kinds = [type(x) for x in felt.events]
    assert kinds.index(e.HandShown) < kinds.index(e.SettlementDue)
    assert felt.last(e.HandShown).cards == ("8c", "8h")
    assert felt.last(e.SettlementDue).dues[0].seen_by == ""


def test_lv_13_a_dealers_natural_opens_every_hand() -> None:
    """LV-13: the round is over and so are the hands."""
    felt = Felt("8c Tc Ad 8h 5h Kd", rule_set_id="lv-2d-pitch")
    for box, name in enumerate((ALICE, BOB), 1):
        felt.tell(t.PlaceBet(ROUND, box, (1000,)), player(name))
    for name in (ALICE, BOB):
        felt.tell(t.StartDealing(ROUND), player(name))

    shown = [x.target for x in felt.events if isinstance(x, e.HandShown)]

    assert shown == ["1.1", "2.1"]
    assert felt.state.face_down == ()


@pytest.mark.parametrize("rule_set", [x for x in RULE_SETS if x != "lv-2d-pitch"])
def test_lv_13_everywhere_else_players_cards_are_open(rule_set: str) -> None:
    """LV-13: what another player may see is the whole event."""
    felt = Felt("8c Tc 9d 8h 5h 6d 2c 2d", rule_set_id=rule_set)
    count = RULE_SETS[rule_set].wagers_max
    felt.tell(t.PlaceBet(ROUND, 1, (1000,) * count), player(ALICE))
    felt.tell(t.StartDealing(ROUND), player(ALICE))

    received: Any = felt.last(e.CardsReceived)

    assert seen_by(received, BOB) == received
    assert all(card.card for card in received.cards if card.place != "hole")
