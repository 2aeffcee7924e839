"""How fast a log is read again: chains, audit, decisions made again, rounds rebuilt.

Run `python bench/reexecute.py [ROUNDS]`; or with `--data DIR` on a casino's own logs.
"""

import argparse
import asyncio
import functools
import os
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from embedded import Driver

from contracts import catalog, identities
from push22.casino import SERVICES, Casino
from push22.commands.audit import audited
from push22.inspect.history import steps_in
from push22.inspect.job import Job
from push22.inspect.parallel import verify_all
from push22.inspect.reader import Reader
from push22.inspect.secrets import REVEALS
from push22.inspect.verify import check_chains, check_decisions
from push22.inspect.witness import NO_WITNESS
from runtime.sqlite_file import MEMORY
from services.archive.reexecute import Reexecution

ROUND_AND_SETTLEMENT = ("round", "settlement")


async def play(data: Path, rounds: int) -> None:
    """Play rounds of one box at 64 tables of New York Switch."""
    casino = await Casino.open(data)
    driver = Driver(casino, 64)
    await driver.open()
    await driver.play(rounds)
    await casino.close()


def timed(what: str, unit: str, work: Callable[[], int]) -> None:
    began = time.perf_counter()
    count = work()
    took = time.perf_counter() - began
    print(f"{what:44} {count / took:>12,.0f} {unit}/s   ({count:,} in {took:.2f} s)")


def rounds_again(reader: Reader) -> int:
    """Make the decisions of round and settlement streams again."""
    services = [s for s in SERVICES if s.name in ("table-orchestrator", "settlement")]
    again = Reexecution(
        services, fetch=reader.find, history=reader.of_stream, reveals=REVEALS
    )
    rounds = 0
    for item in reader.everything():
        record = catalog.decode_envelope(item.body)
        if identities.category_of(item.stream) in ROUND_AND_SETTLEMENT:
            again.see(record)
        else:
            again.note(record)
        rounds += item.type == "table.round_closed.v1"
    again.finish()
    assert not again.differences, again.differences[0]
    return rounds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rounds", nargs="?", type=int, default=3000)
    parser.add_argument("--data", type=Path)
    options = parser.parse_args()
    if options.data:
        measure(Reader.open(options.data))
        return
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(play(Path(folder), options.rounds))
        measure(Reader.open(Path(folder)))


def measure(reader: Reader) -> None:
    tick = [].append
    records = reader.count()
    closed = [
        item.stream for item in reader.everything() if "round_closed" in item.type
    ]
    print(f"{records:,} records, {len(closed):,} rounds\n")
    timed("hash chains", "records", lambda: len(check_chains(reader, tick)) and records)
    timed("money audit", "rounds", lambda: audited(reader, tick).rounds_checked)
    timed("round and settlement streams again", "rounds", lambda: rounds_again(reader))
    timed(
        "all decisions and card proofs again",
        "rounds",
        lambda: check_decisions(reader, tick) and len(closed),
    )
    if reader.file.path != MEMORY:
        timed(
            f"everything, {os.cpu_count()} processes",
            "rounds",
            lambda: len(closed) * verify_all(reader, tick).is_match,
        )
        measure_job(reader, len(closed))
    timed(
        "single rounds rebuilt by id",
        "rounds",
        lambda: len([steps_in(reader, name) for name in closed[:500]]),
    )
    timed("envelopes decoded (floor)", "records", lambda: decoded(reader))


def measure_job(reader: Reader, rounds: int) -> None:
    """The same as a job that keeps its progress; and in processor time."""
    with tempfile.TemporaryDirectory() as folder:
        job = Job(Path(folder))
        began = _spent()
        verdict = functools.partial(verify_all, reader, [].append, NO_WITNESS, job)
        what = "the same as a job that can be resumed"
        timed(what, "rounds", lambda: rounds * verdict().is_match)
        own = (_spent() - began) / rounds
    print(f"{'a processor for a round of the job':44} {own * 1000:>12.2f} ms")
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{'peak memory of a process':44} {usage.ru_maxrss // 1024:>12,} MiB")


def _spent() -> float:
    return sum(os.times()[:4])


def decoded(reader: Reader) -> int:
    return sum(1 for item in reader.everything() if catalog.decode_envelope(item.body))


if __name__ == "__main__":
    main()
