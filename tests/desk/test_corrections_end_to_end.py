"""A correction from its proposal to the player's balance, in a whole casino."""

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest
from desk_house import (
    ADAM,
    AMOUNT,
    APPROVE,
    CASE,
    CORRECT,
    OPEN,
    RITA,
    ROUND,
    an_ambient,
    ask,
    balance,
    counted,
    opened,
    play_one,
    standing,
)
from msgspec.structs import replace

from push22.casino import Casino
from push22.commands.audit import audited
from push22.inspect.parallel import verify_all
from push22.inspect.reader import Reader
from push22.inspect.rebuilding import rebuild_index
from push22.inspect.verify import verify_round
from tests.archive.forgery import rewrite, with_data
from tests.archive.small_casino import copy_of as forgeable
from tests.simulation.faults import Crash, Fuse

BOOKED = "wallet.correction_posted.v1"


async def decided(casino: Casino, prefix: str = "") -> None:
    """Open the case, propose, approve; each command has its own name."""
    for number, (command, by) in enumerate(
        ((OPEN, RITA), (CORRECT, RITA), (APPROVE, ADAM)), start=1
    ):
        answer = await ask(casino, command, by, f"{prefix}command-{number}")
        assert answer.accepted, answer


async def calm(data: Path) -> None:
    casino = await opened(data, an_ambient())
    await play_one(casino)
    await casino.close()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with one closed round, to be copied."""
    data = tmp_path_factory.mktemp("played")
    asyncio.run(calm(data))
    return data


def copy_of(played: Path, to: Path) -> Path:
    shutil.copytree(played, to, dirs_exist_ok=True)
    return to


def is_right(data: Path) -> None:
    """Every check of the archive holds, and the round's own records do."""
    reader = Reader.open(data)
    verdict = verify_all(reader, lambda _: None)
    assert verdict.is_match, verdict
    assert verify_round(reader, ROUND, lambda _: None).is_match
    found = audited(reader, lambda _: None)
    assert found.finish() == ()
    assert found.corrections.count == 1
    reader.close()


async def test_a_second_persons_approval_pays_the_player(
    played: Path, tmp_path: Path
) -> None:
    """Not before; the case is told, and all checks take it for part of the round."""
    casino = await opened(copy_of(played, tmp_path), an_ambient())
    before = await balance(casino)

    for command in (OPEN, CORRECT):
        assert (await ask(casino, command, RITA)).accepted
    own = await ask(casino, APPROVE, RITA)
    assert (own.accepted, own.reason) == (False, "self_approval")
    assert await balance(casino) == before

    assert (await ask(casino, APPROVE, ADAM)).accepted
    assert await balance(casino) == before + AMOUNT
    assert await standing(casino) == "done"
    again = await ask(casino, APPROVE, ADAM)
    assert (again.accepted, again.reason) == (False, "proposal_ended")
    assert await balance(casino) == before + AMOUNT
    await casino.close()
    is_right(tmp_path)


async def test_a_command_said_twice_is_answered_twice_and_done_once(
    played: Path, tmp_path: Path
) -> None:
    """The same name, the same answer (H4); another body under it is refused."""
    casino = await opened(copy_of(played, tmp_path), an_ambient())
    before = await balance(casino)
    await decided(casino)
    await decided(casino)

    other = await ask(casino, replace(APPROVE, proposal=2), ADAM, "command-3")
    assert other.reason == "command_id_reused"
    assert await balance(casino) == before + AMOUNT
    assert counted(casino, BOOKED) == 1
    await casino.close()


async def test_more_than_there_is_is_not_taken_back(
    played: Path, tmp_path: Path
) -> None:
    """The case learns why, and may propose less."""
    casino = await opened(copy_of(played, tmp_path), an_ambient())
    before = await balance(casino)
    most = replace(CORRECT, amount_minor=-before - 1)
    for command, by in ((OPEN, RITA), (most, RITA), (APPROVE, ADAM)):
        assert (await ask(casino, command, by)).accepted
    assert await standing(casino) == "failed"
    assert await balance(casino) == before

    all_of_it = replace(CORRECT, amount_minor=-before)
    assert (await ask(casino, all_of_it, RITA)).accepted
    assert (await ask(casino, replace(APPROVE, proposal=2), ADAM)).accepted
    assert await standing(casino, 2) == "done"
    assert await balance(casino) == 0
    await casino.close()
    is_right(tmp_path)


async def died_at(data: Path, at: int, *, after: bool) -> bool:
    """Decide with one crash at the `at`-th append of a log, until it is done."""
    fuse, crashed, ambient = Fuse(at, after=after), False, an_ambient()
    while True:
        casino = None
        try:
            casino = await opened(data, ambient, fuse)
            before = await balance(casino)
            await decided(casino)
            assert await standing(casino) == "done"
            assert counted(casino, BOOKED) == 1
            assert before <= await balance(casino) <= before + AMOUNT
            return crashed
        except Crash:
            crashed = True
        finally:
            if casino is not None:
                casino.host.file.close()


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_h14_however_it_dies_a_correction_is_paid_once(
    played: Path, tmp_path: Path, *, after: bool
) -> None:
    """A crash at each append on the way, and the same commands again."""
    crashes, at = 0, 1
    expected = await paid(played)
    while True:
        data = copy_of(played, tmp_path / str(at))
        crashed = await died_at(data, at, after=after)
        assert await paid(data) == expected + AMOUNT, f"crash at append {at}"
        if not crashed:
            break
        crashes, at = crashes + 1, at + 1
        shutil.rmtree(data)

    assert crashes >= 5, "three commands, the transfer, and what the case learns"
    is_right(data)


async def paid(data: Path) -> int:
    """Return what Alice has, by the log alone."""
    casino = await opened(data, an_ambient())
    minor = await balance(casino)
    casino.host.file.close()
    return minor


@pytest.fixture(scope="module")
def corrected(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same casino after an approved correction."""
    data = copy_of(played, tmp_path_factory.mktemp("corrected"))

    async def correct() -> None:
        casino = await opened(data, an_ambient())
        await decided(casino)
        await casino.close()

    asyncio.run(correct())
    return data


APPROVAL = (f"case-{CASE}", 3)


def lowered(file: Any) -> None:
    amounts = (b'"amount_minor":2500', b'"amount_minor":25')
    rewrite(file, APPROVAL, lambda envelope: with_data(envelope, *amounts))


def approved_by_the_proposer(file: Any) -> None:
    rewrite(file, APPROVAL, lambda envelope: with_data(envelope, b'"adam"', b'"rita"'))


def taken_out(file: Any) -> None:
    file.execute("DELETE FROM records WHERE stream = ? AND version = ?", APPROVAL)


@pytest.mark.parametrize(
    ("forge", "check"),
    [
        (lowered, "correction_approved"),
        (taken_out, "correction_approved"),
        (approved_by_the_proposer, "correction_second"),
    ],
)
def test_a_correction_without_its_approval_is_found(
    corrected: Path, tmp_path: Path, forge: Any, check: str
) -> None:
    """By the money audit, and by verify: no row of a log is taken out unnoticed."""
    file = forgeable(corrected, tmp_path / "forged")
    forge(file)
    file.close()
    reader = Reader.open(tmp_path / "forged")
    found = {violation.check for violation in audited(reader, lambda _: None).finish()}
    verdict = verify_all(reader, lambda _: None)
    reader.close()

    assert check in found
    assert not verdict.is_match


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE archive_cases SET waiting = 7",
        "DELETE FROM archive_cases",
        "UPDATE archive_cases SET subject = 'nothing'",
    ],
)
def test_the_index_of_cases_follows_from_the_log(
    corrected: Path, tmp_path: Path, change: str
) -> None:
    """Verify folds it again, and `rounds --rebuild` fills it again."""
    forged = tmp_path / "forged"
    file = forgeable(corrected, forged)
    file.execute(change)
    file.close()
    reader = Reader.open(forged)
    verdict = verify_all(reader, lambda _: None)
    reader.close()
    assert [fault.table for fault in verdict.tables] == ["archive_cases"]

    rebuild_index(forged)
    reader = Reader.open(forged)
    assert verify_all(reader, lambda _: None).is_match
    reader.close()
