"""A short load on a casino of many processes, with one of them broken in the middle."""

import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from bench.load.house import SLOW_S
from push22.load.whole import read
from tests.e2e.marks import CASINO
from tests.load.processes import processes_in

pytestmark = [*CASINO, pytest.mark.timeout(900)]

ROOT = Path(__file__).parents[2]
FEW = "--broker --players 4 --rate 1 --warm-up 2 --seconds 10 --leave 0.2 --stall 0.2"
EASY = "--p50 60000 --p99 60000 --pace 0.05"


def test_a_wallet_that_stood_still_is_in_the_report_and_nothing_is_left(
    tmp_path: Path,
) -> None:
    """The books are sound, the moment is told, and all servers are gone again."""
    out = tmp_path / "out"
    words = f"{FEW} {EASY} --chaos slow-wallet --out {out}".split()

    done = subprocess.run(
        [sys.executable, "-m", "push22", "load", *words],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=800,
        check=False,
    )

    said = done.stdout + done.stderr
    report, document = (
        read(out),
        msgspec.json.decode((out / "report.json").read_bytes()),
    )
    assert report.books.line.startswith("0 violations: audit: every cent"), said
    assert report.books.line.endswith("MATCH: all")
    chaos = document["chaos"]
    assert (chaos["kind"], chaos["is_made"]) == ("slow-wallet", True), said
    assert chaos["over_at"] - chaos["made_at"] > SLOW_S / 2
    assert f"chaos: slow-wallet, second {chaos['made_at']:.1f}" in said
    assert "slow-wallet" in (out / "report.html").read_text()
    assert report.runs[0].closed > 0
    assert_servers_are_told_of(report.casino)
    assert processes_in(tmp_path) == []
    assert not [path for path in tmp_path.iterdir() if path.name != "out"]


def assert_servers_are_told_of(casino: dict[str, str]) -> None:
    """One broker has one copy, the database loses nothing, records are counted."""
    said = casino["delivery"]
    assert said.startswith("brokers 1, replicas 1, min.insync.replicas 1; acks=all"), (
        said
    )
    assert "fsync on, synchronous_commit on" in casino["durability"]
    assert casino["kafka"].startswith(("kafka_", "image ")), casino["kafka"]
    assert re.fullmatch(r"\d+\.\d a round of [\d,]+ bytes", casino["records"])
