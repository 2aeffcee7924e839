"""Costs come out of load reports as they went in."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from push22.capacity.costs import (
    KAFKA,
    LOGGED,
    POSTGRES,
    PROCESSES,
    Costs,
    Door,
    Flow,
    Hop,
)
from push22.capacity.line import line
from push22.capacity.measure import Unusable, costs_from
from push22.load.books import Books
from push22.load.report import Idle, Report, Second
from push22.load.segments import Lain
from push22.load.settings import Settings
from push22.load.volumes import LogVolume, Volumes
from tests.load.reports import report_of, run_at

_DOOR = Door(watcher_us_per_event=20, idle_player_kib=10)
_WARM_UP_S, _SECONDS = 5, 20
_READERS = len(PROCESSES) - 2
_MS, _BATCH_MS, _IDLE, _IDLE_BATCHES = 3.0, 2.0, 0.2, 6.0


def batches_at(rate: float) -> float:
    """Return what each process takes a second: never more than 40 beyond idling."""
    return _IDLE_BATCHES + 5 * rate / (1 + rate / 8)


def second_at(rate: int) -> Second:
    """Return a second of processes that take 0.2 cores, 3 ms a round, 2 ms a batch."""
    batches, readers = batches_at(rate), {*PROCESSES} - {KAFKA, POSTGRES}
    own = _IDLE + (rate * _MS + (batches - _IDLE_BATCHES) * _BATCH_MS) / 1000
    fetching = (
        _IDLE + (rate * _MS + (batches - _IDLE_BATCHES) * _READERS * _BATCH_MS) / 1000
    )
    return Second(
        closed=rate,
        cpu={**dict.fromkeys(PROCESSES, own), KAFKA: fetching},
        rss_mib=dict.fromkeys(PROCESSES, 50.0 + rate),
        batches=dict.fromkeys(readers, batches),
        appends=dict.fromkeys(LOGGED, batches / len(LOGGED)),
    )


_IDLE_VOLUMES = Volumes(
    topics={"push22.table.events.v1": Lain(20, 0, 0)}, archive_bytes=200, commits=40
)
IDLE = Idle(seconds=20.0, mean=second_at(0), volumes=_IDLE_VOLUMES)


def report_at(rate: int, **changed: Any) -> Report:
    """Return a report of a casino at a rate, and idle before it."""
    counted = second_at(rate)
    noise = replace(counted, closed=0, cpu=dict.fromkeys(PROCESSES, 9.0))
    seconds = [noise] * _WARM_UP_S + [counted] * _SECONDS + [noise] * 3
    rounds = rate * _SECONDS
    volumes = Volumes(
        logs=dict.fromkeys(LOGGED, LogVolume(7 * rounds, 70 * rounds, 90 * rounds, -5)),
        topics={"push22.table.events.v1": Lain(80 * rounds + 28, rounds, 7 * rounds)},
        archive_bytes=200 * rounds + 280,
        commits=6 * rounds + 4 * round(28 * (batches_at(rate) - _IDLE_BATCHES)) + 56,
        wal_bytes=300 * rounds,
    )
    usual = {
        "idle": IDLE,
        "hops": {"0.01": 30.0, "0.1": 60.0, "+Inf": 61.0},
        "settings": Settings(warm_up_s=_WARM_UP_S, seconds=_SECONDS),
        "seconds": tuple(seconds),
        "volumes": volumes,
    }
    return report_of([run_at(rate, 20.0)], **{**usual, **changed})


def derived(*reports: Report) -> Costs | Unusable:
    return costs_from(reports, _DOOR, {}, noisy=False)


def test_idling_batches_and_rounds_are_told_apart() -> None:
    """Warm-up and end are left out, and two rates are enough beside idling."""
    found = derived(report_at(10), report_at(4))

    assert isinstance(found, Costs)
    for name in PROCESSES:
        cost = found.processes[name]
        assert cost.cpu_ms_per_round == pytest.approx(_MS, abs=0.01)
        assert cost.cpu_ms_per_batch == pytest.approx(_BATCH_MS, abs=0.01)
        assert cost.idle_cores == pytest.approx(_IDLE)
        assert cost.rss_mib == 60.0
    wallet, kafka = found.processes["wallet"], found.processes["kafka"]
    assert wallet.idle_batches_per_s == _IDLE_BATCHES
    assert wallet.batches_per_round == pytest.approx(5 / 1.5, abs=0.01)
    assert kafka.batches_per_round == pytest.approx(8 * 5 / 1.5, abs=0.01)
    assert found.measured.unresolved == ()


def test_volumes_are_told_apart_as_well() -> None:
    """Logs are divided by the rounds; the rest comes by rounds and by 28 seconds."""
    found = derived(report_at(4), report_at(10))

    assert isinstance(found, Costs)
    assert found.logs["shoe"].records_per_round == 7
    assert found.logs["shoe"].disk_bytes_per_round == 90
    assert found.logs["shoe"].beside_bytes_per_round == 0
    assert found.topics["push22.table.events.v1"].bytes_per_round == 80
    assert found.topics["push22.table.events.v1"].idle_bytes_per_s == 1
    assert found.commits.idle_per_s == pytest.approx(2, abs=0.05)
    assert found.commits.per_round == pytest.approx(6, abs=0.1)
    assert found.commits.per_append == pytest.approx(4, abs=0.1)
    assert found.wal_bytes == Flow(per_round=300, idle_per_s=0)
    assert found.archive_bytes == Flow(per_round=200, idle_per_s=10)
    assert found.actions_per_round == 1.0


def test_points_are_kept_in_the_order_of_their_rates() -> None:
    """They are what the model is checked by."""
    found = derived(report_at(10), report_at(4))

    assert isinstance(found, Costs)
    assert [point.rounds_per_s for point in found.points] == [4, 10]
    assert found.points[1].cores["wallet"] == pytest.approx(
        0.23 + 2 * 50 / 2.25 / 1000, abs=1e-3
    )
    assert found.points[1].batches_per_s["postgres"] == pytest.approx(
        batches_at(10), abs=0.01
    )
    assert found.points[0].action_p99_ms == 20.0


def _without(field: str) -> tuple[Second, ...]:
    return tuple(replace(s, **{field: {}}) for s in report_at(9).seconds)


_SILENT = Idle(seconds=20.0, mean=Second())


@pytest.mark.parametrize(
    ("reports", "reason"),
    [
        ([report_at(4)], "two rates are needed at least whose rounds were closed"),
        (
            [report_at(4), replace(report_at(9), seconds=_without("batches"))],
            "9/s counts no batches: a version before this one made it",
        ),
        (
            [report_at(4, idle=None), report_at(9, idle=None)],
            "no report has an idle time: one of them needs push22 load --idle",
        ),
        ([report_at(4, idle=_SILENT), report_at(9)], "4/s tells nothing of archive"),
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


def test_a_rate_whose_rounds_were_not_closed_is_no_point_of_the_fit() -> None:
    """What was begun there was not ended; its point is kept to be looked at."""
    lost = replace(report_at(50), runs=(run_at(50, 900.0, share=0.5),))
    found = derived(report_at(4), report_at(10), lost)

    assert isinstance(found, Costs)
    assert found.processes["wallet"].cpu_ms_per_round == pytest.approx(_MS, abs=0.01)
    assert found.processes["wallet"].rss_mib == 60.0
    assert len(found.points) == 3
    assert isinstance(derived(report_at(4), lost), Unusable)


def test_how_slow_a_rate_was_does_not_matter() -> None:
    """Its rounds were closed, so it says what they cost, whatever the objective."""
    slow = [
        replace(report_at(rate), runs=(run_at(rate, 9000.0),), is_met=False)
        for rate in (4, 10)
    ]
    assert not any(report.runs[0].is_held for report in slow)
    found = derived(*slow)

    assert isinstance(found, Costs)
    assert found.processes["wallet"].cpu_ms_per_round == pytest.approx(_MS, abs=0.01)


def test_one_idle_time_is_enough() -> None:
    """The casino is the same at every rate."""
    found = derived(report_at(4), report_at(10, idle=None))

    assert isinstance(found, Costs)
    assert found.processes["wallet"].idle_cores == pytest.approx(_IDLE)


def test_what_noise_hides_is_said() -> None:
    """A process that was idler under load is taken to spend all of it on rounds."""
    busy = replace(IDLE.mean, cpu={**IDLE.mean.cpu, "kafka": 9.0})
    idle = replace(IDLE, mean=busy)
    found = derived(report_at(4, idle=idle), report_at(10, idle=idle))

    assert isinstance(found, Costs)
    assert found.measured.unresolved == ("kafka",)
    kafka = found.processes["kafka"]
    assert (kafka.idle_cores, kafka.cpu_ms_per_batch) == (0.0, 0.0)
    assert kafka.cpu_ms_per_round > _MS


def test_how_long_records_are_under_way_is_of_the_lowest_rate() -> None:
    """Shares of what came within the greatest end that is told."""
    found = derived(report_at(10, hops={}), report_at(4))

    assert isinstance(found, Costs)
    assert found.hops == (Hop(up_to_ms=10, share=0.5), Hop(up_to_ms=100, share=1.0))
    without = derived(report_at(4, hops={}), report_at(10))
    assert isinstance(without, Costs)
    assert without.hops == ()
