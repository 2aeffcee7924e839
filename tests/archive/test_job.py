"""A long verification that is killed goes on, and finds what it would have found."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from forgery import TABLE, rechain, rewrite, version_of, with_data
from msgspec.structs import replace
from small_casino import PLAIN, copy_of

from push22.errors import Failure
from push22.inspect import parallel
from push22.inspect.job import Job
from push22.inspect.opening import Lines
from push22.inspect.parallel import verify_all
from push22.inspect.reader import Reader
from push22.inspect.verify import Decisions, Stretch, check_decisions
from push22.inspect.witness import NO_WITNESS, Witness
from services.archive.checkpoints import CheckpointFault

ROOT = Path(__file__).parents[2]
EVERY = 120
"""So often progress is kept here, that a small casino has many places to be killed."""

RUN = """
import sys
from pathlib import Path
import msgspec
from push22.inspect.job import Job
from push22.inspect.opening import Lines
from push22.inspect.parallel import verify_all
from push22.inspect.reader import Reader
if __name__ == "__main__":
    reader = Reader.open(Path(sys.argv[1]))
    found = verify_all(reader, lambda _: None, job=Job(Path(sys.argv[2]), EVERY))
    sys.stdout.write(msgspec.json.encode(found).decode())
""".replace("EVERY", str(EVERY))


class Killed(BaseException):
    pass


@pytest.fixture
def forged(played: Path, tmp_path: Path) -> Iterator[Path]:
    """A casino with findings of several kinds, early and late."""
    file = copy_of(played, tmp_path / "data")
    version = version_of(file, PLAIN, "table.hand_stood.v1")
    rewrite(
        file,
        (PLAIN, version),
        lambda x: replace(
            with_data(x, b"table.hand_stood.v1", b"table.hand_hit.v1"),
            type="table.hand_hit.v1",
        ),
    )
    late = "settlement-round-t2-3"
    rewrite(file, (late, 1), lambda x: replace(x, caused_by="nothing"))
    rechain(file, TABLE)
    rechain(file, "settlement")
    file.close()
    yield tmp_path / "data"


def plain(found: object) -> object:
    """Return findings as what a reader gets to see."""
    return json.loads(msgspec.json.encode(found))


@pytest.fixture(autouse=True)
def tickless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work of a worker is done here, where nobody counts."""
    monkeypatch.setattr(parallel, "_tick", lambda _: None)


def decided(data: Path, job: Job) -> Decisions:
    reader = Reader.open(data)
    try:
        whole = Stretch(0, reader.last_place())
        return parallel._decisions(reader.file.path, whole, job)
    finally:
        reader.close()


class Dying(Job):
    """Is killed after it kept its progress so often, or just before."""

    def __init__(self, folder: Path, lives: int) -> None:
        super().__init__(folder, EVERY)
        self.lives = lives

    def save(self, name: str, value: object) -> None:
        self.lives -= 1
        if self.lives < 0:
            raise Killed
        super().save(name, value)


@pytest.mark.parametrize("which", ["whole", "forged"])
def test_cut_into_pieces_it_finds_what_it_finds_at_once(
    which: str, played: Path, forged: Path, tmp_path: Path
) -> None:
    """Each piece is made by a process that was killed after it kept one more."""
    data = played if which == "whole" else forged
    (tmp_path / "once").mkdir()
    (tmp_path / "job").mkdir()
    once = decided(data, Job(tmp_path / "once", EVERY))
    found, pieces = None, 0
    while found is None:
        try:
            found = decided(data, Dying(tmp_path / "job", 1))
        except Killed:
            pieces += 1
    assert pieces > 5
    assert plain(found) == plain(once)
    at_once = check_decisions(Reader.open(data), lambda _: None)
    assert plain(once.differences) == plain(at_once.differences)
    # A stream that differed is followed again by who begins later.
    assert once.checked >= at_once.checked
    assert which == "forged" or plain(once) == plain(at_once)


def test_what_differs_is_kept_over_a_kill(forged: Path, tmp_path: Path) -> None:
    """The findings from before are in the verdict."""
    (tmp_path / "job").mkdir()
    found = decided(forged, Job(tmp_path / "job", EVERY))
    named = {difference.record.rpartition("@")[0] for difference in found.differences}
    assert {PLAIN, "settlement-round-t2-3"} <= named


def test_a_job_that_is_done_leaves_nothing(played: Path, tmp_path: Path) -> None:
    """The next verification looks at everything again."""
    job = Job(tmp_path / "job")
    reader = Reader.open(played)
    verdict = verify_all(reader, lambda _: None, job=job)
    assert verdict.is_match
    assert plain(verdict) == plain(verify_all(reader, lambda _: None))
    assert list(job.folder.iterdir()) == []


@pytest.mark.crash
def test_killed_at_any_time_it_goes_on(forged: Path, tmp_path: Path) -> None:
    """Kill -9 of all its processes, again and again: the same verdict in the end."""
    script = tmp_path / "run.py"
    script.write_text(RUN)
    words = [sys.executable, str(script), str(forged), str(tmp_path / "job")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    chance = random.Random(1)
    for _ in range(6):
        process = subprocess.Popen(
            words, env=environment, stdout=subprocess.DEVNULL, start_new_session=True
        )
        try:
            process.wait(chance.uniform(0.4, 2.5))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    last = subprocess.run(
        words, env=environment, capture_output=True, check=True, timeout=100
    )
    reader = Reader.open(forged)
    other = Job(tmp_path / "other", EVERY)
    assert json.loads(last.stdout) == plain(
        verify_all(reader, lambda _: None, job=other)
    )


def test_another_log_is_not_gone_on_with(
    played: Path, forged: Path, tmp_path: Path
) -> None:
    """Nor other checkpoints: what was found was found against those."""
    job = Job(tmp_path / "job")
    cut = [Stretch(0, 10)]
    job.begin(Reader.open(played), NO_WITNESS, cut)
    with pytest.raises(Failure, match="progress on another log"):
        job.begin(Reader.open(forged), NO_WITNESS, cut)
    other = Witness(faults=(CheckpointFault("bad_signature", "", 0, ""),))
    with pytest.raises(Failure, match="progress on another log"):
        job.begin(Reader.open(played), other, cut)
    assert job.begin(Reader.open(played), NO_WITNESS, []) == tuple(cut)


def test_progress_that_was_changed_is_not_believed(tmp_path: Path) -> None:
    """A bit that fell over on the disk is no finding, and hides none."""
    job = Job(tmp_path)
    job.save("part", Stretch(1, 2))
    path = tmp_path / "part.progress"
    path.write_bytes(path.read_bytes().replace(b"2]", b"3]"))
    with pytest.raises(Failure, match="it was changed"):
        job.load("part", Stretch)


def test_a_log_file_is_told_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """A batch job has nobody who looks at a bar; a line now and then is enough."""
    now = [0.0]
    lines = Lines("verify", 4000, lambda: now[0])
    for seconds in (1.0, 10.0, 20.0, 31.0, 32.0, 70.0):
        now[0] = seconds
        lines.tick(500)
    assert capsys.readouterr().err.splitlines() == [
        "push22: verify: 2,000 of 4,000, 50%, 65/s",
        "push22: verify: 3,000 of 4,000, 75%, 26/s",
    ]


def test_a_database_error_is_no_progress(played: Path, tmp_path: Path) -> None:
    """What fails is not kept as done."""
    (tmp_path / "job").mkdir()
    job = Job(tmp_path / "job", EVERY)
    copy = copy_of(played, tmp_path / "data")
    copy.execute("ALTER TABLE records RENAME TO elsewhere")
    with pytest.raises(sqlite3.Error):
        parallel._decisions(str(tmp_path / "data/push22.sqlite3"), Stretch(0, 9), job)
    assert list(job.folder.iterdir()) == []
