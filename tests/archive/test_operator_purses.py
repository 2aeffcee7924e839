"""A player's money at an operator: every call with its attempts, as recorded (V5)."""

from typing import Any

from msgspec import Raw
from operator_story import (
    CREDIT,
    DEBIT,
    WHO,
    come,
    ended,
    gone,
    owed,
    paid,
    staked,
)

from contracts import wallet_calls as c
from contracts.base import tag_of
from contracts.catalog import encode
from contracts.envelope import Actor, Envelope
from push22.desk.purses import purses_of
from services.archive.rebuild import Step


def failed(attempt: int) -> c.CallFailed:
    return c.CallFailed("round-t1-1", WHO, "EUR", DEBIT.id, attempt, "timeout", 5)


STORY = (
    owed(DEBIT),
    failed(1),
    failed(2),
    ended(DEBIT, 1000, come()),
    staked(),
    paid(),
    owed(CREDIT),
    ended(CREDIT, 0, gone()),
)


def step(number: int, event: Any) -> Step:
    record = Envelope(
        id=f"wallet-{WHO}.EUR@{number}",
        type=tag_of(event),
        service="wallet",
        log="a",
        partition=0,
        offset=number,
        stream=f"wallet-{WHO}.EUR",
        version=number,
        recorded_at=number,
        caused_by="",
        correlation="",
        actor=Actor("platform", "push22"),
        data=Raw(encode(event)),
    )
    return Step(number, True, record, event, None, {})


def test_calls_have_their_attempts_and_raw_answers() -> None:
    """Two failures and then done: three attempts of one call, each with its record."""
    steps = tuple(step(number, event) for number, event in enumerate(STORY, 1))
    (purse,) = purses_of(steps)
    debit, credit = purse.calls

    assert (debit.kind, debit.outcome, debit.amount_minor) == ("debit", "done", 1000)
    assert [x.outcome for x in debit.attempts] == ["uncertain", "uncertain", "done"]
    assert b'"reason":"timeout"' in bytes(debit.attempts[0].record)
    assert credit.attempts[0].sequence == len(STORY)
    assert [move.balance_minor for move in purse.movements] == [1000, 0, 1000, 2000, 0]


def test_a_call_without_an_end_is_owed() -> None:
    """What nobody answered yet is shown as it stands."""
    steps = tuple(step(number, event) for number, event in enumerate(STORY[:5], 1))
    unended = tuple(x for x in steps if not isinstance(x.event, c.CallEnded))
    (purse,) = purses_of(unended)

    assert [(x.outcome, len(x.attempts)) for x in purse.calls] == [("owed", 2)]
