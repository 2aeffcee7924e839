"""Events that are handed on undecoded are those that their bytes decode to."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from small_casino import Play

from blackjack.script import read_script
from contracts import catalog
from contracts import round_events as e
from contracts import shoe as s
from contracts import table_events as te
from contracts.exact import EXACT, is_exact
from push22.casino import Casino
from push22.script_runner import ScriptTable
from push22.stacked import stacked_ambient
from tests.exactness import Exactness, unlike

SCRIPTS = sorted((Path(__file__).parents[1] / "scripts").glob("*.round.toml"))


class _Part(msgspec.Struct):
    names: dict[str, int] = {}


class _Whole(msgspec.Struct):
    parts: tuple[_Part | None, ...] = ()


def test_what_holds_a_mapping_is_always_decoded() -> None:
    """However deep: its order would be the decision's before a restart only."""
    assert not is_exact(_Whole)
    assert EXACT.isdisjoint(
        {e.DecisionOpened, e.WagersPlaced, e.RoundClosed, te.RoundCalled}
    )


def test_what_moves_a_round_on_is_handed_on() -> None:
    """A rule so strict that nothing was exact would pass every other test here."""
    assert {e.CardsRequested, e.CardsReceived, s.CardsDealt, s.HoleLooked} <= EXACT
    assert len(EXACT) > len(catalog.EVENTS) / 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((1,), [1]),
        (1, True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (_Part({"a": 1}), _Part({"a": 2})),
        ((1, 2), (1,)),
    ],
)
def test_the_comparison_sees_more_than_equality(one: Any, other: Any) -> None:
    """Types, orders, lengths and parts of structs all count."""
    assert unlike(one, other)
    assert not unlike(one, one)


async def _played(script: Path) -> Exactness:
    round_script = read_script(script.read_text(encoding="utf-8"))
    ambient, clock = stacked_ambient(round_script)
    casino = await Casino.in_memory(ambient)
    heard = Exactness()
    casino.host.subscribe(heard.hear)
    try:
        await ScriptTable(round_script, casino, clock).play()
    finally:
        await casino.close()
    return heard


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name.split(".")[0])
def test_a_script_hands_on_what_its_records_say(script: Path) -> None:
    """In type, value and order, for every event of every script."""
    heard = asyncio.run(_played(script))
    assert heard.faults == []
    assert heard.compared > 10


def test_a_whole_shoe_hands_on_what_its_records_say(tmp_path: Path) -> None:
    """With voids, replaced bets, silence, and refusals."""
    play, heard = Play(tmp_path), Exactness()
    play.casino.host.subscribe(heard.hear)
    asyncio.run(play.run())
    assert heard.faults == []
    assert heard.compared > 1000
