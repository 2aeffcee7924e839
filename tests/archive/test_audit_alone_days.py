"""The audit adds up what was decided alone of a player on a day, in all cases."""

from typing import Any

import pytest
from money_story import ALICE, NOON, audited
from msgspec.structs import replace
from test_audit_cases import OTHER, VOID_ALONE, VOID_PROPOSED

from contracts.desk import AloneDay

LIMIT = 2000
BOB = "local.bob"
MIDNIGHT = NOON + 12 * 60 * 60 * 1_000_000
"""Either day's: what is counted on the one is not added to the other."""


def told(second: dict[str, Any], day: AloneDay | None, *, minor: int) -> set[str]:
    """Let one person void for 1500, and then in another case; return what is wrong."""
    first = AloneDay("2026-10-31", (ALICE,), 0) if day is not None else None
    steps: list[Any] = []
    for change in (
        {"amount_minor": 1500, "alone": first},
        {"amount_minor": minor, "alone": day, "case": OTHER, **second},
    ):
        of_proposal = {
            x: y for x, y in change.items() if x in ("case", "currency", "alone")
        }
        staked = replace(VOID_PROPOSED, staked_minor=change["amount_minor"])
        steps += [replace(staked, **of_proposal), replace(VOID_ALONE, **change)]
    return {x.check for x in audited(steps, since=MIDNIGHT).finish()}


@pytest.mark.parametrize(
    ("day", "second"),
    [
        (AloneDay("2026-10-31", (ALICE,), 1500), {}),
        (AloneDay("2026-11-01", (ALICE,), 0), {"amount_minor": LIMIT}),
        (AloneDay("2026-10-31", (BOB,), 0), {"amount_minor": LIMIT}),
        (
            AloneDay("2026-10-31", (ALICE,), 0),
            {"amount_minor": LIMIT, "currency": "USD"},
        ),
        (None, {"amount_minor": LIMIT}),
    ],
    ids=["within", "another_day", "another_player", "another_currency", "before"],
)
def test_what_stays_within_breaks_no_rule(
    day: AloneDay | None, second: dict[str, Any]
) -> None:
    """Approvals from before days were added up are judged by their case only."""
    assert told(second, day, minor=500) == set()


@pytest.mark.parametrize(
    "day",
    [
        AloneDay("2026-10-31", (ALICE,), 0),
        AloneDay("2026-10-31", (BOB, ALICE), 0),
    ],
    ids=["alone", "among_others"],
)
def test_one_more_is_found_whatever_the_gateway_knew(day: AloneDay) -> None:
    """Also where two cases did not know of one another, or it said nothing of them."""
    assert told({}, day, minor=501) == {"alone_sum"}
