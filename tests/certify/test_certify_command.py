"""`push22 certify`: what it prints, what it writes, and what it refuses."""

import json
import re
import sys
from pathlib import Path

import pytest

from push22.__main__ import run
from push22.certify.writing import write_whole
from push22.errors import Failure

FEW = ["--rounds", "2000", "--seed", "5"]


@pytest.fixture
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the command is run in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_prints_tables_of_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is cut off, and every part is there."""
    monkeypatch.setenv("COLUMNS", "80")

    assert run(["certify", "ny-switch-6d", *FEW]) == 0

    told = capsys.readouterr().out
    assert "…" not in told
    assert max(map(len, told.splitlines())) <= 80
    for figure in ("2.548501 %", "-239/311", ".212224", "5, 2,000", "reference-6d"):
        assert figure in told


def test_the_json_says_what_was_asked(capsys: pytest.CaptureFixture[str]) -> None:
    """One document: options, seed, rounds and the digest of the strategy played."""
    words = ["certify", "ny-switch-8d", *FEW, "--json", "--option", "soft17=stand"]

    assert run(words) == 0

    found = json.loads(capsys.readouterr().out)
    assert found["identity"]["options"] == {"soft17": "stand"}
    assert re.fullmatch("[0-9a-f]{64}", found["identity"]["strategy_sha256"])
    assert (found["main_game"]["rounds"], found["main_game"]["seed"]) == (2000, 5)
    assert len(found["main_game"]["convergence"]) == 100


def test_equal_seeds_give_equal_certificates(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """JSON and page byte for byte; another seed gives another sample."""
    told = []
    for number, seed in enumerate(("5", "5", "6")):
        file = tmp_path / f"{number}.html"
        words = ["--rounds", "2000", "--seed", seed, "--json", "--report", str(file)]
        assert run(["certify", "lv-6d", *words]) == 0
        told.append((capsys.readouterr().out, file.read_bytes()))

    assert told[0] == told[1]
    assert told[0] != told[2]


def test_a_reference_game_can_be_certified(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """By its name, like a rule set."""
    assert run(["certify", "reference-6d", *FEW, "--json"]) == 0

    found = json.loads(capsys.readouterr().out)["main_game"]["published"]
    assert (found["game"], found["difference"]) == ("reference-6d", "")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nope"], "unknown rule set 'nope'"),
        (["lv-6d", "--rounds", "0"], "--rounds: must be 2 to"),
        (["lv-6d", "--rounds", "-5"], "--rounds: must be 2 to"),
        (["lv-6d", "--seed", "-1"], "--seed: must be 0 to"),
        (["lv-6d", "--option", "soft17"], "'soft17' is not name=value"),
        (["lv-6d", "--option", "soft17=no"], "soft17 can't be 'no'"),
        (["lv-6d", "--option", "nope=1"], "no option 'nope'"),
        (["reference-6d", "--option", "soft17=hit"], "has no house options"),
        (["lv-6d", "--report", "nowhere/at/all.html"], "no such directory"),
        (["lv-6d", "--report", "."], "is a directory"),
    ],
)
def test_bad_input_is_one_line(
    words: list[str],
    told: str,
    capsys: pytest.CaptureFixture[str],
    empty_folder: Path,
) -> None:
    """Exit code 2 before anything is sampled, and nothing written."""
    assert run(["certify", *words]) == 2

    heard = capsys.readouterr()
    assert told in heard.err
    assert (heard.err.count("\n"), heard.out) == (1, "")
    assert list(empty_folder.iterdir()) == []


def test_without_numba_the_extra_is_named(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """As in the production image: one line, and no report."""
    for name in [name for name in sys.modules if name.startswith("push22.kernel")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "numba", None)
    file = tmp_path / "report.html"

    assert run(["certify", "lv-6d", *FEW, "--report", str(file)]) == 1

    assert "pip install 'push22[certify]'" in capsys.readouterr().err
    assert not file.exists()


def test_a_report_is_replaced_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the disk fills up, the old report stays and nothing else is left."""
    file = tmp_path / "report.html"
    file.write_text("old")

    def half(path: Path, data: bytes) -> int:
        with path.open("wb") as opened:
            opened.write(data[:1])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full, pytest.raises(Failure, match="No space left"):
        full.setattr(Path, "write_bytes", half)
        write_whole(file, b"new")

    assert [each.name for each in tmp_path.iterdir()] == ["report.html"]
    assert file.read_text() == "old"

    write_whole(file, b"new")
    assert file.read_bytes() == b"new"


def test_an_edge_outside_of_the_published_range_exits_with_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """6:5 naturals in the game that is published with 3:2 cost over a point more."""
    from msgspec.structs import replace

    from blackjack.rule_sets import rule_set
    from push22.certify import by_kernel
    from push22.commands import certify

    def sample_worse(rules: object, rounds: int, seed: int) -> object:
        del rules
        worse = replace(rule_set("lv-6d"), natural_pays=(1, 10))
        monkeypatch.setattr(by_kernel, "strategy_for", lambda _: table)
        return by_kernel.sample_by_kernel(worse, rounds, seed)

    table = by_kernel.best_play(rule_set("lv-6d"))
    monkeypatch.setattr(certify, "sample_by_kernel", sample_worse)

    assert run(["certify", "lv-6d", "--rounds", "300000"]) == 1
    assert "OUTSIDE the range" in capsys.readouterr().out
