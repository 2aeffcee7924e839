"""Measures what a round costs; writes the capacity model's costs and page again.

Run `make capacity` on a machine that does nothing else: about ten minutes. The
door is asked what watchers and idle players cost, then a distributed casino is loaded
at each rate, and measured before anyone plays in it. It waits up to two minutes for a
quiet machine; what was measured while other work ran is marked as preliminary.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import uvloop

from bench.door.idle import grown
from bench.door.watchers import from_the_door
from bench.load.quiet import became_quiet
from push22.capacity.costs import Costs, Door, written
from push22.capacity.document import regenerated
from push22.capacity.measure import Unusable, costs_from
from push22.capacity.options import COMMITTED, costs_in
from push22.certify.writing import write_whole
from push22.load.house import WITH_HEARER
from push22.load.judgement import FAILED, MET, SLOW
from push22.load.report import Report
from push22.load.whole import read

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "capacity.md"
BOUND_S = 900
PACE_S = 0.2
PLAYERS_A_RATE = 3
"""With 75 s of it a table plays 25 rounds, which is about one shoe, at every rate."""

IDLE_S = 20
"""A fiftieth of a core is 0.4 s of it: forty of the kernel's ticks."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rates", default="4,10,16,22", help="rounds a second")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--warm-up", type=int, default=15)
    parser.add_argument("--keep-door", action="store_true", help="measure no watchers")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "capacity")
    asked = parser.parse_args()
    noisy = not became_quiet()
    door = costs_in(COMMITTED).door if asked.keep_door else _door()
    rates = [float(word) for word in asked.rates.split(",")]
    reports = [_loaded(rate, asked) for rate in rates]
    words = f"rates {asked.rates}, {asked.seconds} s each"
    costs = costs_from(reports, door, _sections(words), noisy=noisy)
    if isinstance(costs, Unusable):
        raise SystemExit(f"no costs: {costs.reason}")
    _keep(costs)


def _door() -> Door:
    """Ask the bench of the door; memory first, for what else runs would count."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        count, before, after = runner.run(grown())
    with (
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        tempfile.TemporaryDirectory() as folder,
    ):
        _, watcher_us = runner.run(from_the_door(Path(folder)))
    kib = max(0.0, after - before) * 1024 / count
    return Door(
        watcher_us_per_event=round(watcher_us, 1), idle_player_kib=round(kib, 1)
    )


def _loaded(rate: float, asked: argparse.Namespace) -> Report:
    """Load a casino of its own; one that is slow, or not sound, is judged later."""
    out = asked.out / f"{rate:g}"
    words = ["load", "--broker", "--rate", f"{rate:g}", "--out", str(out)]
    words += ["--players", str(round(PLAYERS_A_RATE * rate)), "--pace", str(PACE_S)]
    words += ["--seconds", str(asked.seconds), "--warm-up", str(asked.warm_up)]
    words += ["--idle", str(IDLE_S)]
    words += ["--leave", "0"]  # a round without its player may outlast the test
    environment = {
        "PUSH22_E2E": "local",
        **os.environ,
        "PYTHONPATH": str(ROOT),
        WITH_HEARER: "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", "push22", *words],
        cwd=ROOT,
        env=environment,
        timeout=BOUND_S,
        check=False,
    )
    if done.returncode not in (MET, FAILED, SLOW):
        raise SystemExit(f"push22 load ended with {done.returncode}")
    return read(out)


def _sections(words: str) -> dict[str, str]:
    load = f"push22 load --broker, {words}; Kafka and PostgreSQL on the same machine"
    return {
        "processes": f"{load}: least squares over"
        f" the rates and {IDLE_S} s before each without play",
        "logs, topics": f"{load}: what was laid down, divided by the rounds",
        "points": load,
        "door": "python -m bench.gateway idle watchers",
    }


def _keep(costs: Costs) -> None:
    write_whole(COMMITTED, written(costs))
    page = regenerated(PAGE.read_text(), _printed)
    write_whole(PAGE, page.encode())
    print(f"written: {COMMITTED.relative_to(ROOT)}, {PAGE.relative_to(ROOT)}")


def _printed(command: str) -> str:
    words = [sys.executable, "-m", *command.split()]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        words, cwd=ROOT, env=environment, text=True, check=False, stdout=subprocess.PIPE
    )
    if done.returncode not in (0, 1):  # 1: the model disagrees, as the page then says
        raise SystemExit(f"{command} ended with {done.returncode}")
    return done.stdout


if __name__ == "__main__":
    main()
