"""`kill -9` at any moment: the casino goes on where its log stands."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.simulation.auditor import audit

KILLS = int(os.environ.get("PUSH22_KILLS", "12"))
PUSH22 = (sys.executable, "-m", "push22")
PLAY = (*PUSH22, "play", "--auto", "--rounds", "100000", "--data")
LOG_NAME = "push22.sqlite3"
ROOT = Path(__file__).parents[2]
LONGEST_S = 0.7


def push22(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PUSH22, *words],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )


@contextmanager
def playing(data: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Play in a process of its own; in the end it is killed without warning."""
    process = subprocess.Popen(
        [*PLAY, str(data)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()


def read_only(data: Path) -> sqlite3.Connection:
    """Look without touching: what the kill left is for the restart to mend."""
    return sqlite3.connect(f"file:{data / LOG_NAME}?mode=ro", uri=True)


def count(data: Path) -> int:
    """Return how many records are committed; 0 where there is no log yet."""
    if not (data / LOG_NAME).exists():
        return 0
    sql = read_only(data)
    try:
        (found,) = sql.execute("SELECT count(*) FROM records").fetchone()
    except sqlite3.OperationalError:
        return 0
    finally:
        sql.close()
    return int(found)


def await_growth(process: subprocess.Popen[bytes], data: Path) -> None:
    """Wait until the process has committed something of its own."""
    before, deadline = count(data), time.monotonic() + 20
    while count(data) == before:
        assert process.poll() is None, f"it stopped with {process.returncode}"
        assert time.monotonic() < deadline, "it commits nothing"
        time.sleep(0.01)


def open_rounds(data: Path) -> dict[str, int]:
    """Return the rounds that are not closed, with their last version."""
    sql = read_only(data)
    rows = sql.execute(
        "SELECT stream, max(version) FROM records WHERE stream LIKE 'round-%'"
        " GROUP BY stream HAVING sum(type = 'table.round_closed.v1') = 0"
    ).fetchall()
    sql.close()
    return dict(rows)


@pytest.mark.crash
def test_b6_killed_at_random_moments_nothing_is_lost(tmp_path: Path) -> None:
    """After each kill the open round goes on; in the end every check holds."""
    rng = random.Random(22)
    left: dict[str, int] = {}
    for kill in range(KILLS):
        with playing(tmp_path) as process:
            if kill % 4:
                await_growth(process, tmp_path)
            time.sleep(rng.uniform(0, LONGEST_S))
        still = open_rounds(tmp_path) if count(tmp_path) else {}
        assert len(still) <= 1, "a new round begins when the last one is over"
        for round_id, version in left.items():
            assert still.get(round_id, version) >= version, "nothing is lost"
        left = still

    again = push22("play", "--auto", "--rounds", "3", "--data", str(tmp_path))

    assert again.returncode == 0, again.stderr
    assert left.keys().isdisjoint(open_rounds(tmp_path)), "the last one went on too"
    assert audit(tmp_path / LOG_NAME) == []
    for words in (("verify", "--all"), ("audit",)):
        checked = push22(*words, "--data", str(tmp_path))
        assert checked.returncode == 0, checked.stdout[-2000:] + checked.stderr


@pytest.mark.crash
def test_killed_while_it_makes_its_files_it_starts_anew(tmp_path: Path) -> None:
    """A kill in the first moments leaves nothing that a restart can't use."""
    rng = random.Random(23)
    for _ in range(KILLS):
        with playing(tmp_path) as process:
            while process.poll() is None and not any(tmp_path.iterdir()):
                time.sleep(0.001)
            time.sleep(rng.uniform(0, 0.03))

    again = push22("play", "--auto", "--rounds", "1", "--data", str(tmp_path))

    assert again.returncode == 0, again.stderr
    assert audit(tmp_path / LOG_NAME) == []


@pytest.mark.crash
def test_a_second_process_on_the_same_data_is_refused(tmp_path: Path) -> None:
    """One process writes a casino's log; another is told so, in one line."""
    with playing(tmp_path) as process:
        await_growth(process, tmp_path)
        second = push22("play", "--auto", "--rounds", "1", "--data", str(tmp_path))

    assert second.returncode != 0
    assert "another process" in second.stderr
    assert "Traceback" not in second.stderr
