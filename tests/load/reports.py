"""Reports and runs for tests, from a few figures."""

from collections.abc import Sequence
from typing import Any

from push22.load.books import Books
from push22.load.histograms import STEPS, Quantiles, Times
from push22.load.report import Report, Run, Second
from push22.load.settings import HOLDS_SHARE, Settings

SOUND = Books("0 violations: audit: every cent is accounted for", is_sound=True)


def run_at(rate: float, p99: float, *, share: float = 1.0) -> Run:
    """Return a run of 100 rounds whose actions all take `p99` at worst."""
    found = Quantiles(500, p99 / 4, p99 / 2, p99, p99, p99)
    times = Times(found, found)
    missed = [f"p99 {p99:.1f} ms"] if p99 > 80 else []
    missed += ["share"] if share < HOLDS_SHARE else []
    return Run(
        rate=rate,
        seconds=10.0,
        due=100,
        dropped=round(100 * (1 - share)),
        closed=round(100 * share),
        left=0,
        stalled=0,
        failed=0,
        unfinished=0,
        achieved=rate * share,
        share=share,
        steps=dict.fromkeys(STEPS, times),
        late=times,
        actions={"stand": 100},
        errors={},
        curves={"action": [(0.0, 1.0), (1.0, 2.0), (2.0, p99)]},
        why_not=tuple(missed),
    )


def report_of(runs: Sequence[Run], **changed: Any) -> Report:
    usual = {
        "books": SOUND,
        "verdict": "met",
        "is_met": True,
        "made_at": "now",
        "environment": {"commit": "abc"},
        "casino": {"door": "http://127.0.0.1:1"},
        "settings": Settings(rates=tuple(run.rate for run in runs)),
        "runs": tuple(runs),
        "knee": None,
        "seconds": (Second(0.0, 1, 1, 0), Second(1.0, 2, 1, 0, cpu={"casino": 0.5})),
    }
    return Report(**{**usual, **changed})
