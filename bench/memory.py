"""Whether memory stays flat: 64 tables, resident memory and rate at each tenth.

Run `python bench/memory.py [ROUNDS]`; the issue's figure is 200,000 rounds, which
takes about a quarter of an hour and 10 GB of disk. Ends by itself.
"""

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

from embedded import Driver

from push22.casino import LOG_NAME, Casino

_PAGE = os.sysconf("SC_PAGE_SIZE")
_MIB = 1024 * 1024


def resident_mib() -> int:
    """Return this process's resident memory."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * _PAGE // _MIB


async def measure(data: Path, rounds: int) -> None:
    casino = await Casino.open(data)
    driver = Driver(casino, 64)
    await driver.open()
    print(f"{'rounds':>9} {'MiB':>6} {'rounds/s':>9} {'log MiB':>8}")
    for tenth in range(1, 11):
        before, begun = driver.closed, time.perf_counter()
        await driver.play(rounds * tenth // 10)
        rate = (driver.closed - before) / (time.perf_counter() - begun)
        size = (data / LOG_NAME).stat().st_size // _MIB
        line = f"{driver.closed:9,} {resident_mib():6} {rate:9.0f} {size:8,}"
        print(line, flush=True)
    await casino.close()


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder), rounds))


if __name__ == "__main__":
    main()
