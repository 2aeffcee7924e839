"""A distributed casino for a load test, in the hands of a process of its own.

That process removes everything as soon as its standard input ends: so also when this
one is killed. A word on it makes trouble, or stops what serves players.
"""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import IO

import msgspec

from push22.errors import Failure
from push22.load.places import END_S, SAID_MAX, Casino, Place

REST, MADE, OVER = "rest", "made", "over"
WITH_HEARER = "PUSH22_LOAD_HEARER"
"""Set in the environment: a second gateway runs that no player uses (`HEARER`)."""

_ROOT = Path(__file__).parents[2]
_HOUSE = _ROOT / "bench" / "load" / "house.py"


class Told(msgspec.Struct, frozen=True):
    """The house's answer: how far it is with what it was told, or why it is not."""

    at: str
    why: str = ""


class House(Casino):
    """Tells the process what to do; each step of it is answered in its order."""

    def __init__(self, place: Place, to: IO[bytes], answers: IO[bytes]) -> None:
        super().__init__(place)
        self._to = to
        self._answers = answers

    def _tell(self, word: str) -> None:
        self._to.write(f"{word}\n".encode())
        self._to.flush()

    async def end(self) -> None:
        self._tell(REST)
        if why := await self._hear(REST):
            raise Failure("--broker", f"the casino did not come to rest: {why}")

    async def make_trouble(self, kind: str) -> str:
        self._tell(kind)
        return await self._hear(MADE)

    async def end_trouble(self) -> str:
        return await self._hear(OVER)

    async def _hear(self, wanted: str) -> str:
        """Return why what is wanted did not come about; empty if it did."""
        line = await asyncio.to_thread(self._answers.readline)
        if not line:
            return "the house is gone"
        told = msgspec.json.decode(line, type=Told)
        return "" if told.at == wanted else told.why or f"it said {told.at}"


@asynccontextmanager
async def distributed() -> AsyncIterator[Casino]:
    """Run a broker, a database, all services and a door; remove them all."""
    if not _HOUSE.is_file():
        raise Failure("--broker", "needs a checkout: its tests start the servers", 2)
    folder = Path(tempfile.mkdtemp(prefix="push22-load-"))
    said = folder / "house.log"
    process = _started(folder, said)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        line = await asyncio.to_thread(process.stdout.readline)
        if not line:
            raise Failure("--broker", said.read_text()[-SAID_MAX:] or "did not start")
        place = msgspec.json.decode(line, type=Place)
        yield House(place, process.stdin, process.stdout)
    finally:
        try:
            await _dismiss(process, process.stdin)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _started(folder: Path, said: Path) -> subprocess.Popen[bytes]:
    with said.open("ab") as log:
        return subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, str(_HOUSE), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            env={**os.environ, "PYTHONPATH": str(_ROOT)},
            start_new_session=True,
        )


async def _dismiss(process: subprocess.Popen[bytes], to: IO[bytes]) -> None:
    """Close the house's standard input and wait until it has removed everything."""
    with suppress(BrokenPipeError):
        to.close()
    try:
        with suppress(subprocess.TimeoutExpired):
            await asyncio.to_thread(process.wait, 2 * END_S)
    finally:
        if process.poll() is None:
            process.wait(END_S)
