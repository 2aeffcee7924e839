"""A pack made from a copy of the logs is signed by a key that is known, or not made."""

from pathlib import Path

import pytest
from mirroring import copied
from partitions import committed, split

from push22.__main__ import run
from push22.casino import LOG_NAME
from push22.checkpoints.keys import KEYS_NAME, SigningKeys
from runtime.ambient import SystemClock
from runtime.sqlite_file import SqliteFile


@pytest.fixture
def copy(played: Path, tmp_path: Path) -> Path:
    """The small casino's logs, as a command copies them: no key comes along."""
    file = SqliteFile.open(played / LOG_NAME, read_only=True)
    logs = split(list(committed(file)))
    file.close()
    return copied(logs, tmp_path)


def test_no_key_is_made_for_a_pack_of_a_copy(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever checks it would find it signed by nobody, and call it WRONG."""
    round_id = _ended(copy, capsys)
    words = ["evidence", round_id, "-o", str(copy / "pack.zip"), "--data", str(copy)]
    assert run(words) == 1
    told = capsys.readouterr().err
    assert "a copy, in which no key signs" in told and "archive" in told
    assert not (copy / "pack.zip").exists()
    assert not (copy / KEYS_NAME).exists()


def test_a_key_that_is_named_signs_the_pack_of_a_copy(
    copy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The archive's own, for one."""
    archive = copy / "archive"
    archive.mkdir()
    SigningKeys(archive).public(SystemClock())
    monkeypatch.setenv("PUSH22_CHECKPOINT_KEYS", str(archive / KEYS_NAME))
    round_id = _ended(copy, capsys)
    words = ["evidence", round_id, "-o", str(copy / "pack.zip"), "--data", str(copy)]
    assert run(words) == 0
    assert (copy / "pack.zip").is_file()


def _ended(data: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Return a round that has ended."""
    capsys.readouterr()
    assert run(["rounds", "--status", "settled", "--data", str(data)]) == 0
    return next(
        word for word in capsys.readouterr().out.split() if word.startswith("round-")
    )
