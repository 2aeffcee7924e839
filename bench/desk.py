"""How long it takes to open a round at the dispute desk, and to judge it.

Run `python bench/desk.py [ROUNDS]`. Rounds of 64 tables are played; then some of them,
spread over the log, are opened as the viewer does. Beside it the floor: their records
read and decoded. The goal is 30 ms; wall time counts, time of the processor says why.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from reexecute import play

from push22.casino import LOG_NAME
from push22.desk.viewer import FileViewer
from push22.inspect.reader import Reader

GOAL_MS = 30
_OPENED = 200
_JUDGED = 40


def rounds_of(data: Path, count: int) -> list[str]:
    """Choose rounds that lie evenly in the log."""
    reader = Reader.open(data)
    query = "SELECT round_id FROM archive_rounds WHERE status = 'settled'"
    found = sorted(row[0] for row in reader.sql.execute(query))
    reader.close()
    return found[:: max(1, len(found) // count)][:count]


def measured(work: Callable[[str], object], rounds: list[str]) -> tuple[float, ...]:
    """Return p50 and p99 of wall time and of processor time, in milliseconds."""
    walls, processor = [], []
    for name in rounds:
        wall, spent = time.perf_counter(), time.process_time()
        assert work(name) is not None, name
        walls.append((time.perf_counter() - wall) * 1000)
        processor.append((time.process_time() - spent) * 1000)
    return (*_of(walls), *_of(processor))


def _of(values: list[float]) -> tuple[float, float]:
    ordered = sorted(values)
    last = min(len(ordered) - 1, len(ordered) * 99 // 100)
    return ordered[len(ordered) // 2], ordered[last]


def read(data: Path) -> Callable[[str], object]:
    def records(name: str) -> object:
        reader = Reader.open(data)
        found = reader.of_round(name)
        reader.close()
        return found

    return records


def tell(what: str, found: tuple[float, ...]) -> None:
    wall50, wall99, spent50, spent99 = found
    print(
        f"{what:28} p50 {wall50:7.1f} ms  p99 {wall99:7.1f} ms"
        f"   processor {spent50:6.1f} / {spent99:6.1f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rounds", nargs="?", type=int, default=1500)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        asyncio.run(play(data, rounds))
        chosen = rounds_of(data, _OPENED)
        viewer = FileViewer(data / LOG_NAME)
        tell("records read (floor)", measured(read(data), chosen))
        opened = measured(viewer.replay, chosen)
        tell("a round opened", opened)
        tell("a round judged", measured(viewer.verdict, chosen[:_JUDGED]))
    reached = "reached" if opened[1] <= GOAL_MS else "MISSED"
    print(f"opening: the goal is {GOAL_MS} ms, p99: {reached}")


if __name__ == "__main__":
    main()
