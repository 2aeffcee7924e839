"""A small load on a real casino, from the command line to the report, untimed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hdrh.log import HistogramLogReader

from push22.load.histograms import new_histogram
from push22.load.judgement import last_words, status_of
from push22.load.whole import read
from tests.load.processes import processes_in

ROOT = Path(__file__).parents[2]
FEW = "--embedded --players 6 --rate 2 --warm-up 2 --leave 0.2 --stall 0.2"
EASY = "--p50 60000 --p99 60000 --pace 0.05"


def started(folder: Path, words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "push22", "load", *words.split(), "--out", folder / "o"],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_casino_that_is_right_but_slow_has_a_status_of_its_own(
    tmp_path: Path,
) -> None:
    """No action takes less than a microsecond: the goal is missed on every machine."""
    hard = "--p50 0.001 --p99 0.001 --pace 0.05 --seconds 3"
    with started(tmp_path, f"{FEW} {hard}") as process:
        said, _ = process.communicate(timeout=280)

    body = (tmp_path / "o" / "report.html").read_text().partition("<body>\n")[2]
    assert (process.returncode, said.splitlines()[-1]) == (
        3,
        "sound, but objective missed",
    )
    assert '<p class="books wrong">Objective p50 0.001 ms' in body


def leftovers_in(folder: Path) -> list[str]:
    return [path.name for path in folder.glob("push22-load-*")]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_load_is_driven_audited_and_reported(tmp_path: Path) -> None:
    """The audit is the first line; steps, actions, samples and histograms are there."""
    with started(tmp_path, f"{FEW} {EASY} --runs 2 --seconds 5") as process:
        said, _ = process.communicate(timeout=280)

    report = read(tmp_path / "o")
    body = (tmp_path / "o" / "report.html").read_text().partition("<body>\n")[2]
    text = (tmp_path / "o" / "report.json").read_text()
    assert "0 violations" in said
    assert said.splitlines()[-1] == last_words(report)
    assert process.returncode == status_of(report)
    assert body.startswith('<p class="books">0 violations: audit: every cent is')
    assert text.partition("\n")[2].lstrip().startswith('"books"')
    assert report.books.is_sound
    assert len(report.runs) == 2
    for run in report.runs:
        assert run.due == run.closed + run.left + run.dropped + run.failed + (
            run.unfinished
        )
        assert run.closed > 0
        assert run.steps["action"].response.count >= run.actions["ready"] / 2
        response, service = run.steps["action"].response, run.steps["action"].service
        assert response.count == service.count
        assert response.max >= service.max
    assert any("casino" in second.cpu for second in report.seconds)
    assert max(second.log_bytes for second in report.seconds) > 0
    assert report.environment["processor"]
    assert_log_is_readable(tmp_path / "o" / "run-1.hlog", report.runs[0])
    assert processes_in(tmp_path) == []
    assert leftovers_in(tmp_path) == []


def assert_log_is_readable(path: Path, run: object) -> None:
    """HdrHistogram's own reader finds every tag, with as many values."""
    reader = HistogramLogReader(str(path), new_histogram())
    found = {}
    while (histogram := reader.get_next_interval_histogram()) is not None:
        found[histogram.get_tag()] = histogram.get_total_count()
    reader.close()
    steps = run.steps
    expected = {
        f"{name}-{kind}": getattr(times, kind).count
        for name, times in steps.items()
        for kind in ("response", "service")
        if times.response.count
    }
    assert found == expected


@pytest.mark.slow
@pytest.mark.timeout(200)
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_interrupted_it_leaves_no_process_behind(tmp_path: Path, sign: int) -> None:
    """By Ctrl-C the directory is gone as well; by SIGKILL at least the casino."""
    process = started(tmp_path, f"{FEW} {EASY} --seconds 600")
    until = time.monotonic() + 120
    while not has_opened(tmp_path) and time.monotonic() < until:
        assert process.poll() is None, process.stdout and process.stdout.read()
        time.sleep(0.1)
    assert processes_in(tmp_path)

    process.send_signal(sign)
    with process:
        process.communicate(timeout=100)

    until = time.monotonic() + 30
    while processes_in(tmp_path) and time.monotonic() < until:
        time.sleep(0.1)
    assert processes_in(tmp_path) == []
    if sign != signal.SIGKILL:
        assert process.returncode == 128 + sign
        assert leftovers_in(tmp_path) == []


def has_opened(folder: Path) -> bool:
    return any(folder.glob("push22-load-*/push22.sqlite3"))
