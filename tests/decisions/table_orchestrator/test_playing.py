"""Play: offers, decisions, money on hold, deadlines and voids."""

import pytest

from contracts import round_events as e
from contracts import settlement as st
from contracts import table as t
from runtime.service import OutageEnded, Rejected
from services.table_orchestrator.state import Ended
from tests.decisions.table_orchestrator.felt import (
    ALICE,
    BOB,
    ROUND,
    Felt,
    refused,
    reserved,
)
from tests.spec import PLATFORM, player

NINETEEN_TO_PLAY = "Tc 9d 6h 5c 7d Kd 2c 3c 4c Th"
TWO_BOXES = "Tc 9c 5d Ac 8h 8d 9d Kh 6s Tc 9h 2c 3c"


def test_the_offers_of_a_turn_are_on_record() -> None:
    """The decision that opens names the hand that is due and all it may do."""
    felt = Felt(NINETEEN_TO_PLAY).start(ALICE)

    opened = felt.last(e.DecisionOpened)

    assert opened.kind == "turn"
    assert felt.due_targets() == ["1.1"]
    actions = {o.target: [x.action for x in o.options] for o in opened.offers}
    assert actions["1.1"] == ["hit", "stand", "double", "surrender"]
    assert actions["1"] == ["switch", "keep"]


def test_ny_20_a_later_box_may_switch_while_box_1_is_due() -> None:
    """An early switch does not move the clock of the box that is due."""
    felt = Felt(TWO_BOXES).start(ALICE, BOB)
    before = felt.last(e.DecisionOpened)
    felt.now += 5_000_000

    felt.do(BOB, t.SwitchCards, "2")

    after = felt.last(e.DecisionOpened)
    assert felt.due_targets() == ["1.1"]
    assert after.decision == before.decision + 1
    assert after.due_at == before.due_at


def test_c_64_not_your_turn() -> None:
    """A hand whose turn has not come is refused."""
    felt = Felt(TWO_BOXES).start(ALICE, BOB)

    decided = felt.do(BOB, t.Stand, "2.1")

    assert decided == Rejected("not_your_turn", "2.1", ROUND)


def test_nobody_plays_another_players_hand() -> None:
    """The box belongs to who bet on it."""
    felt = Felt(TWO_BOXES).start(ALICE, BOB)

    assert felt.do(BOB, t.Stand, "1.1") == Rejected("not_your_box", "1.1", ROUND)


def test_a_decision_on_an_outdated_view_is_refused() -> None:
    """With an expected version, what happened in between refuses the decision."""
    felt = Felt(NINETEEN_TO_PLAY).start(ALICE)
    seen = len(felt.events)
    felt.do(ALICE, t.SwitchCards, "1", expected_version=seen)

    late = felt.do(ALICE, t.Stand, "1.1", expected_version=seen)

    assert late == Rejected("version_conflict", "1.1", ROUND)


def test_h1_a_double_waits_for_its_funds() -> None:
    """The wallet is asked first; only then the double counts and draws its card."""
    felt = Felt(NINETEEN_TO_PLAY).start(ALICE)
    felt.hold = "funds"

    felt.do(ALICE, t.DoubleDown, "1.1")

    asked = felt.last(e.FundsRequested)
    assert (asked.action, asked.amount_minor) == ("double", 1000)
    assert felt.count(e.HandDoubled) == 0
    assert felt.deadlines() == [f"funds:{asked.reservation}"]
    again = felt.do(ALICE, t.Stand, "1.1")
    assert again == Rejected("funds_pending", "1.1", ROUND)
    felt.tell(reserved(asked))
    assert felt.last(e.HandDoubled).amount_minor == 1000
    assert felt.last(e.CardsReceived).cards[0].card == "2c"


def test_h1_a_refused_double_leaves_the_hand_where_it_was() -> None:
    """The hand is asked again, with the time that was left on its clock."""
    felt = Felt(NINETEEN_TO_PLAY).start(ALICE)
    felt.hold = "funds"
    felt.now += 10_000_000
    felt.do(ALICE, t.DoubleDown, "1.1")
    felt.now += 4_000_000

    felt.tell(refused(felt.last(e.FundsRequested)))

    assert felt.last(e.FundsDeclined).reason == "insufficient_funds"
    opened = felt.last(e.DecisionOpened)
    assert felt.due_targets() == ["1.1"]
    assert opened.due_at == felt.now + 20_000_000


def test_h1_a_late_reservation_changes_nothing() -> None:
    """After the funds deadline the wallet's yes is quiet; the wallet will release."""
    felt = Felt(NINETEEN_TO_PLAY).start(ALICE)
    felt.hold = "funds"
    felt.do(ALICE, t.DoubleDown, "1.1")
    asked = felt.last(e.FundsRequested)

    felt.pass_deadline()

    assert felt.last(e.FundsDeclined).reason == "funds_not_confirmed"
    assert felt.decide(reserved(asked), PLATFORM) == ()


def test_h10_a_silent_player_stands() -> None:
    """At the deadline the rule set's default is decided, on the clock's record."""
    felt = Felt(NINETEEN_TO_PLAY).start(ALICE)

    felt.pass_deadline()

    assert felt.last(e.HandStood).target == "1.1"


def test_h10_a_deadline_of_an_answered_decision_is_quiet() -> None:
    """A deadline fired late finds that the decision has moved on."""
    felt = Felt(NINETEEN_TO_PLAY).start(ALICE)
    opened = felt.last(e.DecisionOpened)
    felt.do(ALICE, t.Stand, "1.1")

    from runtime.service import DeadlinePassed

    assert felt.tell(DeadlinePassed(opened.decision, "decision")) == ()


def test_h10_an_outage_extends_the_clock_on_record() -> None:
    """Open deadlines move by the length of the outage."""
    felt = Felt(NINETEEN_TO_PLAY).start(ALICE)
    opened = felt.last(e.DecisionOpened)

    felt.tell(OutageEnded(60_000))

    assert felt.last(e.ClockExtended).by_ms == 60_000
    assert felt.state.clock.due_at == opened.due_at + 60_000_000


def test_h6_super_match_is_paid_before_the_first_decision() -> None:
    """While the side wager is not booked, its player is offered nothing."""
    felt = Felt(NINETEEN_TO_PLAY)
    felt.bet(ALICE, 1, side_wagers_minor={"super_match": 500})
    felt.tell(t.StartDealing(ROUND), player(ALICE))

    due = felt.last(e.SettlementDue)
    assert [item.due.label for item in due.dues] == ["1.super_match"]
    assert [x.kind for x in felt.events if isinstance(x, e.DecisionOpened)] == [
        "betting"
    ]
    early = felt.do(ALICE, t.Stand, "1.1")
    assert early == Rejected("payout_pending", "1.1", ROUND)
    felt.book()
    assert felt.last(e.DecisionOpened).kind == "turn"


def test_h6_the_round_closes_only_when_every_payout_is_booked() -> None:
    """The last part is waited for, player by player."""
    felt = Felt(NINETEEN_TO_PLAY).start(ALICE)
    felt.do(ALICE, t.Stand, "1.1")
    felt.do(ALICE, t.Stand, "1.2")

    assert felt.last(e.SettlementDue).final
    assert felt.count(e.RoundClosed) == 0
    felt.book()
    assert felt.last(e.RoundClosed).status == "settled"
    assert isinstance(felt.state, Ended)


def test_the_hole_card_is_not_in_the_round_before_it_is_turned() -> None:
    """What the round records of the face-down card is where it lies."""
    felt = Felt(NINETEEN_TO_PLAY).start(ALICE)

    hole = felt.last(e.CardsReceived).cards[-1]

    assert (hole.place, hole.card) == ("hole", "")


def test_insurance_closes_at_its_deadline() -> None:
    """Whoever has not answered by then has declined."""
    felt = Felt("Th 9s Kd 9h 7s 8c").start(ALICE)
    assert felt.last(e.DecisionOpened).kind == "insurance"
    felt.do(ALICE, t.InsureHand, "1.1", amount_minor=300)

    felt.pass_deadline()

    assert felt.count(e.InsuranceClosed) == 1
    assert felt.last(e.DealerChecked).natural is False


def test_insurance_of_all_hands_needs_no_deadline() -> None:
    """When the last hand has answered the dealer looks."""
    felt = Felt("Th 9s Kd 9h 7s 8c").start(ALICE)

    felt.do(ALICE, t.InsureHand, "1.1", amount_minor=300)
    felt.do(ALICE, t.DeclineInsurance, "1.2")

    assert felt.count(e.DealerChecked) == 1
    assert felt.last(e.HandInsured).amount_minor == 300


def test_h2_a_void_in_mid_round_names_every_accepted_stake() -> None:
    """Doubled stakes are in it; the pending one is not."""
    felt = Felt(NINETEEN_TO_PLAY).start(ALICE)
    felt.do(ALICE, t.DoubleDown, "1.1", amount_minor=400)
    felt.hold = "funds"
    felt.do(ALICE, t.DoubleDown, "1.2", amount_minor=700)

    felt.void()

    assert felt.last(e.FundsDeclined).reason == "round_voided"
    voided = felt.last(e.RoundVoided)
    assert [(x.label, x.stake_minor) for x in voided.stakes] == [
        ("1.1", 1400),
        ("1.2", 1000),
    ]


def test_h2_a_void_ends_when_its_refunds_are_booked() -> None:
    """Settlement names the refunds, the wallet books them, the round closes."""
    felt = Felt(NINETEEN_TO_PLAY).start(ALICE)
    felt.void()
    part = felt.last(e.RoundVoided).part
    refunds = (st.Refund(ALICE, "1.1", 1000), st.Refund(ALICE, "1.2", 1000))

    felt.tell(st.RoundVoidSettled(ROUND, part, "EUR", refunds))
    assert felt.count(e.RoundClosed) == 0
    from contracts.wallet import PayoutsPosted

    felt.tell(PayoutsPosted(ROUND, part, ALICE, "EUR", (), 0))

    assert felt.last(e.RoundClosed).status == "void"


def test_h2_nothing_is_voided_after_the_final_settlement() -> None:
    """Once the last wagers are due only corrections exist."""
    felt = Felt(NINETEEN_TO_PLAY).start(ALICE)
    felt.do(ALICE, t.Stand, "1.1")
    felt.do(ALICE, t.Stand, "1.2")

    assert felt.void() == Rejected("round_over", "", ROUND)


def test_a_repeated_answer_of_the_shoe_is_quiet() -> None:
    """Cards for a request that was answered change nothing."""
    felt = Felt(NINETEEN_TO_PLAY, hold="cards").start(ALICE)
    dealt = felt.dealt_for(felt.last(e.CardsRequested))
    felt.tell(dealt)

    assert felt.tell(dealt) == ()


def test_ny_5_the_burned_card_is_shown_on_request() -> None:
    """A round that burned a card may be asked to show it."""
    felt = Felt(NINETEEN_TO_PLAY, burn=1).start(ALICE)

    felt.tell(t.ShowBurnedCard(ROUND), player(ALICE))

    assert felt.last(e.BurnedCardRequested).player == ALICE


def test_ny_5_a_later_round_of_the_shoe_shows_it_too() -> None:
    """NY-5 names no round: the card burned last lies there until the shuffle."""
    felt = Felt(NINETEEN_TO_PLAY).start(ALICE)

    felt.tell(t.ShowBurnedCard(ROUND), player(ALICE))

    assert felt.last(e.BurnedCardRequested).player == ALICE


@pytest.mark.parametrize("rules", ["pr-switch-6d", "online-switch"])
def test_elsewhere_no_burned_card_is_shown(rules: str) -> None:
    """PR-4: it is not shown; ON-1: no card is burned."""
    felt = Felt("Th 9h 6c Kd 5s 8d", rule_set_id=rules, burn=1).start(ALICE)

    decided = felt.tell(t.ShowBurnedCard(ROUND), player(ALICE))

    assert decided == Rejected("no_burned_card", "", ROUND)


def test_a_round_that_is_void_before_its_cards_shows_none() -> None:
    """The shoe knows no round without cards."""
    felt = Felt(NINETEEN_TO_PLAY)
    felt.tell(t.VoidRound(ROUND, "power"))

    decided = felt.tell(t.ShowBurnedCard(ROUND), player(ALICE))

    assert decided == Rejected("no_burned_card", "", ROUND)
