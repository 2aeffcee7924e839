"""A void from its proposal to the refund, in a whole casino that may die."""

import asyncio
import shutil
from pathlib import Path

import pytest
from desk_house import (
    ADAM,
    ALICE,
    CASE,
    OPEN,
    RESOLVER,
    RITA,
    ROUND,
    an_ambient,
    ask,
    balance,
    counted,
    opened,
    standing,
)

from contracts import desk as d
from contracts import table as t
from contracts.envelope import Actor
from push22.casino import PLATFORM, Casino
from push22.commands.audit import audited
from push22.inspect.parallel import verify_all
from push22.inspect.reader import Reader
from tests.simulation.faults import Crash, Fuse

STAKE = 2_000


async def with_a_bet(data: Path) -> None:
    """Open a table where Alice has bet and nobody has dealt."""
    casino = await opened(data, an_ambient())
    await ask(casino, t.OpenTable("t1", "ny-switch-6d", "EUR"), PLATFORM)
    await casino.deposit(ALICE, "EUR", 10_000)
    placed = t.PlaceBet(ROUND, 1, (1000, 1000))
    assert (await ask(casino, placed, Actor("player", ALICE))).accepted
    await casino.close()


@pytest.fixture(scope="module")
def staked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("staked")
    asyncio.run(with_a_bet(data))
    return data


def void(staked_minor: int = STAKE, threshold_minor: int = 0) -> d.ProposeVoid:
    facts = (CASE, "EUR", staked_minor, "no picture", threshold_minor, RESOLVER)
    return d.ProposeVoid(*facts)


async def decided(casino: Casino) -> None:
    approve = d.ApproveProposal(CASE, 1, RESOLVER)
    for number, (command, by) in enumerate(
        ((OPEN, RITA), (void(), RITA), (approve, ADAM)), start=1
    ):
        answer = await ask(casino, command, by, f"command-{number}")
        assert answer.accepted, answer


def is_right(data: Path) -> None:
    reader = Reader.open(data)
    assert verify_all(reader, lambda _: None).is_match
    assert audited(reader, lambda _: None).finish() == ()
    reader.close()


async def died_at(data: Path, at: int, *, after: bool) -> bool:
    """Void with one crash at the `at`-th append of a log, until it is done."""
    fuse, crashed, ambient = Fuse(at, after=after), False, an_ambient()
    while True:
        casino = None
        try:
            casino = await opened(data, ambient, fuse)
            await decided(casino)
            assert await standing(casino) == "done"
            assert await balance(casino) == 10_000
            assert counted(casino, "table.round_voided.v1") == 1
            return crashed
        except Crash:
            crashed = True
        finally:
            if casino is not None:
                casino.host.file.close()


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_h2_however_it_dies_a_round_is_voided_once(
    staked: Path, tmp_path: Path, *, after: bool
) -> None:
    """A crash at each append on the way, and the same commands again."""
    at, crashed = 1, True
    while crashed:
        data = tmp_path / str(at)
        shutil.copytree(staked, data)
        crashed = await died_at(data, at, after=after)
        at += 1

    assert at > 7, "three commands, the void, its settlement, the refund, the end"
    is_right(data)


async def test_stakes_that_grew_are_more_than_one_person_decided(
    staked: Path, tmp_path: Path
) -> None:
    """It was 10.00 when it was proposed; for 20.00 the other 15.00 leave no room."""
    data = tmp_path / "data"
    shutil.copytree(staked, data)
    casino = await opened(data, an_ambient())
    await ask(casino, OPEN, RITA)
    paid = d.ProposeCorrection(CASE, ALICE, "EUR", 1500, "late", 2500, RESOLVER)
    assert (await ask(casino, paid, RITA)).accepted
    before = await balance(casino)
    answer = await ask(casino, void(1000, 2500), RITA)

    assert answer.accepted
    assert await standing(casino) == "done"
    assert await standing(casino, 2) == "failed"
    assert await balance(casino) == before == 10_000 - STAKE + 1500
    assert counted(casino, "table.void_order_refused.v1") == 1
    await casino.close()
    is_right(data)
