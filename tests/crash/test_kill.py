"""`kill -9` at any moment: the casino goes on where its log stands."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.simulation.auditor import audit

KILLS = int(os.environ.get("PUSH22_KILLS", "10"))
PUSH22 = [sys.executable, "-m", "push22"]
ROOT = Path(__file__).parents[2]


def push22(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PUSH22, *words],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.crash
def test_b6_killed_at_random_moments_nothing_is_lost(tmp_path: Path) -> None:
    """After each kill a restart goes on; in the end every check holds."""
    rng = random.Random(22)
    data = str(tmp_path)
    play = [*PUSH22, "play", "--auto", "--rounds", "100000", "--data", data]

    for _ in range(KILLS):
        process = subprocess.Popen(
            play, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(rng.uniform(0.3, 1.6))
        assert process.poll() is None, "it was still playing"
        os.kill(process.pid, signal.SIGKILL)
        process.wait()

    again = push22("play", "--auto", "--rounds", "3", "--data", data)
    assert again.returncode == 0, again.stderr
    assert audit(tmp_path / "push22.sqlite3") == []
    verified = push22("verify", "--all", "--data", data)
    assert verified.returncode == 0, verified.stdout[-2000:]
    audited = push22("audit", "--data", data)
    assert audited.returncode == 0, audited.stdout[-2000:]


@pytest.mark.crash
def test_a_second_process_on_the_same_data_is_refused(tmp_path: Path) -> None:
    """One process writes a casino's log; another is told so, in one line."""
    play = [*PUSH22, "play", "--auto", "--rounds", "100000", "--data", str(tmp_path)]
    first = subprocess.Popen(
        play, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + 20
        while not (tmp_path / "push22.sqlite3").exists():
            assert time.monotonic() < deadline, "the first process opens its log"
            time.sleep(0.05)
        second = push22("play", "--auto", "--rounds", "1", "--data", str(tmp_path))
    finally:
        os.kill(first.pid, signal.SIGKILL)
        first.wait()

    assert second.returncode != 0
    assert "another process" in second.stderr
    assert "Traceback" not in second.stderr
