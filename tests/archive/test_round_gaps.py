"""What a round's records lack, have twice or have too late is flagged (V7)."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from small_casino import PLAIN, REPLACED, TIMED_OUT, VOIDED

from contracts import round_events as e
from contracts import wallet as w
from push22.inspect.history import steps_in
from push22.inspect.reader import Reader
from services.archive.gaps import oddities
from services.archive.rebuild import Step


@pytest.fixture
def steps(played: Path) -> tuple[Step, ...]:
    return steps_in(Reader.open(played), PLAIN)


def nothing(_: str) -> bool:
    return False


def everything(_: str) -> bool:
    return True


@pytest.mark.parametrize("round_id", [PLAIN, VOIDED, TIMED_OUT, REPLACED])
def test_nothing_is_odd_about_what_was_played(round_id: str, played: Path) -> None:
    """Voids, timeouts and replaced bets are no gaps."""
    reader = Reader.open(played)
    found = oddities(
        steps_in(reader, round_id), lambda name: reader.place_of(name) is not None
    )

    assert found == ()


def test_a_missing_version_is_named(steps: tuple[Step, ...]) -> None:
    """Two events that are gone are one gap, at the event that comes next."""
    rest = [x for x in steps if x.foreign or x.sequence not in (7, 8)]
    (found,) = [x for x in oddities(rest, everything) if x.kind == "missing"]

    assert found.sequence == 9
    assert found.text == f"version 7 to 8 of {PLAIN} is not there"


def test_a_missing_cause_is_named(steps: tuple[Step, ...]) -> None:
    """The settlement is gone: what the wallet paid follows from nothing."""
    rest = [x for x in steps if x.record.service != "settlement"]
    found = oddities(rest, nothing)

    assert any(
        x.kind == "missing"
        and "settlement-" in x.text
        and x.record.startswith("wallet-")
        for x in found
    )


def test_a_repeated_payment_is_flagged(steps: tuple[Step, ...]) -> None:
    """The same transfers once more are money that moved twice."""
    paid = next(x for x in steps if isinstance(x.event, w.PayoutsPosted))
    twice = paid._replace(record=replace(paid.record, id=f"{paid.record.id}0"))
    found = [x for x in oddities([*steps, twice], everything) if x.kind == "repeated"]

    assert {x.record for x in found} == {twice.record.id}
    assert any("was booked by" in x.text for x in found)
    assert any("was answered by" in x.text for x in found)


def test_funds_after_the_table_gave_up_are_late(steps: tuple[Step, ...]) -> None:
    """H1: a reservation that comes too late changes nothing, and is seen."""
    held = next(x for x in steps if isinstance(x.event, w.FundsReserved))
    event = e.WagersRefused(
        PLAIN, 1, "local.alice", "EUR", held.event.reservation, "funds_not_confirmed"
    )
    first = next(x for x in steps if isinstance(x.event, e.WagersAccepted))
    changed = [x._replace(event=event) if x is first else x for x in steps]
    (found,) = oddities(changed, everything)

    assert (found.kind, found.record) == ("late", held.record.id)
    assert "had given up" in found.text


def test_outages_and_clocks_that_ran_back_are_late(steps: tuple[Step, ...]) -> None:
    """H10: an extended clock; and an effect that is older than its cause."""
    outage = steps[-1]._replace(event=e.ClockExtended(PLAIN, 90_000))
    early = replace(steps[-2].record, recorded_at=1)
    found = oddities(
        [*steps[:-2], steps[-2]._replace(record=early), outage], everything
    )

    assert [x.kind for x in found] == ["late", "late"]
    assert {"90000 ms" in x.text for x in found} == {True, False}
    assert any("before its cause" in x.text for x in found)
