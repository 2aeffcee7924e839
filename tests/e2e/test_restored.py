"""The database of a casino is put back to a moment that others have gone on from (H3).

All logs are older then than what Kafka, the archive and players have of them. No
service goes on, nothing is written, and docs/backup.md brings everything back.
"""

import asyncio
import re
import shutil
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from push22.remote import RemoteCasino
from tests.e2e import images
from tests.e2e.brokers import free_port
from tests.e2e.conftest import local_kafka, running
from tests.e2e.distributed import ALL, NAMES, Casino
from tests.e2e.marks import CASINO
from tests.e2e.players import Bots
from tests.postgres import temporary_folder
from tests.postgres_archive import Archiving

pytestmark = [*CASINO, pytest.mark.timeout(600)]

Ends = Mapping[str, str]
"""Of each service, where its log ends."""

_MOMENT = "before the fault"
_SOON_S = 60.0
_RUNS_ON = "wallet"
"""Nobody stops this one: it finds another database behind its next connection."""

_IN_A_ROUND = ("table-orchestrator", "shoe", "wallet")
_HEADS = """
    SELECT string_agg(concat_ws(' ', part, next_offset, hash), ', ' ORDER BY part)
    FROM heads
"""


@pytest.fixture
def server() -> Iterator[Archiving]:
    """A server that archives its WAL: of this machine, wherever Kafka is."""
    parent = temporary_folder("push22-restored-")
    found = Archiving(parent / "first", port=free_port())
    found.begin()
    yield found
    found.remove()
    shutil.rmtree(parent, ignore_errors=True)


@pytest.fixture
def archiving(server: Archiving, tmp_path: Path) -> Iterator[Casino]:
    """A running casino over that server."""
    with running(local_kafka, images.Kafka) as kafka:
        made = Casino(tmp_path, kafka, server)
        made.prepare()
        try:
            made.start_all()
            yield made
        finally:
            made.stop_all()
            if made.postgres is not server:
                made.postgres.stop()


async def test_h3_a_restored_database_is_refused_and_made_whole(
    archiving: Casino, server: Archiving, tmp_path: Path
) -> None:
    """Whoever lost the end says so and ends; what comes back is what was there."""
    casino = archiving
    async with _players(casino) as bots:
        assert len(await bots.play(1)) == 2
        backup = server.folder.parent / "backup"
        await asyncio.to_thread(server.base_backup, backup)
        await _moment_in_mid_round(casino, server, bots)
        await _at_rest(casino, but=_RUNS_ON)
        await asyncio.to_thread(server.archive)
        await _put_back(casino, server, backup)
        assert len(await bots.play(2)) == 2 + 6 + 4
    await _at_rest(casino)
    await asyncio.to_thread(_sound, casino, tmp_path / "mirror")


@asynccontextmanager
async def _players(casino: Casino) -> AsyncIterator[Bots]:
    """Two players, who hear everything, and stay while the casino is away."""
    door = await RemoteCasino.open(casino.settings)
    try:
        bots = Bots(door, ["t1", "t2"])
        await bots.open()
        yield bots
    finally:
        await door.close()


async def _put_back(casino: Casino, server: Archiving, backup: Path) -> None:
    """Put the database back, see who refuses, and bring back what is lost."""
    before = await _ends(casino)
    server.kill()
    casino.postgres = await asyncio.to_thread(server.restored, backup, _MOMENT)
    restored = await _ends(casino)
    lost = {name for name in NAMES if restored[name] != before[name]}
    assert lost >= {*_IN_A_ROUND}

    await asyncio.to_thread(_all_refuse, casino, lost)
    assert await _ends(casino) == restored
    await asyncio.to_thread(_brought_back, casino, lost)
    assert await _ends(casino) == before

    await asyncio.to_thread(casino.start_all)


async def _moment_in_mid_round(casino: Casino, server: Archiving, bots: Bots) -> None:
    """Name a moment while rounds are in play, and let them be played to their end."""
    begun = await _ends(casino)
    playing = asyncio.create_task(bots.play(3))
    async with asyncio.timeout(_SOON_S):
        while not _have_all_moved(begun, await _ends(casino)):
            await asyncio.sleep(0.1)
    await asyncio.to_thread(server.name_moment, _MOMENT)
    assert not playing.done(), "the moment came after all rounds"
    assert len(await playing) == 2 + 6


def _have_all_moved(before: Ends, after: Ends) -> bool:
    """Tell whether a round is at hand: each service in it has written."""
    return all(before[name] != after[name] for name in _IN_A_ROUND)


async def _at_rest(casino: Casino, but: str = "") -> None:
    """Stop the services when nothing more is written and the archive has it all."""
    async with asyncio.timeout(_SOON_S):
        ends = await _ends(casino)
        while True:
            await asyncio.sleep(2)
            before, ends = ends, await _ends(casino)
            if before == ends:
                break
    for name in ALL:
        if name != but:
            await asyncio.to_thread(casino.stop, name)


async def _ends(casino: Casino) -> Ends:
    return {name: await casino.ask(name, _HEADS) for name in NAMES}


def _all_refuse(casino: Casino, lost: set[str]) -> None:
    """Neither who ran on over another database nor who is started goes on."""
    assert "Kafka has it up to" in casino.refused(_RUNS_ON)
    for name in lost:
        casino.start(name)
    for name in lost:
        last = casino.refused(name).splitlines()[-1]
        assert re.search(rf"{name}: partition \d ends at \d+, Kafka has it", last), last
        assert casino.status(name, "ready") == 0
    words = ("mirror", "--dsn", casino.dsn, "--data", casino.archive)
    assert "the copy has: it is cut" in casino.refusal(*words)


def _brought_back(casino: Casino, lost: set[str]) -> None:
    """Do what docs/backup.md says: shown first, taken, compared."""
    there = ("--dsn", casino.dsn)
    for name in NAMES:
        shown = casino.run("log", "recover", name, *there)
        assert (" records found" in shown) == (name in lost), shown
        said = casino.run("log", "recover", name, *there, "--take")
        assert (" records taken back" in said) == (name in lost), said
    again = casino.run("log", "recover", _RUNS_ON, *there)
    assert again == "nothing is missing\n"
    copy = str(casino.folder / "restored")
    casino.run("mirror", *there, "--data", copy)
    assert _digest(casino, copy) == _digest(casino, casino.archive)


def _digest(casino: Casino, data: str) -> list[str]:
    """Return what two copies have in common: the archive alone makes checkpoints."""
    lines = casino.run("digest", "--data", data).splitlines()
    return [line for line in lines if not line.endswith(" checkpoints")]


def _sound(casino: Casino, data: Path) -> None:
    """The logs and the archive, which lived through it, are the same and right."""
    casino.run("mirror", "--dsn", casino.dsn, "--data", str(data))
    for copy in (str(data), casino.archive):
        assert "MATCH: all" in casino.run("verify", "--all", "--data", copy)
        assert "every cent is accounted for" in casino.run("audit", "--data", copy)
