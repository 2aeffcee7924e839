"""Short loads on casinos of many processes, with something broken in the middle."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench.load.house import SLOW_S
from push22.load.report import Report
from push22.load.whole import read
from tests.e2e.marks import CASINO
from tests.load.processes import processes_in

pytestmark = [*CASINO, pytest.mark.timeout(1200)]

ROOT = Path(__file__).parents[2]
FEW = "--broker --players 4 --rate 1 --warm-up 2 --leave 0.2 --stall 0.2"
EASY = "--p50 60000 --p99 60000 --pace 0.05"
SECONDS = {"slow-wallet": 16, "broker-kill": 40, "rebalance": 40}
"""Longer where a server or a service has to start before the load is over."""

LASTS_S = {"slow-wallet": SLOW_S / 2, "broker-kill": 0.5, "rebalance": SLOW_S / 2}
"""No trouble of the kind is over sooner."""


@pytest.mark.parametrize("kind", SECONDS)
def test_what_was_broken_is_in_the_report_and_nothing_is_left(
    kind: str, tmp_path: Path
) -> None:
    """The books are sound, the moment is told, players go on, all servers are gone."""
    out = tmp_path / "out"

    report, said = _outlasting(kind, out)

    assert report.books.line.startswith("0 violations: audit: every cent"), said
    assert report.books.line.endswith("MATCH: all")
    assert report.chaos is not None
    assert (report.chaos.kind, report.chaos.is_made) == (kind, True), said
    assert report.chaos.over_at - report.chaos.made_at > LASTS_S[kind]
    assert report.chaos.well_at > report.chaos.over_at, said
    assert f"chaos: {kind}, second {report.chaos.made_at:.1f}" in said
    for name in ("report.html", "report.md"):
        assert report.chaos.line in (out / name).read_text()
    assert report.runs[0].closed > 0
    assert sum(report.runs[0].errors.values()) >= report.runs[0].failed
    assert_servers_are_told_of(report.casino)
    assert processes_in(tmp_path) == []
    assert not [path for path in tmp_path.iterdir() if path.name != "out"]


def _outlasting(kind: str, out: Path) -> tuple[Report, str]:
    """Load for longer, where servers start too slowly for the load to see the end."""
    for seconds in (SECONDS[kind], 4 * SECONDS[kind]):
        words = f"{FEW} {EASY} --seconds {seconds} --chaos {kind} --out {out}"
        said = _said(words.split(), out.parent)
        report = read(out)
        if report.chaos and report.chaos.is_outlasted:
            break
    return report, said


def _said(words: list[str], folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "push22", "load", *words],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    return done.stdout + done.stderr


def assert_servers_are_told_of(casino: dict[str, str]) -> None:
    """One broker has one copy, the database loses nothing, records are counted."""
    said = casino["delivery"]
    assert said.startswith("brokers 1, replicas 1, min.insync.replicas 1; acks=all"), (
        said
    )
    assert "fsync on, synchronous_commit on" in casino["durability"]
    assert casino["kafka"].startswith(("kafka_", "image ")), casino["kafka"]
    assert re.fullmatch(r"\d+\.\d a round of [\d,]+ bytes", casino["records"])
