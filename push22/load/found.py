"""What one run has shown: counted where it happens, read when the run is over."""

from array import array
from collections import Counter
from dataclasses import dataclass, field
from time import perf_counter

from push22.load.histograms import STEPS, Step


@dataclass
class Found:
    """Rounds of one run, by what became of them, and the times of their steps.

    `due` counts ticks of the counted time. `left` are those whose player went away in
    the middle, on purpose; the casino closes such a round by its own clock.
    """

    rate: float
    seconds: float
    due: int = 0
    dropped: int = 0
    closed: int = 0
    left: int = 0
    stalled: int = 0
    failed: int = 0
    unfinished: int = 0
    actions: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    steps: dict[str, Step] = field(
        default_factory=lambda: {name: Step() for name in STEPS}
    )
    late: Step = field(default_factory=Step)

    def note(self, step: str, due: float, sent: float) -> float:
        """Take in a step that is done now; return the time."""
        done = perf_counter()
        self.steps[step].note(due, sent, done)
        return done


def _times() -> "array[float]":
    return array("d")


@dataclass
class Timeline:
    """When rounds were due, closed and dropped, over all runs, warm-up included.

    All times are kept, eight bytes each: this is what a test holds of a round.
    """

    due: "array[float]" = field(default_factory=_times)
    closed: "array[float]" = field(default_factory=_times)
    dropped: "array[float]" = field(default_factory=_times)
