"""A table that is opened without limits posts those of its rule set."""

from pathlib import Path
from typing import Any

import pytest
from house import house

from blackjack.rule_sets import RULE_SETS, default_limits
from contracts.table import TableLimits
from services.gateway.usual_limits import usual_limits


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_rule_set_has_its_own(rules: str) -> None:
    """Section A, Limits: a published bound replaces the default."""
    own = default_limits(RULE_SETS[rules])
    asked = TableLimits(own.min_minor, own.max_minor, own.side_min_minor)
    assert usual_limits(rules) == asked


def test_an_unknown_rule_set_has_the_plain_ones() -> None:
    """It is the table that refuses it, with its reason."""
    assert usual_limits("chess") == TableLimits()


@pytest.mark.parametrize(
    ("asked", "posted"), [({}, (100, 20000)), ({"min_minor": 500}, (500, 500000))]
)
async def test_the_online_table_begins_at_one_unit(
    asked: dict[str, int], posted: tuple[int, int], tmp_path: Path
) -> None:
    """ON-3: without limits a bet of 100 is in bounds; posted ones stand as posted."""
    body: dict[str, Any] = {"table": "t1", "rule_set": "online-switch"}
    body |= {"currency": "EUR"} | ({"limits": asked} if asked else {})
    async with house(tmp_path) as the:
        await the.ask("POST", "/operator/v1/tables", body)
        await the.settled()
        answer = await the.ask("GET", "/operator/v1/tables")
        (shown,) = answer["tables"]
    assert (shown["limits"]["min_minor"], shown["limits"]["max_minor"]) == posted
