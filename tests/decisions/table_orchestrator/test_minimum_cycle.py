"""The minimum cycle: no deal sooner than so long after the one before (G18)."""

from typing import Any

import msgspec
import pytest

from contracts import round_events as e
from contracts import table as t
from contracts import table_events as te
from runtime.service import DeadlinePassed, OutageEnded, Rejected
from services.table_orchestrator.resume import resume_round
from tests.decisions.table_orchestrator.felt import ALICE, BOB, ROUND, Felt
from tests.decisions.table_orchestrator.house import TABLE, House
from tests.spec import NOON, player

CYCLE_MS = 5000
START = NOON + 3_000_000
"""The earliest deal: the round before was dealt two seconds ago."""
CYCLE = t.Timings(min_cycle_ms=CYCLE_MS)
CARDS = "Tc 9d 6h 5c 7d Kd"


def waiting(**timings: int) -> Felt:
    """A round that was called two seconds after the start of the one before."""
    return Felt(
        CARDS, timings=t.Timings(min_cycle_ms=CYCLE_MS, **timings), not_before=START
    )


def test_g18_who_is_ready_early_waits() -> None:
    """All are ready, yet betting stays open; the start is on the agenda (H10)."""
    felt = waiting().start(ALICE)

    assert felt.count(e.BettingClosed) == 0
    owed = resume_round(felt.state)
    assert [(x.kind, x.due_at) for x in owed.deadlines] == [
        ("betting", NOON + 20_000_000),
        ("start", START),
    ]


def test_g18_the_start_fires_by_itself() -> None:
    """At the end of the cycle the cards are asked for, and that time is told."""
    felt = waiting().start(ALICE)

    felt.pass_deadline(1)

    assert felt.now == START
    assert felt.count(e.BettingClosed) == 1
    assert felt.last(e.CardsRequested).started_at == START


def test_g18_who_is_ready_late_is_dealt_at_once() -> None:
    """When the cycle is over it holds nobody up."""
    felt = waiting()
    felt.now = START

    felt.start(ALICE)

    assert felt.last(e.CardsRequested).started_at == START


def test_g18_a_new_bet_takes_the_start_back() -> None:
    """Somebody who is not ready any more has the whole time to bet."""
    felt = waiting().start(ALICE)
    stale = DeadlinePassed(felt.state.decision, "start")

    felt.bet(BOB, 2)

    assert felt.deadlines() == ["betting"]
    felt.now = START
    assert felt.tell(stale) == ()
    assert felt.count(e.BettingClosed) == 0


def test_g18_a_bet_withdrawn_leaves_the_others_ready() -> None:
    """Bob's bet alone held the deal up: without it the start is due again."""
    felt = waiting().start(ALICE)
    felt.bet(BOB, 2)

    felt.tell(t.WithdrawBet(ROUND, 2), player(BOB))

    assert felt.deadlines() == ["betting", "start"]


def test_g18_betting_does_not_end_before_the_cycle() -> None:
    """Where less time is given to bet than the cycle lasts, the cycle counts."""
    felt = waiting(betting_ms=1000)

    felt.bet(ALICE, 1)

    assert felt.last(e.DecisionOpened).due_at == START
    felt.pass_deadline()
    assert felt.last(e.CardsRequested).started_at == START


def test_g18_the_cycle_goes_on_while_the_service_is_down() -> None:
    """An outage gives time to bet back, and does not lengthen the cycle."""
    felt = waiting().start(ALICE)

    felt.tell(OutageEnded(60_000))

    due = {x.kind: x.due_at for x in resume_round(felt.state).deadlines}
    assert due == {"betting": NOON + 80_000_000, "start": START}


def test_g18_the_end_says_when_the_round_began() -> None:
    """So the table can count from there, whatever became of the round."""
    felt = waiting().start(ALICE)
    felt.pass_deadline(1)

    felt.void()

    assert felt.state.started_at == START


def test_g18_without_a_cycle_nothing_of_it_is_recorded() -> None:
    """The default leaves every message as it was."""
    felt = Felt(CARDS).start(ALICE)

    assert felt.count(e.BettingClosed) == 1
    for event in felt.events:
        assert b"started_at" not in msgspec.json.encode(event)
        assert b"not_before" not in msgspec.json.encode(event)


def opened(timings: t.Timings) -> House:
    house = House("ny-switch-6d")
    house.opening = msgspec.structs.replace(house.opening, timings=timings)
    decided = house.tell(house.opening)
    assert not isinstance(decided, Rejected), decided
    return house


def end(house: House, **changes: Any) -> None:
    """Close the round that was called."""
    closed = e.RoundClosed(
        round_id=f"round-{TABLE}-{house.terms.number}",
        table=TABLE,
        status="settled",
        players=(ALICE,),
        nets_minor={},
        starting_hands=2,
        cards_out=10,
        cut_card_reached=False,
    )
    house.tell(msgspec.structs.replace(closed, **changes))


def test_g18_the_next_round_may_not_be_dealt_sooner() -> None:
    """The first round is free; each later one counts from the start before it."""
    house = opened(CYCLE)
    assert house.terms.not_before == 0

    end(house, started_at=NOON)

    assert house.terms.timings.min_cycle_ms == CYCLE_MS
    assert house.terms.not_before == NOON + CYCLE_MS * 1000


def test_g18_a_round_that_was_not_dealt_resets_nothing() -> None:
    """An empty round and a new shoe between them: the last start still counts."""
    house = opened(CYCLE)
    end(house, started_at=NOON, cut_card_reached=True)
    assert house.count(te.ShoeInstalled) == 2

    end(house, status="abandoned", dealt=False, players=())

    assert house.terms.number == 3
    assert house.terms.not_before == NOON + CYCLE_MS * 1000


@pytest.mark.parametrize("cycle_ms", [-1, 24 * 3600 * 1000 + 1])
def test_g18_a_cycle_that_can_not_be_is_refused(cycle_ms: int) -> None:
    """Zero means none; less than that, or more than a day, is a mistake."""
    house = House("ny-switch-6d")
    timings = t.Timings(min_cycle_ms=cycle_ms)

    refused = house.tell(msgspec.structs.replace(house.opening, timings=timings))

    assert isinstance(refused, Rejected)
    assert refused.reason == t.TableReason.INVALID_TIMINGS
