"""What processes use and how far they lag, once a second while a load test runs."""

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter

import httpx
import msgspec
from prometheus_client.parser import text_string_to_metric_families

from push22.load.places import Place
from push22.load.settings import PLAYERS
from push22.load.stored import held_bytes

EVERY_S = 1.0
_TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")
_HEARD_S = 3.0
_PAGE_MAX = 1 << 22
_UNREADABLE = (ValueError, LookupError, OverflowError)
"""What the parser and we say of a page that is none of metrics; numbers too large."""


class Use(msgspec.Struct, frozen=True):
    """A process: seconds of processor time since its start, and bytes of memory.

    `batches` came from Kafka, and `appends` were made to its log; none: it has neither.
    """

    cpu_s: float
    rss_bytes: int
    collections: int = 0
    batches: int | None = None
    appends: int | None = None


class Sample(msgspec.Struct, frozen=True):
    """`lag_s`, `backlog`: the worst consumer's lag, and what relays have not sent.

    `log_bytes` is on the disk, `held_bytes` in the file's pages: these grow evenly,
    where a checkpoint writes many at once and a log beside the file keeps its size.
    `hops`: how many records were under way for no longer, by seconds.
    """

    at: float
    uses: dict[str, Use]
    lag_s: float = 0.0
    backlog: float = 0.0
    log_bytes: int = 0
    held_bytes: int = 0
    hops: dict[str, float] = {}


class Sampler:
    """Asks /metrics, and the kernel about processes that tell nothing themselves."""

    def __init__(self, place: Place, players: Sequence[int] = ()) -> None:
        """`players`: the processes of the load itself; none: this one."""
        self._place = place
        self._players = players or (os.getpid(),)

    async def run(self, tell: Callable[[Sample], None]) -> None:
        """Sample until cancelled; what does not answer is missing from a sample."""
        async with httpx.AsyncClient(timeout=_HEARD_S) as http:
            due = perf_counter()
            while True:
                tell(await self.sample(http))
                due = max(due + EVERY_S, perf_counter())
                await asyncio.sleep(due - perf_counter())

    async def sample(self, http: httpx.AsyncClient) -> Sample:
        """Ask everybody once, one after the other: all at once would be felt."""
        metrics = self._place.metrics
        told = {name: await _read(http, url) for name, url in metrics.items()}
        uses = {name: one[0] for name, one in told.items() if one is not None}
        read = [one[1] for one in told.values() if one is not None]
        for name, pid in self._place.pids.items():
            with suppress(OSError, ValueError):
                uses[name] = use_of(pid, with_children=True)
        with suppress(OSError, ValueError):
            uses[PLAYERS] = _sum(use_of(pid) for pid in self._players)
        lags = [found.get("push22_consumer_lag_seconds", 0.0) for found in read]
        behind = [found.get("push22_relay_unpublished_events", 0.0) for found in read]
        size = sum(_size(Path(name)) for name in self._place.logs)
        lag_s = max(lags, default=0.0)
        held = _held(self._place.logs)
        backlog, hops = sum(behind), _hops(read)
        return Sample(perf_counter(), uses, lag_s, backlog, size, held, hops)


async def _read(
    http: httpx.AsyncClient, url: str
) -> tuple[Use, dict[str, float]] | None:
    """Ask a process; none: it does not answer whole and in time, or not in metrics."""
    try:
        async with asyncio.timeout(_HEARD_S):
            found = figures(await _told(http, url))
        return (use(found), found) if found else None
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, *_UNREADABLE):
        return None


async def _told(http: httpx.AsyncClient, url: str) -> str:
    """Return a page of metrics. Raises ValueError where it is far too long for one."""
    held = bytearray()
    async with http.stream("GET", url) as answer:
        async for part in answer.aiter_bytes():
            held += part
            if len(held) > _PAGE_MAX:
                raise ValueError(url)
    return held.decode()


_OF_INTEREST: dict[str, Callable[[list[float]], float]] = {
    "process_cpu_seconds_total": sum,
    "process_resident_memory_bytes": sum,
    "python_gc_collections_total": sum,
    "push22_consumer_lag_seconds": max,
    "push22_relay_unpublished_events": sum,
    "push22_batches_total": sum,
    "push22_log_append_duration_seconds_count": sum,
}
_HOPS = "push22_hop_duration_seconds_bucket"


def figures(text: str) -> dict[str, float]:
    """Return what a report needs of a page of metrics: of lags the greatest.

    A histogram's bucket stands under its name and its upper end.
    """
    values: dict[str, list[float]] = {}
    lines = filter(_is_of_interest, text.splitlines())
    for family in text_string_to_metric_families("\n".join(lines) + "\n"):
        for sample in family.samples:
            if sample.name in _OF_INTEREST:
                values.setdefault(sample.name, []).append(sample.value)
            elif sample.name == _HOPS:
                name = f"{_HOPS} {sample.labels['le']}"
                values.setdefault(name, []).append(sample.value)
    return {n: float(_OF_INTEREST.get(n, sum)(found)) for n, found in values.items()}


def _is_of_interest(line: str) -> bool:
    """Most of a page is not; reading its numbers would take ten times as long."""
    return line.startswith((_HOPS, *_OF_INTEREST))


def _hops(read: Sequence[dict[str, float]]) -> dict[str, float]:
    """Add up the processes' buckets, by their upper ends."""
    found: dict[str, float] = {}
    for one in read:
        for name, value in one.items():
            metric, _, end = name.partition(" ")
            if metric == _HOPS:
                found[end] = found.get(end, 0.0) + value
    return found


def use(found: dict[str, float]) -> Use:
    return Use(
        found.get("process_cpu_seconds_total", 0.0),
        int(found.get("process_resident_memory_bytes", 0)),
        int(found.get("python_gc_collections_total", 0)),
        _counted(found, "push22_batches_total"),
        _counted(found, "push22_log_append_duration_seconds_count"),
    )


def _counted(found: dict[str, float], name: str) -> int | None:
    return int(found[name]) if name in found else None


def use_of(pid: int, *, with_children: bool = False) -> Use:
    """Ask the kernel about a process. Raises OSError where it is gone."""
    found = [_use_of_one(pid)]
    if with_children:
        for child in _children(pid):
            with suppress(OSError):
                found.append(_use_of_one(child))
    return _sum(found)


def _sum(found: Iterable[Use]) -> Use:
    uses = list(found)
    return Use(sum(each.cpu_s for each in uses), sum(each.rss_bytes for each in uses))


def _use_of_one(pid: int) -> Use:
    """Memory that several share counts for each by its part."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    rolled = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    kibibytes = next(line.split()[1] for line in rolled if line.startswith("Pss:"))
    return Use(ticks / _TICKS_A_SECOND, int(kibibytes) * 1024)


def _children(pid: int) -> Iterable[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in listed.split()]


def _held(logs: tuple[str, ...]) -> int:
    """Return nothing where the file is not made yet, or is not to be read just now."""
    with suppress(sqlite3.Error):
        return held_bytes(Path(logs[0])) if logs else 0
    return 0


def _size(path: Path) -> int:
    """Nothing is as large as what is not there: a write-ahead log comes and goes."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
