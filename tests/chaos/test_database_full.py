"""A database whose disk is full, while everybody plays."""

import asyncio
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from tests.chaos.case import Case
from tests.chaos.crowd import Crowd
from tests.chaos.marks import CHAOS
from tests.e2e.conftest import chosen
from tests.e2e.distributed import NAMES, Casino

pytestmark = CHAOS

DISK_MB = 128
FULL_S = 5.0
SAID = "No space left on device"
_STEP_S = 0.2


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A file system of its own, too small for what is to come."""
    if os.getuid() != 0 or chosen() != "local":
        pytest.skip("only root can mount a small disk, for a server of this machine")
    folder = Path(tempfile.mkdtemp(prefix="push22-small-"))
    words = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "push22", str(folder)]
    subprocess.run(words, check=True)
    try:
        shutil.chown(folder, "postgres", "postgres")
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)
        folder.rmdir()


async def test_a_full_disk_is_said_loudly_and_lived_through(
    small_disk: Path, lone_case: Case
) -> None:
    """Nothing is appended, nothing lost; with room again all goes on (4, 41; AP1)."""
    case = lone_case
    await move_to(case.casino, small_disk)

    async def trouble(crowd: Crowd) -> None:
        await case.in_play(crowd)
        filler = small_disk / "filler"
        fill(filler)
        while not any(SAID in case.casino.said(name) for name in NAMES):
            await asyncio.sleep(_STEP_S)
        await asyncio.sleep(FULL_S)
        filler.unlink()

    await case.run(trouble)


async def move_to(casino: Casino, disk: Path) -> None:
    """Move the database with all logs; the server's own files stay where they are."""
    await asyncio.to_thread(casino.stop_all)
    connection = await asyncpg.connect(casino.postgres.dsn("postgres"))
    try:
        await connection.execute(f"CREATE TABLESPACE small LOCATION '{disk}'")
        await connection.execute(
            f"ALTER DATABASE {casino.database} SET TABLESPACE small"
        )
    finally:
        await connection.close()
    await asyncio.to_thread(casino.start_all)


def fill(file: Path) -> None:
    """Write until there is no room for another block."""
    with file.open("wb", buffering=0) as out:
        try:
            while out.write(bytes(8192)):
                pass
        except OSError:
            return
