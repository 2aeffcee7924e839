"""Costs come out of load reports as they went in."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from push22.capacity.costs import LOGGED, PROCESSES, Costs, Door, Flow
from push22.capacity.line import line
from push22.capacity.measure import Unusable, costs_from
from push22.load.books import Books
from push22.load.report import Report, Second
from push22.load.segments import Lain
from push22.load.settings import Settings
from push22.load.volumes import LogVolume, Volumes
from tests.load.reports import report_of, run_at

_DOOR = Door(watcher_us_per_event=20, idle_player_kib=10)
_WARM_UP_S, _SECONDS = 5, 20
_MS, _IDLE = 3.0, 0.2


def report_at(rate: int, **changed: Any) -> Report:
    """Return a report of a casino whose every process takes 0.2 cores and 3 ms."""
    busy = dict.fromkeys(PROCESSES, _IDLE + rate * _MS / 1000)
    counted = Second(
        closed=rate, cpu=busy, rss_mib=dict.fromkeys(PROCESSES, 50.0 + rate)
    )
    noise = replace(counted, closed=0, cpu=dict.fromkeys(PROCESSES, 9.0))
    seconds = [noise] * _WARM_UP_S + [counted] * _SECONDS + [noise] * 3
    rounds = rate * _SECONDS
    volumes = Volumes(
        logs=dict.fromkeys(LOGGED, LogVolume(7 * rounds, 70 * rounds, 90 * rounds, -5)),
        topics={"push22.table.events.v1": Lain(80 * rounds + 28, rounds, 7 * rounds)},
        archive_bytes=200 * rounds + 280,
        commits=6 * rounds + 56,
        wal_bytes=300 * rounds,
    )
    usual = {
        "settings": Settings(warm_up_s=_WARM_UP_S, seconds=_SECONDS),
        "seconds": tuple(seconds),
        "volumes": volumes,
    }
    return report_of([run_at(rate, 20.0)], **{**usual, **changed})


def derived(*reports: Report) -> Costs | Unusable:
    return costs_from(reports, _DOOR, {}, noisy=False)


def test_idle_cost_and_cost_of_a_round_are_told_apart() -> None:
    """Warm-up and end are left out, and two rates are enough."""
    found = derived(report_at(4), report_at(10))

    assert isinstance(found, Costs)
    for name in PROCESSES:
        assert found.processes[name].cpu_ms_per_round == pytest.approx(_MS)
        assert found.processes[name].idle_cores == pytest.approx(_IDLE)
        assert found.processes[name].rss_mib == 60.0


def test_volumes_are_told_apart_as_well() -> None:
    """Logs are divided by the rounds; the rest comes by rounds and by 28 seconds."""
    found = derived(report_at(4), report_at(10))

    assert isinstance(found, Costs)
    assert found.logs["shoe"].records_per_round == 7
    assert found.logs["shoe"].disk_bytes_per_round == 90
    assert found.logs["shoe"].beside_bytes_per_round == 0
    assert found.topics["push22.table.events.v1"].bytes_per_round == 80
    assert found.topics["push22.table.events.v1"].idle_bytes_per_s == 1
    assert found.commits == Flow(per_round=6, idle_per_s=2)
    assert found.wal_bytes == Flow(per_round=300, idle_per_s=0)
    assert found.archive_bytes == Flow(per_round=200, idle_per_s=10)
    assert found.actions_per_round == 1.0


def test_points_are_kept_in_the_order_of_their_rates() -> None:
    """They are what the model is checked by."""
    found = derived(report_at(10), report_at(4))

    assert isinstance(found, Costs)
    assert [point.rounds_per_s for point in found.points] == [4, 10]
    assert found.points[1].cores["wallet"] == pytest.approx(0.23)
    assert found.points[0].action_p99_ms == 20.0


@pytest.mark.parametrize(
    ("reports", "reason"),
    [
        ([report_at(4)], "two rates"),
        ([report_at(4), report_at(4)], "two rates"),
        ([report_at(4), report_at(9, volumes=None)], "9/s has no volumes"),
        ([report_at(4), replace(report_at(9), runs=())], "a report has 0 runs"),
        (
            [report_at(4), report_at(9, books=Books("no", is_sound=False))],
            "9/s: its books are not sound",
        ),
        (
            [report_at(4), report_at(9, seconds=(Second(closed=1),) * 30)],
            "9/s tells nothing of archive, desk",
        ),
    ],
)
def test_reports_that_tell_too_little_are_refused(
    reports: list[Report], reason: str
) -> None:
    """No costs are made up from them."""
    found = derived(*reports)

    assert isinstance(found, Unusable)
    assert reason in found.reason


@given(
    st.floats(0, 5),
    st.floats(0, 1),
    st.lists(st.integers(1, 90), min_size=2, max_size=9, unique=True),
)
def test_a_line_is_found_again(slope: float, start: float, rates: list[int]) -> None:
    """Whatever points of it are known."""
    points = [(float(rate), start + slope * rate) for rate in rates]

    assert line(points) == pytest.approx((slope, start, 1), abs=1e-6)


def test_a_line_costs_nothing_negative() -> None:
    """Below zero it is laid through zero; so is one that falls, and says so."""
    assert line([(1, 1.0), (3, 5.0)]) == pytest.approx((1.6, 0.0, 1))
    assert line([(1, 5.0), (3, 3.0)]) == pytest.approx((1.4, 0.0, 0))


def test_a_rate_that_was_not_held_is_no_point_of_the_line() -> None:
    """A casino that can't keep up idles less; its point is kept to be looked at."""
    lost = replace(report_at(50), runs=(run_at(50, 900.0, share=0.5),))
    found = derived(report_at(4), report_at(10), lost)

    assert isinstance(found, Costs)
    assert found.processes["wallet"].cpu_ms_per_round == pytest.approx(_MS)
    assert len(found.points) == 3
    assert isinstance(derived(report_at(4), lost), Unusable)


def test_what_noise_hides_is_said() -> None:
    """A process that was busier at the lower rate is taken to cost all of it."""
    cpu = {**report_at(4).seconds[9].cpu, "kafka": 0.9}
    busy = tuple(replace(second, cpu=cpu) for second in report_at(4).seconds)
    found = derived(replace(report_at(4), seconds=busy), report_at(10))

    assert isinstance(found, Costs)
    assert found.measured.unresolved == ("kafka",)
    assert found.processes["kafka"].idle_cores == 0.0
