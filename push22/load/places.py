"""Where the casino under load is: somewhere else, or started here and removed again."""

import asyncio
import base64
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import monotonic

import httpx
import msgspec

from push22.casino import LOG_NAME
from push22.errors import Failure

READY_S = 180.0
END_S = 60.0
_LOOK_S = 0.1
SAID_MAX = 1500


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A casino's door, and what can be read of its processes and its data.

    `books`: the options by which `push22 audit` finds its logs; empty: not here.
    `metrics`: addresses by process; `pids`: processes that tell nothing of themselves.
    `evidence`: files and directories that are removed with it, to be kept where the
    books are not sound.
    `topics`: the broker's data directory; empty: not here.
    """

    door: str
    operators: str
    broker: str = "none: one process"
    metrics: dict[str, str] = {}
    pids: dict[str, int] = {}
    logs: tuple[str, ...] = ()
    books: tuple[str, ...] = ()
    topics: str = ""
    environment: dict[str, str] = {}
    facts: dict[str, str] = {}
    evidence: tuple[str, ...] = ()


class Casino:
    """A place while it is under load."""

    def __init__(self, place: Place) -> None:
        self.place = place

    async def end(self) -> None:
        """Stop what serves players, so that the logs are at rest for the audit."""

    async def make_trouble(self, kind: str) -> str:
        """Make the trouble of this name; return why it could not be, else nothing."""
        return f"{kind}: only what was started here is broken"

    async def end_trouble(self) -> str:
        """Wait until the trouble is over; return why it did not end, else nothing."""
        return "none was made"


class Process(Casino):
    """A casino in one process."""

    def __init__(self, place: Place, process: subprocess.Popen[bytes]) -> None:
        super().__init__(place)
        self._process = process

    async def end(self) -> None:
        await ended(self._process)


@asynccontextmanager
async def elsewhere(place: Place) -> AsyncIterator[Casino]:
    """Take a casino that runs already, and leave it running."""
    yield Casino(place)


@asynccontextmanager
async def embedded(players: int) -> AsyncIterator[Casino]:
    """Run the casino in one process on a temporary directory; remove both."""
    folder = Path(tempfile.mkdtemp(prefix="push22-load-"))
    process = None
    try:
        place = _embedded_place(folder)
        ports = (place.door.rpartition(":")[2], place.metrics["casino"].split(":")[2])
        words = ["serve", "--port", ports[0], "--data", str(folder)]
        words += ["--metrics-port", ports[1].partition("/")[0]]
        words += ["--operators", place.operators, "--proxies", "127.0.0.1"]
        words += ["--connections", str(4 * players + 256)]
        process = spawned([sys.executable, "-m", "push22", *words], folder / "said.log")
        await ready(place.door, process, folder / "said.log")
        yield Process(place, process)
    finally:
        try:
            if process is not None:
                await ended(process)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _embedded_place(folder: Path) -> Place:
    door, metrics = free_port(), free_port()
    return Place(
        door=f"http://127.0.0.1:{door}",
        operators=str(made_operators(folder)),
        metrics={"casino": f"http://127.0.0.1:{metrics}/metrics"},
        logs=(str(folder / LOG_NAME), str(folder / f"{LOG_NAME}-wal")),
        books=("--data", str(folder)),
        facts={"durability": "SQLite, WAL, synchronous=FULL"},
        evidence=(str(folder),),
    )


def spawned(words: Sequence[str], log: Path) -> subprocess.Popen[bytes]:
    """Start a process apart from the terminal's signals, which ends with this one."""
    leash = ("setpriv", "--pdeathsig", "KILL") if shutil.which("setpriv") else ()
    with log.open("ab") as said:
        return subprocess.Popen(  # noqa: S603 - our own program
            [*leash, *words],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )


async def ready(door: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a door says that it is ready. Raises Failure with what was said."""
    until = monotonic() + READY_S
    while monotonic() < until and process.poll() is None:
        if await _is_ready(door):
            return
        await asyncio.sleep(_LOOK_S)
    raise Failure(door, log.read_text()[-SAID_MAX:] or "is not ready")


async def _is_ready(door: str) -> bool:
    try:
        async with httpx.AsyncClient(timeout=5.0) as http:
            return (await http.get(f"{door}/ready")).is_success
    except httpx.TransportError:
        return False


async def ended(process: subprocess.Popen[bytes]) -> None:
    """Ask a process to end; one that does not is killed."""
    try:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                await asyncio.to_thread(process.wait, END_S)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def made_operators(folder: Path) -> Path:
    """Write an operators file with one operator and a fresh key."""
    key = base64.b64encode(secrets.token_bytes(32)).decode()
    path = folder / "operators.toml"
    path.write_text(f'[load]\ncurrencies = ["EUR"]\nkeys = {{ k1 = "{key}" }}\n')
    return path


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
