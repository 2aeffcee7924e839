"""What signing the logs costs: of a settled round, and of a record.

Both casinos play in turn, for the machine's speed changes; counted is processor time.
Run `python bench/checkpoints.py [ROUNDS]`.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from embedded import Driver

from push22.casino import LOG_NAME, Casino
from push22.inspect.reader import Reader
from push22.inspect.verify import check_chains
from push22.inspect.witness import witness_of
from runtime.sqlite_file import SqliteFile
from runtime.watcher import NO_WATCHER, Watcher
from services.archive.checkpoints import LogPlace, Stretch

TURNS = 3
_TABLE = "table-orchestrator"


class Timed:
    """Counts the time that a watcher takes."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self.took = 0.0

    def start(self) -> None:
        self._watcher.start()

    def look(self) -> None:
        began = time.process_time()
        self._watcher.look()
        self.took += time.process_time() - began

    def close(self) -> None:
        self._watcher.close()


async def play(data: Path, rounds: int, *, signs: bool) -> tuple[float, float]:
    """Return milliseconds of processor time a round, and those of signing."""
    casino = await Casino.open(data)
    timed = Timed(casino.host.watcher if signs else NO_WATCHER)
    casino.host.watcher = timed
    driver = Driver(casino, 64)
    await driver.open()
    began = time.process_time()
    await driver.play(rounds)
    took = time.process_time() - began
    await casino.close()
    return took / driver.closed * 1000, timed.took / driver.closed * 1000


def measure_rounds(folder: Path, rounds: int) -> None:
    costs: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    for turn in range(TURNS):
        for signs in (True, False):
            data = folder / f"{turn}-{signs}"
            costs[signs].append(asyncio.run(play(data, rounds, signs=signs)))
    for signs, text in ((True, "with checkpoints"), (False, "without")):
        best = min(cost[0] for cost in costs[signs])
        print(f"{text:24} {best:8.3f} ms of a processor a round, best of {TURNS}")
    share = min(own / whole for whole, own in costs[True])
    print(f"{'signing, of a round':24} {share:8.1%}")


def measure_records(data: Path) -> None:
    file = SqliteFile.open(data / LOG_NAME, read_only=True)
    began = time.process_time()
    rows = file.query(
        "SELECT offset, hash, body FROM records WHERE service = ? ORDER BY offset",
        (_TABLE,),
    )
    read = time.process_time()
    stretch = Stretch(LogPlace(_TABLE, "", 0), 0, bytes(32))
    for row in rows:
        stretch.take(*row)
    stretch.statement(0)
    taken = time.process_time()
    file.close()
    count = len(rows)
    print(f"{'read a record':24} {(read - began) / count * 1e6:8.2f} us")
    print(f"{'chain and tree':24} {(taken - read) / count * 1e6:8.2f} us")


def measure_verification(data: Path) -> None:
    reader = Reader.open(data)
    began = time.process_time()
    witness = witness_of(reader)
    judged = time.process_time()
    check_chains(reader, lambda _: None)
    alone = time.process_time()
    check_chains(reader, lambda _: None, witness)
    held = time.process_time()
    count = reader.count()
    more = (held - alone) - (alone - judged)
    print(f"{'hold a record to them':24} {more / count * 1e6:8.2f} us")
    checkpoints = len(witness.kept.statements)
    each = (judged - began) / checkpoints * 1e6
    print(f"{'believe a checkpoint':24} {each:8.0f} us   ({checkpoints} of them)")
    reader.close()


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
    with tempfile.TemporaryDirectory() as folder:
        measure_rounds(Path(folder), rounds)
        measure_records(Path(folder) / "0-True")
        measure_verification(Path(folder) / "0-True")


if __name__ == "__main__":
    main()
