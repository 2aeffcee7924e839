"""What one person decided alone of a player on a day counts, in whichever case."""

from typing import Any

import pytest
from desk_story import (
    LIMIT,
    OPENED,
    RITA,
    STREAM,
    approved,
    correct,
    correction,
    void,
    void_proposed,
)
from msgspec.structs import replace

from contracts import desk as d
from contracts.desk import AloneDay, DeskReason, ProposalKind, SecondReason
from services.desk import SERVICE
from tests.builders import ALICE
from tests.spec import Given, given

DAY = "2026-10-31"


def case(*history: Any) -> Given:
    return given(SERVICE, STREAM, OPENED, *history)


def today(minor: int) -> AloneDay:
    return AloneDay(DAY, (ALICE,), minor)


def test_other_cases_of_the_day_leave_less_to_decide() -> None:
    """To the last minor unit; the approval says what it was reckoned with."""
    said = today(1500)
    case().when(correct(500, alone=said), by=RITA).then(
        replace(correction(500), alone=said),
        replace(approved(500, alone=True), alone=said),
    )


@pytest.mark.parametrize("amount_minor", [501, -501])
def test_one_more_needs_a_second_person_and_says_why(amount_minor: int) -> None:
    """Whichever way it goes."""
    said = today(1500)
    case().when(correct(amount_minor, alone=said), by=RITA).then(
        replace(
            correction(amount_minor),
            alone=said,
            why_second=SecondReason.PLAYER_DAY_SUM,
        )
    )


def test_a_void_counts_as_well() -> None:
    """Its stakes are money of the players who are named with it."""
    said = today(1500)
    case().when(void(501, alone=said), by=RITA).then(
        replace(void_proposed(501), alone=said, why_second=SecondReason.PLAYER_DAY_SUM)
    )
    case().when(void(500, alone=said), by=RITA).then(
        replace(void_proposed(500), alone=said),
        replace(approved(500, kind=ProposalKind.VOID, alone=True), alone=said),
    )


def test_the_sum_of_the_case_is_told_where_it_is_the_reason() -> None:
    """Its index may not know yet what the case itself knows."""
    before = (correction(1500), approved(1500, alone=True))
    case(*before).when(correct(501, alone=today(0)), by=RITA).then(
        replace(correction(501, 2), alone=today(0), why_second=SecondReason.CASE_SUM)
    )


def test_a_sum_that_is_not_known_leaves_nothing_to_one_person() -> None:
    """Where it is needed; a proposal from before days were added up needs none."""
    needed = replace(correction(1), needs_sum=True)
    case().when(correct(1, needs_sum=True), by=RITA).then(needed)
    case().when(void(1, needs_sum=True), by=RITA).then(
        replace(void_proposed(1), needs_sum=True)
    )
    case().when(correct(1), by=RITA).then(correction(1), approved(1, alone=True))


def test_a_sum_that_is_needed_and_known_leaves_as_much_as_ever() -> None:
    """It changes nothing but for what is not known."""
    said = today(1500)
    case().when(correct(500, alone=said, needs_sum=True), by=RITA).then(
        replace(correction(500), alone=said, needs_sum=True),
        replace(approved(500, alone=True), alone=said),
    )


def test_what_is_over_the_threshold_by_itself_has_no_other_reason() -> None:
    """The amount stands there."""
    said = today(0)
    case().when(correct(LIMIT + 1, alone=said), by=RITA).then(
        replace(correction(LIMIT + 1), alone=said)
    )


def test_a_second_persons_approval_is_no_part_of_the_sum() -> None:
    """It names no day: nobody decided alone."""
    proposed = replace(correction(), alone=today(0))
    second = d.ApproveProposal(OPENED.case, 1, d.Role.ADMIN)
    case(proposed).when(second, by=replace(RITA, who="adam")).then(approved())


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (today(-1), DeskReason.INVALID_AMOUNT),
        (today(2**53), DeskReason.INVALID_AMOUNT),
        (AloneDay(DAY, ("alice",), 0), DeskReason.UNKNOWN_PLAYER),
    ],
)
def test_a_sum_that_cannot_be_is_refused(said: AloneDay, reason: str) -> None:
    """Before anything is decided by it."""
    case().when(correct(alone=said), by=RITA).then_rejected(reason)
    case().when(void(alone=said), by=RITA).then_rejected(reason)
