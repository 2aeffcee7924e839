"""Cases: who may open, note and close them, and with which words."""

from typing import Any

import pytest
from desk_story import (
    ADMIN,
    CASE,
    OPENED,
    RESOLVER,
    RITA,
    STREAM,
    VIEWER,
    WHY,
    approved,
    correct,
    correction,
    void,
)
from msgspec.structs import replace as changed

from contracts import desk as d
from contracts.desk import DeskReason
from contracts.envelope import Actor
from services.desk import SERVICE
from tests.builders import ALICE, ROUND
from tests.spec import given, player

OPEN = d.OpenCase(CASE, ROUND, "alice's double", RESOLVER, player=ALICE)
NOTE = d.AddNote(CASE, "the camera shows it", RESOLVER)
CLOSE = d.CloseCase(CASE, "paid back", RESOLVER)
CLOSED = d.CaseClosed(ROUND, CASE, "paid back", "rita", RESOLVER)

EVERY: tuple[Any, ...] = (
    NOTE,
    void(),
    correct(),
    d.ApproveProposal(CASE, 1, RESOLVER),
    d.RejectProposal(CASE, 1, WHY, RESOLVER),
    CLOSE,
)
"""Each command about a case that is there."""


def test_a_case_is_opened_for_its_round() -> None:
    """It says who opened it, in which role, and whom it is about."""
    given(SERVICE, STREAM).when(OPEN, by=RITA).then(OPENED)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (changed(OPEN, case="t1-8-ab12"), DeskReason.INVALID_NAME),
        (changed(OPEN, case="../etc"), DeskReason.INVALID_NAME),
        (changed(OPEN, subject="  "), DeskReason.REASON_MISSING),
        (changed(OPEN, subject="x" * 4001), DeskReason.TEXT_TOO_LONG),
        (changed(OPEN, player="nobody"), DeskReason.UNKNOWN_PLAYER),
        (changed(OPEN, role=VIEWER), DeskReason.NOT_AUTHORIZED),
    ],
)
def test_a_case_that_is_not_sound_is_not_opened(
    command: d.OpenCase, reason: str
) -> None:
    """A case's name says of which round it is; a viewer opens none."""
    given(SERVICE, STREAM).when(command, by=RITA).then_rejected(reason)


def test_a_case_is_opened_once() -> None:
    """Another one of the same name would have the first one's proposals."""
    given(SERVICE, STREAM, OPENED).when(OPEN, by=RITA).then_rejected("case_exists")


def test_a_note_is_kept_as_it_was_written() -> None:
    """By whom, and in which role."""
    given(SERVICE, STREAM, OPENED).when(NOTE, by=RITA).then(
        d.NoteAdded(ROUND, CASE, "the camera shows it", "rita", RESOLVER)
    )


@pytest.mark.parametrize("command", EVERY, ids=lambda command: type(command).__name__)
def test_there_must_be_a_case_and_it_must_be_open(command: Any) -> None:
    """Whatever is asked: first there has to be something to do it to."""
    given(SERVICE, STREAM).when(command, by=RITA).then_rejected("unknown_case")
    given(SERVICE, STREAM, OPENED, CLOSED).when(command, by=RITA).then_rejected(
        "case_closed"
    )


@pytest.mark.parametrize("command", EVERY, ids=lambda command: type(command).__name__)
def test_a_viewer_only_reads(command: Any) -> None:
    """Nothing about a case is a viewer's to do."""
    viewing = changed(command, role=VIEWER)
    given(SERVICE, STREAM, OPENED).when(viewing, by=RITA).then_rejected(
        "not_authorized"
    )


@pytest.mark.parametrize("command", EVERY, ids=lambda command: type(command).__name__)
@pytest.mark.parametrize("actor", [player(ALICE), Actor("platform", "acme")])
def test_cases_are_supports_own(command: Any, actor: Actor) -> None:
    """A player or a platform has no say, whatever role it claims."""
    claiming = changed(command, role=ADMIN)
    given(SERVICE, STREAM, OPENED).when(claiming, by=actor).then_rejected(
        "not_authorized"
    )


@pytest.mark.parametrize(
    "command",
    [
        changed(NOTE, text=" "),
        void(reason=""),
        correct(reason="\n"),
        d.RejectProposal(CASE, 1, "", RESOLVER),
        changed(CLOSE, resolution=""),
    ],
    ids=lambda command: type(command).__name__,
)
def test_everything_is_done_for_a_reason(command: Any) -> None:
    """Blank is none."""
    given(SERVICE, STREAM, OPENED).when(command, by=RITA).then_rejected(
        "reason_missing"
    )


def test_a_case_is_closed_with_its_resolution() -> None:
    """What was proposed in it has ended."""
    given(SERVICE, STREAM, OPENED).when(CLOSE, by=RITA).then(CLOSED)


@pytest.mark.parametrize("history", [(correction(),), (correction(), approved())])
def test_a_case_with_something_under_way_stays_open(history: tuple[Any, ...]) -> None:
    """Neither a proposal nor an order may be forgotten."""
    given(SERVICE, STREAM, OPENED, *history).when(CLOSE, by=RITA).then_rejected(
        "proposals_open"
    )


def test_only_what_takes_effect_belongs_to_the_round() -> None:
    """Notes are the desk's own; an approval is part of the round's records."""
    assert SERVICE.round_of(STREAM, approved()) == ROUND
    assert SERVICE.round_of(STREAM, OPENED) == ""


@pytest.mark.parametrize("case", ["t1-7-ab12", "vip_3-12-x"])
def test_h8_a_case_lies_in_its_tables_partition(case: str) -> None:
    """So the desk's log is spread as the table's is."""
    from contracts.identities import routing_key

    assert routing_key(f"case-{case}") == case.partition("-")[0]


def test_a_command_for_no_case_is_refused_and_not_lost() -> None:
    """Its stream is one that never is."""
    assert SERVICE.address is not None
    stream = SERVICE.address(changed(NOTE, case="@"))

    given(SERVICE, stream).when(changed(NOTE, case="@"), by=RITA).then_rejected(
        "unknown_case"
    )
