"""The desk believes a day's sum of its own day, and of whose money is moved."""

from typing import Any

import pytest
from desk_story import (
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

from contracts.desk import AloneDay, ProposalKind
from services.desk import SERVICE
from tests.builders import ALICE, BOB
from tests.spec import NOON, Given, given

DAY = "2025-11-30"
HOUR = 60 * 60 * 1_000_000
MINUTE = 60 * 1_000_000
MIDNIGHT = NOON + 12 * HOUR
SAID = AloneDay(DAY, (ALICE,), 1500)
NEW: dict[str, Any] = {"needs_sum": True, "once": True}
OF_ID = {"needs_sum": True, "command_id": "cause-1"}

NOT_BELIEVED = [
    replace(SAID, day="2025-11-29"),
    replace(SAID, day="2025-12-01"),
    replace(SAID, day=""),
]
"""Of other days, or of none."""


def case() -> Given:
    return given(SERVICE, STREAM, OPENED)


@pytest.mark.parametrize("players", [(ALICE,), (BOB, ALICE)])
def test_a_sum_of_today_and_of_the_player_is_believed(players: tuple[str, ...]) -> None:
    """Then one person decides what it leaves to him."""
    said = replace(SAID, players=players)
    case().when(correct(500, alone=said, **NEW), by=RITA).then(
        replace(correction(500), alone=said, **OF_ID),
        replace(approved(500, alone=True), alone=said),
    )


@pytest.mark.parametrize(
    "said",
    [*NOT_BELIEVED, replace(SAID, players=(BOB,)), replace(SAID, players=())],
)
def test_another_sum_of_a_correction_is_not_known(said: AloneDay) -> None:
    """A second person decides, however small the amount; the event names no sum."""
    case().when(correct(1, alone=said, **NEW), by=RITA).then(
        replace(correction(1), **OF_ID)
    )


@pytest.mark.parametrize("said", [SAID, replace(SAID, players=(BOB,))])
def test_a_void_is_believed_of_whom_the_gateway_names(said: AloneDay) -> None:
    """The desk knows no round: whose stakes they are it cannot know."""
    case().when(void(500, alone=said, **NEW), by=RITA).then(
        replace(void_proposed(500), alone=said, **OF_ID),
        replace(approved(500, kind=ProposalKind.VOID, alone=True), alone=said),
    )


@pytest.mark.parametrize("said", [*NOT_BELIEVED, replace(SAID, players=())])
def test_another_sum_of_a_void_is_not_known(said: AloneDay) -> None:
    """What is staked is somebody's."""
    case().when(void(1, alone=said, **NEW), by=RITA).then(
        replace(void_proposed(1), **OF_ID)
    )


def test_a_void_of_nothing_is_nobodys() -> None:
    """It is believed without a player; its amount lets nobody decide it alone."""
    said = AloneDay(DAY, (), 0)
    case().when(void(0, alone=said, **NEW), by=RITA).then(
        replace(void_proposed(0), alone=said, **OF_ID)
    )


@pytest.mark.parametrize(
    ("now", "is_believed"),
    [
        (MIDNIGHT - 1, True),
        (MIDNIGHT + 5 * MINUTE - 1, True),
        (MIDNIGHT + 5 * MINUTE, False),
        (MIDNIGHT - 24 * HOUR - 5 * MINUTE, True),
        (MIDNIGHT - 24 * HOUR - 5 * MINUTE - 1, False),
    ],
)
def test_about_midnight_it_is_of_either_day(now: int, *, is_believed: bool) -> None:
    """Clocks may be five minutes apart, to the microsecond, at either end."""
    said = SAID if is_believed else None
    proposed = replace(correction(500), alone=said, **OF_ID)
    decision = (replace(approved(500, alone=True), alone=SAID),)
    case().when(correct(500, alone=SAID, **NEW), by=RITA, now=now).then(
        proposed, *(decision if is_believed else ())
    )


@pytest.mark.parametrize("said", [*NOT_BELIEVED, replace(SAID, players=(BOB,))])
def test_what_was_proposed_before_is_decided_as_it_was(said: AloneDay) -> None:
    """A command in an old log does not say `once`; the audit judges what came of it."""
    case().when(correct(500, alone=said, needs_sum=True), by=RITA).then(
        replace(correction(500), alone=said, needs_sum=True),
        replace(approved(500, alone=True), alone=said),
    )
