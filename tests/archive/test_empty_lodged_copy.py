"""A lodged file in which no checkpoint stands is no witness, whoever wrote it."""

import shutil
from pathlib import Path

import pytest
from signing import sign_all
from small_casino import copy_of

from push22.__main__ import run


@pytest.fixture(scope="module")
def signed(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("lodged")
    copy_of(played, data).close()
    sign_all(data)
    return data


@pytest.mark.parametrize("text", ["", "\n", " \n\n"])
def test_nothing_is_not_taken_for_a_witness(
    signed: Path, tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A copy that was lost on its way must not look like one that agrees."""
    lodged = tmp_path / "lodged.jsonl"
    lodged.write_text(text)
    words = ["verify", "--all", "--data", str(signed), "--checkpoints", str(lodged)]
    assert run(words) == 2
    told = capsys.readouterr()
    assert f"{lodged}: holds no checkpoint; nothing was compared" in told.err
    assert "MATCH" not in told.out


def test_what_was_compared_is_counted(
    signed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who lodged more than that knows that his file was cut."""
    lodged = tmp_path / "lodged.jsonl"
    shutil.copy(signed / "checkpoints.jsonl", lodged)
    count = len(lodged.read_bytes().splitlines())
    words = ["verify", "--all", "--data", str(signed), "--checkpoints", str(lodged)]
    assert run(words) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert f"compared with {count} lodged elsewhere" in told


def test_a_document_without_keys_is_none(
    signed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Then every checkpoint would be unknown, and nobody would know why."""
    keys = tmp_path / "keys.json"
    keys.write_text('{"keys":[]}')
    words = ["verify", "--all", "--data", str(signed), "--keys", str(keys)]
    assert run(words) == 2
    assert str(keys) in capsys.readouterr().err
