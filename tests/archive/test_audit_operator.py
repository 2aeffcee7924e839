"""What an operator confirmed and what we booked are held against each other."""

from typing import Any

import msgspec
import pytest
from money_story import audited
from operator_story import (
    CLOSE,
    CREDIT,
    DEBIT,
    MONEY,
    WHO,
    come,
    ended,
    gone,
    owed,
    staked,
    story,
)

from contracts.operator_wallet import KnownTransaction
from contracts.wallet_calls import CallEnded, CallOutcome, CallOwed
from services.archive.audit import Audit

OPERATOR_CHECKS = {"operator_calls", "operator_money", "operator_owed"}


def found(events: list[Any]) -> set[str]:
    """The checks of operators that fail; the table's own story is not told here."""
    checks = {item.check for item in audited(events).finish()}
    return checks & (OPERATOR_CHECKS | {"cash", "balance", "zero_sum"})


OTHER = msgspec.structs.replace(DEBIT, reservation="round-t1-1:bet:8")
CREDITED = ended(CREDIT, 0, gone())

BROKEN: list[tuple[str, list[Any], set[str]]] = [
    ("a_credit_ends_twice", [*story(), ended(CREDIT, -2000, gone())],
     {"operator_calls", "operator_owed", "balance"}),
    ("a_debit_nobody_owed", story(without="debit"), {"operator_calls"}),
    ("a_call_owed_twice", story(again=owed(DEBIT), more=owed(DEBIT)),
     {"operator_calls"}),
    ("another_amount_confirmed",
     story(debited=ended(DEBIT, 900, come(900)), staked=staked(900)),
     {"operator_money"}),
    ("a_confirmed_credit_not_booked",
     story(credited=ended(CREDIT, 2000), closed=ended(CLOSE, 2000)),
     {"operator_money", "operator_owed"}),
    ("an_uncertain_debit_booked",
     story(debited=ended(DEBIT, 1000, come(), CallOutcome.UNCERTAIN)),
     {"operator_money"}),
    ("a_stake_without_debit",
     story(debit=owed(OTHER), debited=ended(OTHER, 1000, come())),
     {"operator_money"}),
    ("a_win_not_owed", story(without="credit"), {"operator_calls"}),
    ("a_win_kept", [
        x
        for x in story(without="credit", closed=ended(CLOSE, 2000))
        if x != CREDITED
    ],
     {"operator_owed"}),
]  # fmt: skip


def test_an_honest_story_breaks_no_rule_of_operators() -> None:
    """All calls ended, and nothing of the player's is left with us."""
    audit = audited(story())

    assert found(story()) == set()
    assert audit.operators.open_calls == 0
    assert audit.balances[MONEY] == 0


@pytest.mark.parametrize(
    ("events", "checks"),
    [pytest.param(events, checks, id=name) for name, events, checks in BROKEN],
)
def test_each_broken_rule_of_operators_is_found(
    events: list[Any], checks: set[str]
) -> None:
    """Books broken in one place fail exactly the checks that this place breaks."""
    assert found(events) == checks


def kept(events: list[Any]) -> Audit:
    audit = Audit()
    audit.operators.keeps_all = True
    for event in events:
        if isinstance(event, CallOwed):
            assert not list(audit.operators.owed("w", event))
        if isinstance(event, CallEnded):
            assert not list(audit.operators.ended("w", event))
    return audit


HIS = [
    KnownTransaction("d1", "debit", WHO, "EUR", 1000),
    KnownTransaction("d2", "debit", WHO, "EUR", 500, is_rolled_back=True),
    KnownTransaction("r2", "rollback", WHO, "EUR", 500, reference_id="d2"),
    KnownTransaction("c1", "credit", WHO, "EUR", 2000),
]


def test_a_statement_that_agrees_differs_in_nothing() -> None:
    """A debit that was taken back is no difference, known to us or not."""
    assert list(kept(story()).operators.unlike(HIS, "acme")) == []


@pytest.mark.parametrize("gone_", [HIS[0], HIS[3]])
def test_a_transaction_missing_with_the_operator_is_named(
    gone_: KnownTransaction,
) -> None:
    """What he confirmed and does not list is found."""
    his = [item for item in HIS if item != gone_]

    (text,) = kept(story()).operators.unlike(his, "acme")

    assert gone_.transaction_id in text


def test_a_debit_that_was_never_taken_back_is_named() -> None:
    """What he took and we know nothing of is found."""
    his = [*HIS[:1], msgspec.structs.replace(HIS[1], is_rolled_back=False), HIS[3]]

    (text,) = kept(story()).operators.unlike(his, "acme")

    assert "d2" in text


def test_another_amount_in_a_statement_is_named() -> None:
    """To the minor unit."""
    his = [msgspec.structs.replace(HIS[0], amount_minor=1001), *HIS[1:]]

    (text,) = kept(story()).operators.unlike(his, "acme")

    assert "1001" in text
