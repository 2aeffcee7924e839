"""Measuring waits for a quiet machine, but not for ever, and says what it does."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench.load.quiet import QUIET, WAIT_S, became_quiet, load_average

ROOT = Path(__file__).parents[2]


class Machine:
    """A machine whose load falls to a level, as its one-minute average does."""

    def __init__(self, load: float, floor: float = 0.0) -> None:
        self.load, self.floor = load, floor
        self.slept_s = 0.0
        self.said: list[str] = []

    def average(self) -> float:
        fallen = 0.5 ** (self.slept_s / 41.6)
        return self.floor + (self.load - self.floor) * fallen

    def sleep(self, seconds: float) -> None:
        self.slept_s += seconds

    def is_quiet(self) -> bool:
        return became_quiet(self.average, self.sleep, self.said.append)


def test_a_quiet_machine_is_measured_at_once() -> None:
    """Nothing is waited for and nothing is said."""
    machine = Machine(QUIET)

    assert machine.is_quiet()
    assert (machine.slept_s, machine.said) == (0.0, [])


@pytest.mark.parametrize("load", [0.6, 2.0, 3.5])
def test_what_was_installed_just_before_is_waited_for(load: float) -> None:
    """What `make` itself did is over; its average needs up to two minutes to say so."""
    machine = Machine(load)

    assert machine.is_quiet()
    assert 0 < machine.slept_s <= WAIT_S
    assert machine.average() <= QUIET
    waiting, over = machine.said
    assert waiting == (
        f"load average {load:.2f} is over 0.5: waiting up to 120 s for quiet"
    )
    assert over == f"quiet after {machine.slept_s:g} s"


def test_other_work_is_waited_for_two_minutes_and_told() -> None:
    """Then the costs are measured all the same, and are marked."""
    machine = Machine(3.0, floor=1.0)

    assert not machine.is_quiet()
    assert machine.slept_s == WAIT_S
    assert machine.said[-1].startswith("other work runs, load average 1.")
    assert machine.said[-1].endswith("the costs will be PRELIMINARY")


def test_the_wait_is_told_at_once_through_a_pipe() -> None:
    """Somebody who redirects the output reads it while the wait goes on."""
    program = (
        "import sys; from bench.load.quiet import became_quiet;"
        "became_quiet(lambda: 9.0, lambda _: sys.stdin.readline() and None)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("load average 9.00 is over 0.5")
        assert process.poll() is None
        process.communicate("", timeout=60)

    assert process.returncode == 0


def test_the_load_is_this_machines() -> None:
    """It is no constant: the kernel tells it."""
    told = float(Path("/proc/loadavg").read_text().split()[0])
    assert load_average() == pytest.approx(told, abs=1.0)
