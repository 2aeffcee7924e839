"""What a report comes to: loud verdicts, last words, exit status, a busy machine."""

import re
from typing import Any

import pytest

from push22.load.books import Books
from push22.load.chaos import Trouble
from push22.load.judgement import busy_before, last_words, status_of
from push22.load.page import page
from push22.load.plots import duration, latencies
from push22.load.report import Report, verdict_of
from push22.load.settings import Settings
from push22.load.soak import Line, Soak
from push22.load.summary import summary
from tests.load.reports import report_of, run_at

WRONG = Books("NOT SOUND: audit: 1 violation; verify: MATCH: all", is_sound=False)
NOT_MADE = Trouble("rebalance", is_made=False, why_not="no service")
UNWELL = Soak(hours=0.3, lines=(Line("log a round", "more and more", "not well"),))
BUSY = {"cores": "2", "load average before": "13.44 9.00 4.00"}


def judged(p99: float, **found: Any) -> Report:
    """Return a report as the load makes it: met only where all is well."""
    runs = [run_at(10, p99)]
    is_met, verdict = verdict_of(runs, Settings())
    return report_of(runs, verdict=verdict, is_met=is_met and not found, **found)


@pytest.mark.parametrize(
    ("report", "status", "words"),
    [
        (judged(20), 0, "sound, objective met"),
        (judged(200), 3, "sound, but objective missed"),
        (judged(20, chaos=NOT_MADE), 1, "sound, but chaos not made"),
        (judged(20, soak=UNWELL), 1, "sound, but soak not well"),
        (
            judged(200, chaos=NOT_MADE),
            1,
            "sound, but chaos not made and objective missed",
        ),
        (
            judged(200, books=WRONG),
            1,
            "not sound, or not audited: no figure means anything",
        ),
    ],
)
def test_what_a_report_comes_to_is_told_by_word_and_status(
    report: Report, status: int, words: str
) -> None:
    """A slow casino has a status of its own; anything else wrong goes before it."""
    assert (status_of(report), last_words(report)) == (status, words)


def banners(text: str) -> list[tuple[str, str]]:
    return re.findall(r'<p class="(books[^"]*)">([^<]*)</p>', text)


def test_a_missed_objective_is_as_loud_as_the_audit() -> None:
    """It stands below the audit, in the same box, in the colour of a violation."""
    (_, audit), (name, line) = banners(page(judged(200)))

    assert audit.startswith("0 violations")
    assert name == "books wrong"
    assert line == "Objective p50 15 ms, p99 80 ms: MISSED; run 1: p99 200.0 ms"
    assert [name for name, _ in banners(page(judged(20)))] == ["books", "books"]


def test_a_machine_that_was_busy_before_is_told_under_the_headline() -> None:
    """Before any figure, in the page and in the summary; a quiet one is not."""
    report = judged(20, environment=BUSY)
    head = page(report).partition('<div class="tiles">')[0]
    warning = (
        "machine was busy before: times mean little (load average 13.44 on 2 cores)"
    )

    assert f'</h1>\n<p class="busy">The {warning}.</p>' in head
    assert f"**the {warning}**" in summary(report).partition("\n| run")[0]
    assert "busy before" not in page(judged(20)) + summary(judged(20))


@pytest.mark.parametrize(
    ("cores", "load", "is_busy"),
    [("2", "1.00 9 9", False), ("2", "1.01 0 0", True), ("8", "3.90 4 4", False)],
)
def test_more_than_half_of_the_cores_is_busy(
    cores: str, load: str, *, is_busy: bool
) -> None:
    """By the last minute before, on the machine's own cores."""
    told = busy_before({"cores": cores, "load average before": load})
    assert bool(told) == is_busy


def test_a_report_that_knows_no_load_warns_of_nothing() -> None:
    """An earlier report has no such line."""
    assert busy_before({"commit": "abc"}) == ""


def test_names_left_of_a_plot_are_whole_however_slow_it_was() -> None:
    """A digit takes up to seven of the paper's units; the names end 8 before it."""
    points = [(0.0, 0.2), (1.0, 900.0), (2.0, 890_000.0)]
    drawn = latencies({"action": points}, {})
    left = re.findall(r'<text x="([\d.]+)"[^>]*text-anchor="end">([^<]*)<', drawn)

    assert [name for _, name in left][-3:] == ["10 s", "100 s", "1,000 s"]
    assert all(7 * len(name) <= float(x) for x, name in left)
    assert [duration(power) for power in (-1, 0, 2, 3)] == [
        *("0.1 ms", "1 ms", "100 ms", "1 s")
    ]


def test_what_was_not_measured_is_told_under_the_headline() -> None:
    """No figure of a process is no figure of nothing."""
    report = judged(20, unmeasured="not measured: shoe in 60 of 60 seconds")
    head = page(report).partition('<div class="tiles">')[0]

    assert '<p class="busy">Not measured: shoe in 60 of 60 seconds.</p>' in head
    assert f"**{report.unmeasured}**" in summary(report).partition("\n| run")[0]


def test_a_soak_of_which_nothing_was_measured_is_not_well() -> None:
    """What only time shows was not looked at: that is no load that is only slow."""
    words = "not measured: shoe in 60 of 60 seconds"
    report = judged(20, soak=Soak(hours=1.0, lines=()), unmeasured=words)

    assert last_words(report) == "sound, but soak not measured"
    assert status_of(report) == 1
