"""`python -m tests.simulation SEED`: play one world again and say what it found."""

import asyncio
import sys
import tempfile
from pathlib import Path

from tests.simulation.world import counts, simulate


def main() -> int:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with tempfile.TemporaryDirectory() as folder:
        world, found = asyncio.run(simulate(seed, Path(folder)))
        seen = counts(world.path)
    sys.stdout.write(f"seed {seed}: {world.crashes} crashes\n")
    sys.stdout.writelines(f"  {n:5} {kind}\n" for kind, n in sorted(seen.items()))
    sys.stdout.writelines(f"  {line}\n" for line in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
