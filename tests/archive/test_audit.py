"""The money audit finds each kind of broken books, by its own name."""

import itertools
from typing import Any

import pytest
from money_story import (
    ALICE,
    BANK,
    BET,
    HOUSE,
    IN_PLAY,
    PAID,
    PLAYER,
    ROUND,
    STAKE,
    audited,
    closed,
    deposit,
    due,
    line,
    move,
    placed,
    reserved,
    story,
    void_story,
)
from msgspec.structs import replace
from test_audit_alone_counted import BROKEN as OF_ALONE
from test_audit_cases import BROKEN as OF_CASES
from test_audit_corrections import BROKEN as OF_CORRECTIONS
from test_audit_operator import BROKEN as OF_OPERATORS

from contracts import round_events as e
from contracts import settlement as st
from contracts import wallet as w
from services.archive.audit import CHECKS

STORY = story()


def found(events: dict[str, Any]) -> set[str]:
    """Return the names of the checks that failed."""
    return {violation.check for violation in audited(events.values()).finish()}


def posted(*moves: w.Transfer, balance_minor: int = 101000) -> w.PayoutsPosted:
    return w.PayoutsPosted(ROUND, 1, ALICE, "EUR", moves, balance_minor)


@pytest.mark.parametrize("told", [story, void_story])
def test_an_honest_story_breaks_no_rule_and_is_forgotten(told: Any) -> None:
    """Once a round has ended in order, nothing of it stays in memory."""
    audit = audited(told().values())

    assert audit.finish() == ()
    assert audit.rounds == {}
    assert audit.rounds_checked == 1


def test_an_honest_round_in_play_breaks_no_rule() -> None:
    """At each moment before its end the funds of an open round are its stakes."""
    names = list(STORY)
    for length in range(len(names)):
        assert found({name: STORY[name] for name in names[:length]}) == set()


def test_logs_may_be_read_in_any_order_of_services() -> None:
    """The table's log may be ahead of the wallet's: only each log's order is kept."""
    events = STORY.values()
    by_module = sorted(events, key=lambda event: type(event).__module__)
    groups = [
        list(group)
        for _, group in itertools.groupby(
            by_module, key=lambda event: type(event).__module__
        )
    ]

    for order in itertools.permutations(groups):
        assert audited(itertools.chain(*order)).finish() == ()


def test_a_replaced_bet_is_returned_and_counts_no_more() -> None:
    """A bet that another one replaced has its end in the other's reservation."""
    second = f"{ROUND}:bet:2"
    back = move(f"{BET}:release", IN_PLAY, PLAYER, 2000)
    events = story(
        reserved=reserved(BET, 2000, 98000),
        accepted=e.WagersAccepted(ROUND, 1, BET),
    )
    later = {
        "placed_2": placed(second, replaces=BET),
        "reserved_2": replace(reserved(second, 2000, 98000), returned=back),
        "accepted_2": e.WagersAccepted(ROUND, 1, second),
    }
    names = list(events)
    at = names.index("accepted") + 1
    told = {name: events[name] for name in names[:at]} | later
    told |= {name: events[name] for name in names[at:]}

    assert found(told) == set()


NEGATIVE = replace(PAID[2], amount_minor=-1000)
TO_BOB = move("x", PLAYER, "player:local.bob:EUR", 2000)

BROKEN: list[tuple[str, dict[str, Any], set[str]]] = [
    (
        "transfer",
        story(posted=posted(*PAID[:2], NEGATIVE)),
        {"transfer", "in_play", "payouts_booked", "payouts_received", "nets"},
    ),
    (
        "transfer_between_players",
        story(
            reserved=w.FundsReserved(ROUND, BET, ALICE, "EUR", TO_BOB, 98000),
        ),
        {"transfer", "in_play"},
    ),
    (
        "transfer_twice",
        story(again=deposit(5, "deposit:1", before=101000)),
        {"transfer_once"},
    ),
    (
        "balance_is_another",
        story(double_reserved=reserved(STAKE, 1000, 96000)),
        {"balance"},
    ),
    (
        "balance_is_negative",
        {"withdrawn": w.Withdrawn(ALICE, "EUR", move("w", PLAYER, BANK, 5), -5)},
        {"balance"},
    ),
    (
        "no_round_asked",
        story(placed=None),
        {"reservation_round", "stakes_settled"},
    ),
    (
        "no_such_round",
        {"deposited": deposit(9000), "reserved": reserved(BET, 2000, 7000)},
        {"reservation_round"},
    ),
    (
        "another_amount_is_held",
        story(reserved=reserved(BET, 1500, 98500)),
        {"reservation_round", "balance", "zero_sum", "in_play"},
    ),
    (
        "stake_returned_and_settled",
        story(
            closed=None,
            cancelled=w.ReservationCancelled(
                ROUND,
                BET,
                ALICE,
                "EUR",
                103000,
                move(f"{BET}:release", IN_PLAY, PLAYER, 2000),
            ),
            closed_later=closed(),
        ),
        {"reservation_end", "in_play"},
    ),
    (
        "never_answered",
        story(reserved=None),
        {"reservation_end", "balance", "zero_sum", "in_play"},
    ),
    (
        "stake_never_settled",
        story(
            due=replace(STORY["due"], dues=(due("1.1", 2000),)),
            settled=st.WagersSettled(ROUND, 1, "EUR", (line("1.1", 2000, 4000),)),
            posted=posted(*PAID[:2]),
            received=e.PayoutsReceived(ROUND, 1, ALICE, 2000),
            closed=closed(net_minor=2000),
        ),
        {"stakes_settled", "in_play"},
    ),
    (
        "line_twice",
        story(
            settled=replace(
                STORY["settled"],
                lines=(*STORY["settled"].lines, line("1.2", 1000, 0)),
            )
        ),
        {"one_line", "stakes_settled", "payouts_booked", "nets"},
    ),
    (
        "line_of_another_stake",
        story(
            settled=replace(
                STORY["settled"],
                lines=(line("1.1", 1500, 3500), line("1.2", 1500, 500)),
            )
        ),
        {"one_line"},
    ),
    (
        "booked_less_than_settled",
        story(
            posted=posted(
                PAID[0],
                replace(PAID[1], amount_minor=1500),
                PAID[2],
                balance_minor=100500,
            ),
            received=e.PayoutsReceived(ROUND, 1, ALICE, 500),
            closed=closed(net_minor=500),
        ),
        {"payouts_booked", "nets"},
    ),
    (
        "paid_twice",
        story(
            closed=None,
            again=w.PayoutsPosted(
                ROUND,
                1,
                ALICE,
                "EUR",
                (move("other", HOUSE, PLAYER, 2000),),
                103000,
            ),
            closed_later=closed(),
        ),
        {"paid_once", "payouts_received", "nets"},
    ),
    (
        "received_as_another_net",
        story(received=e.PayoutsReceived(ROUND, 1, ALICE, 900)),
        {"payouts_received"},
    ),
    ("another_net_reported", story(closed=closed(net_minor=2000)), {"nets"}),
    (
        "open_round_without_its_stake",
        {
            "opened": STORY["opened"],
            "deposited": STORY["deposited"],
            "placed": STORY["placed"],
            "reserved": w.FundsReserved(
                ROUND, BET, ALICE, "EUR", move("x", PLAYER, HOUSE, 2000), 98000
            ),
        },
        {"transfer", "open_funds"},
    ),
    (
        "void_keeps_a_stake",
        void_story(
            refunded=st.RoundVoidSettled(
                ROUND, 2, "EUR", (st.Refund(ALICE, "1.1", 1500),)
            ),
        ),
        {"one_line", "payouts_booked", "nets"},
    ),
]


@pytest.mark.parametrize(
    ("events", "checks"),
    [pytest.param(events, checks, id=name) for name, events, checks in BROKEN],
)
def test_each_broken_rule_is_found_by_name(
    events: dict[str, Any], checks: set[str]
) -> None:
    """Books broken in one place fail exactly the checks that this place breaks."""
    assert found(events) == checks


def test_every_check_but_the_bank_is_seen_failing() -> None:
    """No check is listed that no story above ever broke."""
    seen = set().union(*(checks for _, _, checks in BROKEN))
    seen |= set().union(*(checks for _, _, checks in OF_OPERATORS))
    seen |= set().union(*(checks for _, _, checks in OF_CORRECTIONS))
    seen |= set().union(*(checks for _, checks in OF_CASES.values()))
    seen |= set().union(*(found(story) for story, _ in OF_ALONE.values()))

    assert set(CHECKS) - seen == {"cash"}


def test_the_bank_gives_what_was_deposited() -> None:
    """Money that leaves the bank in a round's event is no deposit."""
    story_ = story(
        posted=posted(*PAID, move("gift", BANK, PLAYER, 7), balance_minor=101007)
    )

    assert "cash" in found(story_)


def test_money_that_moves_after_a_round_was_forgotten_is_found() -> None:
    """A late booking for a round that ended in order belongs to no round."""
    late = w.PayoutsPosted(
        ROUND, 3, ALICE, "EUR", (move("late", HOUSE, PLAYER, 5),), 101005
    )

    assert found(story(late=late)) == {"reservation_round"}


def test_a_violation_names_the_round_and_the_amounts() -> None:
    """Support reads what was expected and what stands there."""
    audit = audited(story(closed=closed(net_minor=2000)).values())

    (violation,) = audit.finish()

    assert violation.subject == ROUND
    assert violation.text == (
        "local.alice: the round reports 2000, the lines 1000, the wallet 1000"
    )
