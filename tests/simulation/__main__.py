"""`python -m tests.simulation SEED [COUNT]`: play worlds again, say what was found."""

import asyncio
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.simulation.world import counts, simulate


def main(words: list[str]) -> int:
    """Play COUNT worlds from SEED on."""
    numbers = [int(word) for word in words if word != "--seed"]
    first, count = (*numbers, *(1, 1)[len(numbers) :])
    seen: Counter[str] = Counter()
    wrong = 0
    for seed in range(first, first + count):
        with tempfile.TemporaryDirectory() as folder:
            world, found = asyncio.run(simulate(seed, Path(folder)))
            seen += counts(world.path)
        sys.stdout.write(f"seed {seed}: {world.crashes} crashes\n")
        sys.stdout.writelines(f"  {line}\n" for line in found)
        wrong += bool(found)
    sys.stdout.writelines(f"  {n:5} {kind}\n" for kind, n in sorted(seen.items()))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
