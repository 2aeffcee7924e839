"""How fast the archive takes rounds in: its index of rounds, on one core.

Run `python bench/archive_projection.py [ROUNDS]`. Rounds of 64 tables are played first;
then their records are projected into an index again, and counted in time of the
processor. Beside it the floor: the same records decoded, and nothing done with them.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from reexecute import play

from push22.casino import LOG_NAME
from push22.inspect.rebuilding import rebuild_index
from runtime.bus_memory import Delivery
from runtime.sqlite_file import SqliteFile
from services.archive.project import ROUNDS

GOAL = 200
_ALL = 10**9


def decoded(path: Path) -> None:
    """Decode what the index heeds: whatever reads it has to."""
    file = SqliteFile.open(path, read_only=True)
    for source in ROUNDS.sources:
        for record in file.records_of_log(source, 0, 0, _ALL):
            if record.type in ROUNDS.heeds:
                assert Delivery(record).event is not None
    file.close()


def timed(work: Callable[[], None]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rounds", nargs="?", type=int, default=3000)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        asyncio.run(play(data, rounds))
        floor = timed(lambda: decoded(data / LOG_NAME))
        took = timed(lambda: rebuild_index(data))
    rate = rounds / took
    print(f"{'records decoded (floor)':32} {rounds / floor:>10,.0f} rounds/s")
    print(f"{'index of rounds, projected':32} {rate:>10,.0f} rounds/s")
    print(
        f"{floor / took:.0%} of the floor; the goal is {GOAL} rounds/s, one core: ",
        end="",
    )
    print("reached" if rate >= GOAL else "MISSED")


if __name__ == "__main__":
    main()
