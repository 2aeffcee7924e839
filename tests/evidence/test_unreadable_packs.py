"""A mistyped name accuses nobody: exit 2, one line, and no verdict."""

from pathlib import Path

import pytest

from push22 import verify_cards
from push22.__main__ import run
from push22.evidence import verify

Told = pytest.CaptureFixture[str]
NOTHING = "nothing was checked\n"


def test_a_pack_that_is_not_there_is_no_wrong_pack(
    tmp_path: Path, capsys: Told
) -> None:
    """The name is told as it was given, with the reason."""
    name = str(tmp_path / "nosuch.zip")
    code = verify.main([name])
    said = capsys.readouterr()

    assert (code, said.out) == (2, "")
    why = "cannot be read: no such file or directory"
    assert said.err == f"{name}: {why}; {NOTHING}"


@pytest.mark.parametrize("name", ["nosuch/pack.zip", "pack.zip/more", "a\0b", ""])
def test_whatever_the_reason_nothing_is_judged(
    name: str,
    pack: bytes,
    tmp_path: Path,
    *,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Told,
) -> None:
    """A folder that is not there, a file taken for one, no name at all."""
    (tmp_path / "pack.zip").write_bytes(pack)
    monkeypatch.chdir(tmp_path)
    code = verify.main([name])
    said = capsys.readouterr()

    assert (code, said.out, said.err.count("\n")) == (2, "", 1)
    assert said.err.endswith(NOTHING)


def failing(*_: object) -> None:
    raise PermissionError(13, "Permission denied")


@pytest.mark.parametrize("call", ["listdir", "lstat"])
def test_a_folder_that_may_not_be_read_is_not_judged(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Told
) -> None:
    """Neither its list of files nor a file in it."""
    (tmp_path / "report.pdf").write_bytes(b"%PDF")
    monkeypatch.setattr(verify.os, call, failing)
    code = verify.main([str(tmp_path)])
    said = capsys.readouterr()

    assert (code, said.out) == (2, "")
    assert said.err.endswith(f"cannot be read: permission denied; {NOTHING}")


def test_keys_that_cannot_be_read_are_told_so(tmp_path: Path, capsys: Told) -> None:
    """The pack is not looked at then."""
    code = verify.main(["pack.zip", "--keys", str(tmp_path / "nosuch.json")])
    said = capsys.readouterr()

    assert (code, said.out) == (2, "")
    assert "nosuch.json: cannot be read: no such file or directory" in said.err


def test_a_file_that_can_be_read_is_judged(pack: bytes, tmp_path: Path) -> None:
    """What is there and is no pack stays WRONG."""
    (tmp_path / "pack.zip").write_bytes(pack[:-1])
    assert verify.main([str(tmp_path / "pack.zip")]) == 1


def test_a_card_record_that_is_not_there_is_not_refused(
    tmp_path: Path, capsys: Told
) -> None:
    """One that is read and refused still counts more."""
    other = tmp_path / "other.json"
    other.write_text("{}")
    name = str(tmp_path / "nosuch.json")

    assert verify_cards.main([name]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.endswith(NOTHING)) == ("", True)
    assert verify_cards.main([name, str(other)]) == 1


@pytest.mark.parametrize(
    "words",
    [
        ["verify", "--all", "--checkpoints", "nosuch"],
        ["verify", "--all", "--keys", "nosuch"],
        ["audit", "--statement", "nosuch"],
        ["import", "nosuch", "-o", "new"],
        ["load", "compare", "nosuch", "nosuch"],
        ["script", "nosuch"],
    ],
    ids=lambda words: words[0],
)
def test_a_command_is_given_a_file_that_is_not_there(
    words: list[str],
    home: Path,
    tmp_path: Path,
    *,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Told,
) -> None:
    """Exit 1 would say that it was read and differs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PUSH22_DATA", str(home))
    code = run(words)
    said = capsys.readouterr()

    assert (code, said.out) == (2, "")
    assert "nosuch: " in said.err
    assert "cannot be read: no such file or directory" in said.err
    assert "Errno" not in said.err
    assert not (tmp_path / "new").exists()


def test_an_import_by_keys_that_are_not_there_takes_nothing_in(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Told
) -> None:
    """The export itself can be read."""
    export, new = tmp_path / "all.p22", tmp_path / "new"
    monkeypatch.setenv("PUSH22_DATA", str(home))
    assert run(["export", "-o", str(export)]) == 0
    capsys.readouterr()
    keys = str(tmp_path / "nosuch.json")

    assert run(["import", str(export), "-o", str(new), "--keys", keys]) == 2
    assert "cannot be read" in capsys.readouterr().err
    assert not new.exists()
