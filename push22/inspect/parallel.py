"""Checks a large log in several processes: each takes a stretch of it, or a chain.

What began before a stretch is caught up with, and a shoe belongs to the stretch in
which it was committed; so the parts together judge exactly what one process would.
"""

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import closing
from ctypes import c_longlong
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import msgspec

from push22.garbage import keep_what_stands
from push22.inspect.derived import DerivedFault, derived_faults
from push22.inspect.job import Job
from push22.inspect.reader import LogName, Reader
from push22.inspect.table_fault import TableFault
from push22.inspect.verify import (
    Decisions,
    Keep,
    LogVerdict,
    Stretch,
    Tick,
    Verdict,
    check_chain,
    check_chains,
    check_decisions,
    check_tables,
)
from push22.inspect.witness import NO_WITNESS, Witness
from runtime.sqlite_file import MEMORY

T = TypeVar("T")

_LARGE = 50_000
"""From so many records on the start of more processes pays."""

_PARTS_PER_PROCESS = 4
_LOOK_S = 0.2

_done: Any = None
"""In a worker: the counter of records done, shared with the one who waits."""


def verify_all(
    reader: Reader,
    tick: Tick,
    witness: Witness = NO_WITNESS,
    job: Job | None = None,
) -> Verdict:
    """Check everything, in as many processes as there are processors.

    With a job, what is done is kept there: killed and called again, it goes on.
    """
    processes = os.cpu_count() or 1
    path = reader.file.path
    is_small = reader.count() < _LARGE or processes == 1
    if path == MEMORY or (is_small and job is None):
        logs = check_chains(reader, tick, witness)
        found = check_decisions(reader, tick)
        beside = check_tables(reader), derived_faults(reader)
        return _verdict(logs, found, beside, witness)
    cut = stretches(reader.last_place(), processes * _PARTS_PER_PROCESS)
    parts = job.begin(reader, witness, cut) if job else cut
    verdict = _in_parts(reader, tick, witness, Work(path, tuple(parts), job))
    if job is not None:
        job.end()
    return verdict


class Work(NamedTuple):
    path: str
    parts: tuple[Stretch, ...]
    job: Job | None


def _in_parts(reader: Reader, tick: Tick, witness: Witness, work: Work) -> Verdict:
    path, stretches_, job = work
    context = multiprocessing.get_context("spawn")
    counter = context.Value(c_longlong, 0)
    with ProcessPoolExecutor(
        os.cpu_count() or 1,
        mp_context=context,
        initializer=_begin,
        initargs=(counter,),
    ) as pool:
        chains = [pool.submit(_chain, path, log, witness, job) for log in reader.logs()]
        tables = pool.submit(_tables, path, job)
        parts = [pool.submit(_decisions, path, part, job) for part in stretches_]
        derived = pool.submit(_derived, path, job)
        _wait([*chains, tables, *parts, derived], counter, tick)
        logs = tuple(future.result() for future in chains)
        found = joined(future.result() for future in parts)
        beside = tables.result(), derived.result()
        return _verdict(logs, found, beside, witness)


def stretches(last: int, count: int) -> list[Stretch]:
    """Cut places 1 to `last` into stretches of equal length."""
    ends = [last * number // count for number in range(count + 1)]
    return [Stretch(after, to) for after, to in pairwise(ends) if after < to]


def joined(parts: Iterator[Decisions]) -> Decisions:
    """Add up what the parts found, in the order of the log."""
    total = Decisions()
    for part in parts:
        total.checked += part.checked
        total.by_proof_only += part.by_proof_only
        total.cards_proved += part.cards_proved
        total.shoes += part.shoes
        total.differences += part.differences
        total.proof_faults += part.proof_faults
        total.tables += part.tables
        total.engines += part.engines
        total.awaited += part.awaited
    return total


def _wait(futures: list[Future[Any]], counter: Any, tick: Tick) -> None:
    waiting, told = set(futures), 0
    while waiting:
        finished, waiting = wait(waiting, _LOOK_S, return_when=FIRST_COMPLETED)
        for future in finished:
            future.result()
        now = counter.value
        tick(now - told)
        told = now


def _begin(counter: Any) -> None:
    global _done  # noqa: PLW0603 - a process pool gives its workers no other place
    _done = counter
    keep_what_stands()


def _tick(records: int) -> None:
    with _done.get_lock():
        _done.value += records


def _kept(job: Job | None, name: str, kind: type[T], work: Callable[[], T]) -> T:
    """Return what was found before, or find and keep it."""
    found = job.load(name, kind) if job else None
    if found is None:
        found = work()
        if job:
            job.save(name, found)
    return found


def _chain(path: str, log: LogName, witness: Witness, job: Job | None) -> LogVerdict:
    name = f"chain-{log.service}-{log.partition}"
    with closing(Reader.at(path)) as reader:
        check = partial(check_chain, reader, log, _tick, witness)
        return _kept(job, name, LogVerdict, check)


def _tables(path: str, job: Job | None) -> tuple[TableFault, ...]:
    with closing(Reader.at(path)) as reader:
        check = partial(check_tables, reader)
        return _kept(job, "tables", tuple[TableFault, ...], check)


def _derived(path: str, job: Job | None) -> tuple[DerivedFault, ...]:
    with closing(Reader.at(path)) as reader:
        check = partial(derived_faults, reader)
        return _kept(job, "derived", tuple[DerivedFault, ...], check)


class Progress(msgspec.Struct):
    """What was found in a stretch up to a place."""

    place: int
    found: Decisions


def _decisions(path: str, stretch: Stretch, job: Job | None) -> Decisions:
    with closing(Reader.at(path)) as reader:
        if job is None:
            return check_decisions(reader, _tick, stretch)
        return _decisions_kept(reader, stretch, job)


def _decisions_kept(reader: Reader, stretch: Stretch, job: Job) -> Decisions:
    name = f"decisions-{stretch.after}"
    progress = job.load(name, Progress) or Progress(stretch.after, Decisions())
    _tick(progress.place - stretch.after)

    def keep(place: int, found: Decisions) -> None:
        progress.found = joined(iter((progress.found, found)))
        progress.place = place
        job.save(name, progress)

    left = Stretch(progress.place, stretch.to)
    handing = Keep(job.keep_every, keep)
    keep(stretch.to, check_decisions(reader, _tick, left, handing))
    return progress.found


def _verdict(
    logs: tuple[LogVerdict, ...],
    found: Decisions,
    beside: tuple[tuple[TableFault, ...], tuple[DerivedFault, ...]],
    witness: Witness,
) -> Verdict:
    return Verdict(
        "all",
        logs,
        found,
        *beside,
        checkpoints=witness.faults,
        lost_keys=witness.lost_keys,
        lodged=witness.compared,
    )
