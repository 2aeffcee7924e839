"""`push22 load compare`: what differs, and whether that is beyond the runs' spread."""

from pathlib import Path

import pytest

from push22.__main__ import run
from push22.load.comparing import differences, unlike
from push22.load.report import Report
from push22.load.whole import read, write
from tests.load.reports import report_of, run_at

Told = pytest.CaptureFixture[str]


def of(*p99s: float, rate: float = 10.0) -> Report:
    return report_of([run_at(rate, p99) for p99 in p99s])


def beyond(before: Report, after: Report) -> bool | None:
    found = {item.name: item for item in differences(before, after)}
    return found["action p99, ms"].is_beyond_spread


@pytest.mark.parametrize(
    ("before", "after", "is_beyond"),
    [
        ((20, 22, 24), (30, 33, 36), True),
        ((30, 33, 36), (20, 22, 24), True),
        ((20, 22, 30), (28, 33, 36), False),
        ((20,), (90,), None),
    ],
)
def test_a_difference_counts_where_no_run_lies_among_the_others(
    before: tuple[float, ...], after: tuple[float, ...], *, is_beyond: bool | None
) -> None:
    """One run has no spread, so nothing is known."""
    assert beyond(of(*before), of(*after)) is is_beyond


def test_percent_is_of_the_medians() -> None:
    """One outlier among three runs does not make the difference."""
    (found,) = (
        item
        for item in differences(of(20, 20, 70), of(30, 30, 31))
        if item.name == "action p99, ms"
    )

    assert found.percent == pytest.approx(50)


def test_only_equal_rates_are_compared() -> None:
    """Two loads of different rates say nothing about each other."""
    assert differences(of(20, rate=10), of(20, rate=20)) == []


def test_what_else_is_unlike_is_named() -> None:
    """Another commit or another seed may be the reason."""
    other = report_of([run_at(10.0, 20)], environment={"commit": "def"})

    assert unlike(of(20), of(20)) == []
    assert unlike(of(20), other) == ["commit: abc | def"]


def test_the_command_prints_both_audits_and_the_table(
    tmp_path: Path, capsys: Told
) -> None:
    """From two directories as `push22 load` writes them."""
    for name, report in (("a", of(20, 22)), ("b", of(40, 44))):
        (tmp_path / name).mkdir()
        write(report, tmp_path / name)

    assert run(["load", "compare", str(tmp_path / "a"), str(tmp_path / "b")]) == 0

    said = " ".join(capsys.readouterr().out.split())
    assert said.count("0 violations") == 2
    assert "action p99, ms 20.0 to 22.0 40.0 to 44.0 +100 % YES" in said


def test_a_report_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Field by field, from the directory or the file."""
    report = of(20, 22)
    write(report, tmp_path)

    assert read(tmp_path) == report
    assert read(tmp_path / "report.json") == report


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("load", "load: choose one of --door, --embedded, --broker"),
        ("load --embedded --broker", "choose one of"),
        ("load --door http://localhost:1", "--operators: give the door's"),
        ("load --door localhost:1 --operators x", "--door: give an address"),
        ("load --embedded --chaos broker-kill", "--chaos: with --broker"),
        ("load --embedded --ramp 10:5:1", "--ramp: goes up"),
        ("load --embedded --ramp 10:20", "--ramp: is not like"),
        ("load --embedded --ramp 1:2:1 --runs 3", "--ramp: is alone"),
        ("load --embedded --rate 0", "rate: must be"),
        ("load --embedded --leave 1.5", "shares: must be"),
        ("load --embedded --rules whist", "--rules: there are"),
        ("load compare a", "compare: name two reports"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(
    words: str, said: str, capsys: Told
) -> None:
    """Before anything is started."""
    assert run(words.split()) == 2
    assert said in capsys.readouterr().err


def test_without_the_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: Told
) -> None:
    """A line, and nothing was started."""
    monkeypatch.setitem(__import__("sys").modules, "hdrh.histogram", None)

    assert run(["load", "--embedded"]) == 1
    assert "pip install 'push22[load]'" in capsys.readouterr().err
