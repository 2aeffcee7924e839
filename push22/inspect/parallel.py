"""Checks a large log in several processes: each takes a stretch of it, or a chain.

What began before a stretch is caught up with, and a shoe belongs to the stretch in
which it was committed; so the parts together judge exactly what one process would.
"""

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import closing
from ctypes import c_longlong
from itertools import pairwise
from typing import Any

from push22.inspect.derived import DerivedFault, derived_faults
from push22.inspect.reader import LogName, Reader
from push22.inspect.table_fault import TableFault
from push22.inspect.verify import (
    Decisions,
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

_LARGE = 50_000
"""From so many records on the start of more processes pays."""

_PARTS_PER_PROCESS = 4
_LOOK_S = 0.2

_done: Any = None
"""In a worker: the counter of records done, shared with the one who waits."""


def verify_all(reader: Reader, tick: Tick, witness: Witness = NO_WITNESS) -> Verdict:
    """Check everything, in as many processes as there are processors."""
    processes = os.cpu_count() or 1
    path = reader.file.path
    if reader.count() < _LARGE or processes == 1 or path == MEMORY:
        logs = check_chains(reader, tick, witness)
        found = check_decisions(reader, tick)
        beside = check_tables(reader), derived_faults(reader)
        return Verdict("all", logs, found, *beside, witness.faults)
    context = multiprocessing.get_context("spawn")
    counter = context.Value(c_longlong, 0)
    with ProcessPoolExecutor(
        processes,
        mp_context=context,
        initializer=_begin,
        initargs=(counter,),
    ) as pool:
        chains = [pool.submit(_chain, path, log, witness) for log in reader.logs()]
        tables = pool.submit(_tables, path)
        last = reader.last_place()
        parts = [
            pool.submit(_decisions, path, stretch)
            for stretch in stretches(last, processes * _PARTS_PER_PROCESS)
        ]
        derived = pool.submit(_derived, path)
        _wait([*chains, tables, *parts, derived], counter, tick)
        logs = tuple(future.result() for future in chains)
        found = joined(future.result() for future in parts)
        beside = tables.result(), derived.result()
        return Verdict("all", logs, found, *beside, witness.faults)


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


def _tick(records: int) -> None:
    with _done.get_lock():
        _done.value += records


def _chain(path: str, log: LogName, witness: Witness) -> LogVerdict:
    with closing(Reader.at(path)) as reader:
        return check_chain(reader, log, _tick, witness)


def _tables(path: str) -> tuple[TableFault, ...]:
    with closing(Reader.at(path)) as reader:
        return check_tables(reader)


def _decisions(path: str, stretch: Stretch) -> Decisions:
    with closing(Reader.at(path)) as reader:
        return check_decisions(reader, _tick, stretch)


def _derived(path: str) -> tuple[DerivedFault, ...]:
    with closing(Reader.at(path)) as reader:
        return derived_faults(reader)
