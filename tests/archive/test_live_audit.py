"""A running casino's audit judges each round as it ends, wherever it began."""

from collections.abc import Iterable
from typing import Any

import pytest
from money_story import ALICE, BET, ROUND, closed, records, reserved, story, void_story
from msgspec.structs import replace
from test_audit import BROKEN

from contracts import wallet as w
from services.archive import live_audit
from services.archive.live_audit import GRACE_US, Group, LiveAudit

SWITCH = Group("ny-switch-6d", "EUR")
_OF_TOTALS = {"zero_sum", "cash", "open_funds", "transfer", "transfer_once"}
"""What only the audit of whole logs can tell, or does for wallets without a round."""


def watched(events: Iterable[Any], *, known: int = 0) -> LiveAudit:
    """Begin after so many events, which are learnt, and see the others."""
    audit = LiveAudit()
    told = list(records(events))
    audit.learn(told[:known])
    for envelope, event in told[known:]:
        audit.see(envelope, event)
    return audit


@pytest.mark.parametrize("told", [story, void_story])
def test_a_round_that_ends_in_order_is_forgotten(told: Any) -> None:
    """Wherever the audit began: nothing is broken and nothing stays in memory."""
    events = list(told().values())
    for known in range(1, len(events)):
        audit = watched(events, known=known)
        audit.look(GRACE_US * 2)
        assert not audit.broken, (known, audit.last_broken)
        assert not audit._rounds
        assert audit.open_rounds() == []


def test_ends_and_money_are_counted_once() -> None:
    """What was learnt at the start was counted by an earlier process."""
    events = list(story().values())
    audit = watched(events)
    assert audit.ended == {"settled": 1}
    assert (audit.stakes_minor[SWITCH], audit.payouts_minor[SWITCH]) == (3000, 4000)
    late = watched(events, known=len(events) - 1)
    assert late.ended == {"settled": 1}
    assert not late.stakes_minor


def test_an_open_round_is_known_by_its_age() -> None:
    """From its opening to its end, not a moment longer."""
    names = list(story())
    events = [story()[name] for name in names[: names.index("posted")]]
    audit = watched(events)
    assert audit.open_rounds() == [names.index("opened") + 1]
    audit.look(GRACE_US * 2)
    assert not audit.broken


@pytest.mark.parametrize(
    ("events", "checks"),
    [
        pytest.param(events, checks - _OF_TOTALS, id=name)
        for name, events, checks in BROKEN
        if checks - _OF_TOTALS
    ],
)
def test_each_broken_rule_is_found_after_a_while(
    events: dict[str, Any], checks: set[str]
) -> None:
    """The audit of whole logs names the same rules; services' logs come apart."""
    audit = watched(events.values())
    before = set(audit.broken)
    audit.look(GRACE_US)
    assert set(audit.broken) == before <= {"balance"}
    audit.look(GRACE_US * 2)
    assert set(audit.broken) == checks


def test_money_that_moves_after_the_end_is_found() -> None:
    """The round was forgotten in order: what still moves has no round."""
    again = story()["posted"]
    audit = watched([*story().values(), replace(again, balance_minor=105000)])
    audit.look(GRACE_US * 2)
    assert "reservation_round" in audit.broken


def test_what_comes_in_time_is_no_fault() -> None:
    """The wallet's log may be a moment behind the table's."""
    told = story()
    posted = told.pop("posted")
    audit = watched([*told.values(), posted])
    audit.look(GRACE_US * 2)
    assert not audit.broken


def test_wallets_are_remembered_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wallet that was forgotten is begun with anew."""
    monkeypatch.setattr(live_audit, "_WALLETS_KEPT", 2)
    deposits = [
        w.Deposited(
            f"local.p{n}", "EUR", w.Transfer(f"d{n}", "bank:local:EUR", "x", 5), 5
        )
        for n in range(5)
    ]
    audit = watched(deposits)
    assert len(audit._balances) == 2


def test_a_negative_balance_is_seen_at_once() -> None:
    """It needs no end of a round."""
    audit = watched([reserved(BET, 2000, -5), closed()])
    assert audit.broken["balance"] == 1
    assert ALICE in audit.last_broken
    assert ROUND not in audit.last_broken
