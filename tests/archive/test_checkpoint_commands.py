"""The commands that show what was signed, and hold the logs to a lodged copy."""

import json
import shutil
from pathlib import Path

import pytest
from signing import sign_all
from small_casino import copy_of

from push22.__main__ import run


@pytest.fixture(scope="module")
def signed(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("commands")
    copy_of(played, data).close()
    sign_all(data)
    return data


def test_the_last_checkpoint_of_each_log_is_shown(
    signed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its fingerprint is eight digits four times: enough to be noted."""
    assert run(["checkpoints", "--data", str(signed)]) == 0
    shown = capsys.readouterr().out
    for service in ("settlement/0", "shoe/0", "table-orchestrator/0", "wallet/0"):
        assert shown.count(service) == 1
    assert "signed by " in shown


def test_all_of_them_are_what_was_lodged(
    signed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """To the byte, in the order of signing."""
    assert run(["checkpoints", "--all", "--json", "--data", str(signed)]) == 0
    assert capsys.readouterr().out == (signed / "checkpoints.jsonl").read_text()


def test_keys_are_printed_and_rotated(
    signed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The old one is still among the public keys, with its end."""
    shutil.copytree(signed, tmp_path / "data")
    where = ["--data", str(tmp_path / "data")]
    assert run(["checkpoints", "rotate", *where]) == 0
    assert "signs from now on" in capsys.readouterr().out
    assert run(["checkpoints", "keys", *where]) == 0
    old, new = json.loads(capsys.readouterr().out)["keys"]
    assert old["until"] == new["since"]


def test_verify_takes_a_lodged_copy_and_lodged_keys(
    signed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And says how much of the logs is under a signature."""
    for name in ("checkpoints.jsonl", "checkpoint-keys-public.json"):
        shutil.copy(signed / name, tmp_path / name)
    words = ["verify", "--all", "--data", str(signed)]
    words += ["--checkpoints", str(tmp_path / "checkpoints.jsonl")]
    words += ["--keys", str(tmp_path / "checkpoint-keys-public.json")]
    assert run(words) == 0
    told = " ".join(capsys.readouterr().out.split())
    count = len((tmp_path / "checkpoints.jsonl").read_text().splitlines())
    assert f"compared with {count} lodged elsewhere" in told
    assert "MATCH: all" in told
    text = (tmp_path / "checkpoints.jsonl").read_text()
    (tmp_path / "checkpoints.jsonl").write_text(text.replace("wallet", "walled"))
    assert run(words) == 1
    out = capsys.readouterr().out
    assert "bad_signature: walled/0" in out
    assert "DIFFERS: all" in out


def test_what_is_not_there_is_said(
    played: Path, signed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No checkpoints, no keys, no such file: a line each."""
    copy_of(played, tmp_path / "plain").close()
    where = ["--data", str(tmp_path / "plain")]
    assert run(["checkpoints", *where]) == 0
    assert capsys.readouterr().out == "no checkpoints in this directory\n"
    assert run(["verify", "--all", *where]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "none: a tail cut with its head would not be found" in told
    assert (
        "signs the first within a minute, of a distributed one the archive does" in told
    )
    missing = str(tmp_path / "nothing.json")
    words = ["verify", "--all", "--data", str(signed)]
    assert run([*words, "--keys", missing]) == 2
    assert f"{missing}: cannot be read" in capsys.readouterr().err
    assert run([*words, "--checkpoints", missing]) == 2
    assert f"{missing}: cannot be read" in capsys.readouterr().err
