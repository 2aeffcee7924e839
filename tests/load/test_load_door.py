"""A small load on a casino that runs already, as docs/load.md says, untimed."""

import asyncio
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from push22.__main__ import run
from push22.inspect.reader import Reader
from push22.load.judgement import status_of
from push22.load.places import ended, free_port, ready, spawned
from push22.load.whole import read

FEW = "--players 6 --rate 2 --warm-up 1 --seconds 5 --p50 60000 --p99 60000 --pace 0.05"


@contextmanager
def _serving(folder: Path) -> Iterator[tuple[str, Path]]:
    """A developer's casino that goes on; yields its door and its data."""
    port, data, log = free_port(), folder / "casino", folder / "said.log"
    words = f"serve --dev --data {data} --port {port} --proxies 127.0.0.1"
    process = spawned([sys.executable, "-m", "push22", *words.split()], log)
    try:
        asyncio.run(ready(f"http://127.0.0.1:{port}", process, log))
        yield f"http://127.0.0.1:{port}", data
        assert process.poll() is None, "the load has ended a casino that is not its own"
    finally:
        asyncio.run(ended(process))


def _load(door: str, data: Path, out: Path, *books: str) -> int:
    operators = str(data / "dev-operators.toml")
    words = ["--door", door, "--operators", operators, *FEW.split(), *books]
    return run(["load", *words, "--out", str(out)])


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_casino_that_runs_is_loaded_audited_and_left_running(tmp_path: Path) -> None:
    """Its logs are read while it goes on; the load's tables take no new rounds."""
    with _serving(tmp_path) as (door, data):
        code = _load(door, data, tmp_path / "o", "--data", str(data))
        with closing(Reader.open(data)) as reader:
            types = Counter(item.type for item in reader.everything())

    report = read(tmp_path / "o")
    assert code == status_of(report), report.verdict
    assert report.books.line.startswith("0 violations: audit: every cent")
    assert report.casino["door"] == door
    assert report.runs[0].closed > 0
    assert types["table.table_closed.v1"] == 6


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_casino_whose_logs_are_not_here_is_not_audited(tmp_path: Path) -> None:
    """However fast it was, nobody knows whether it was right: that is no pass."""
    with _serving(tmp_path) as (door, data):
        code = _load(door, data, tmp_path / "o")

    report = read(tmp_path / "o")
    assert code == 1
    assert report.books.line.startswith("NOT AUDITED: the logs are not here")
    assert report.runs[0].closed > 0
    assert not report.is_met
