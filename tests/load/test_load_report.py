"""The report: the audit first, the knee, the verdict, and what a soak finds."""

import msgspec
import pytest

from push22.load.books import Books
from push22.load.found import Found, Timeline
from push22.load.page import page
from push22.load.report import (
    Report,
    Run,
    is_over,
    knee_of,
    run_of,
    seconds_of,
    verdict_of,
)
from push22.load.sampling import Sample, Use
from push22.load.settings import Settings, Slo
from tests.load.reports import SOUND, report_of, run_at

SLO = Slo(15.0, 80.0)
MIB = 2**20


def body_of(report: Report) -> str:
    return page(report).partition("<body>\n")[2]


def test_the_audit_is_the_first_line_of_the_page_and_the_first_field_of_the_data() -> (
    None
):
    """Whoever reads anything has read that first."""
    report = report_of([run_at(10, 5)])

    assert body_of(report).startswith(f'<p class="books">{SOUND.line}</p>')
    assert msgspec.json.encode(report).startswith(b'{"books":{"line":"0 violations')


def test_books_that_are_not_sound_are_shown_so() -> None:
    """A violation is in the colour of one, before every figure."""
    books = Books("NOT SOUND: audit: 1 violation; verify: MATCH: all", is_sound=False)
    body = body_of(report_of([run_at(10, 5)], books=books))

    assert body.startswith('<p class="books wrong">NOT SOUND')


def test_the_page_is_one_file_and_fetches_nothing() -> None:
    """No script and no address of a style, a font or a picture."""
    text = page(report_of([run_at(10, 5), run_at(10, 6)]))

    assert "<script" not in text
    assert "src=" not in text
    assert "http-equiv" not in text
    assert text.count("<svg") >= 2


def test_what_the_casino_calls_itself_is_escaped() -> None:
    """A door's name is text, never markup."""
    report = report_of([run_at(10, 5)], casino={"door": "<b>x</b>"})

    assert "&lt;b&gt;x" in page(report)


def test_a_run_counts_what_became_of_each_round_that_was_due() -> None:
    """Those that left count as ended; dropped and failed ones do not."""
    found = Found(10.0, 20.0, due=200, closed=180, left=10, dropped=6, failed=4)
    found.steps["action"].note(0.0, 0.0, 0.010)

    run = run_of(found, SLO)

    assert run.achieved == 9.5
    assert run.share == 0.95
    assert run.is_held
    assert (
        run_of(Found(10.0, 20.0, due=200, closed=189), SLO)
        .why_not[0]
        .startswith("94.5 %")
    )


def test_nothing_measured_is_nothing_held() -> None:
    """A run without one answered action meets no objective."""
    assert not run_of(Found(10.0, 20.0), SLO).is_held


@pytest.mark.parametrize(
    ("p99s", "knee"),
    [((20, 30, 90), 20.0), ((20, 30, 40), 30.0), ((90,), None), ((20, 90, 30), 10.0)],
)
def test_the_knee_is_the_last_rate_before_the_first_that_is_too_much(
    p99s: tuple[float, ...], knee: float | None
) -> None:
    """A rate that is met again later is no knee: it was luck."""
    runs = [run_at(10.0 * number, p99) for number, p99 in enumerate(p99s, 1)]

    assert knee_of(runs, SLO) == knee


def test_a_ramp_ends_at_a_low_share_or_a_slow_tail() -> None:
    """Either is enough."""
    assert is_over(run_at(10, 90), SLO)
    assert is_over(run_at(10, 20, share=0.94), SLO)
    assert not is_over(run_at(10, 20, share=0.96), SLO)


def test_the_verdict_names_each_run_that_misses_and_by_what() -> None:
    """One bad run of three is a miss."""
    runs: list[Run] = [run_at(10, 20), run_at(10, 200), run_at(10, 30)]

    assert verdict_of([runs[0], runs[2]], Settings())[0]
    is_met, words = verdict_of(runs, Settings())
    assert not is_met
    assert words.endswith("run 2: p99 200.0 ms")


def test_seconds_count_events_and_turn_processor_time_into_cores() -> None:
    """Half a second of processor time within one second is half a core."""
    timeline = Timeline(due=[100.1, 100.2, 101.5], closed=[101.9], dropped=[])
    samples = [
        Sample(100.0, {"casino": Use(1.0, 50 * MIB)}),
        Sample(101.0, {"casino": Use(1.5, 60 * MIB)}, lag_s=0.7, backlog=3),
    ]

    first, second = seconds_of(timeline, samples, 100.0)

    assert (first.due, first.closed, first.cpu) == (2, 0, {})
    assert (second.due, second.closed, second.lag_s, second.backlog) == (1, 1, 0.7, 3)
    assert second.cpu == {"casino": 0.5}
    assert second.rss_mib == {"casino": 60.0}
