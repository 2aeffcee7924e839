"""Batches fill up with load: in the simulation, and in closed form no faster."""

from functools import partial
from itertools import pairwise
from math import exp
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from push22.capacity.filling import busy_share, lambert, records_a_batch
from push22.capacity.simulation import Simulation, Station

_ITEM_S, _BATCH_S = 0.001, 0.004
_LONG_S = 200.0
_SHARES = st.floats(0.001, 0.99)


def nothing() -> None:
    """What follows on a job that nobody waits for."""


def simulated(rate: float, **changed: object) -> Simulation:
    """Return what became of jobs that came by chance, one by one."""
    usual = {"seconds": _ITEM_S, "batch_seconds": _BATCH_S, "batch_max": 10**6}
    station = Station(name="x", **{**usual, **changed})  # type: ignore[arg-type]
    simulation = Simulation((station,), f"batches/{rate}")
    at = 0.0
    while (at := at + simulation.source.expovariate(rate)) < _LONG_S:
        simulation.at(at, partial(simulation.visit, "x", 0, nothing))
    simulation.run(_LONG_S)
    return simulation


@given(st.floats(0, 1e6))
def test_lamberts_w_is_what_it_is_named_for(x: float) -> None:
    """W exp W is x again."""
    w = lambert(x)

    assert w * exp(w) == pytest.approx(x, rel=1e-9, abs=1e-12)


@given(_SHARES)
def test_as_many_batches_begin_as_records_find_none(busy: float) -> None:
    """Those that come at rest, and those after a batch in which something came."""
    batches = 1 / records_a_batch(busy)
    after_another = batches * (1 - exp(-busy / batches))

    assert batches == pytest.approx((1 - busy) + after_another, rel=1e-6)


@given(_SHARES, _SHARES)
def test_the_busier_the_fuller(one: float, other: float) -> None:
    """At rest each record is a batch of its own."""
    low, high = sorted((one, other))

    assert 1 <= records_a_batch(low) <= records_a_batch(high) + 1e-9
    assert records_a_batch(0.0) == 1.0
    assert records_a_batch(1e-6) == pytest.approx(1, abs=1e-5)


@given(st.floats(0.01, 0.4), st.floats(0.01, 0.4))
def test_what_is_busy_agrees_with_how_full_batches_are(
    each_record: float, batches: float
) -> None:
    """It is less than if nothing waited for another, and more than records alone."""
    busy = busy_share(each_record, batches)

    assert each_record < busy < each_record + batches
    assert each_record + batches / records_a_batch(busy) == pytest.approx(busy)


def test_without_a_cost_of_batches_it_is_the_records() -> None:
    """A straight line, beyond one core as well."""
    assert busy_share(0.3, 0.0) == 0.3
    assert busy_share(1.7, 0.0) == 1.7


@pytest.mark.parametrize("rate", [20.0, 60.0, 120.0, 170.0])
def test_the_closed_form_has_never_fewer_batches(rate: float) -> None:
    """Nor many more: a tenth of the batches at most, a twentieth of a core."""
    found = simulated(rate)
    busy = busy_share(rate * _ITEM_S, rate * _BATCH_S)
    batches = rate / records_a_batch(busy)

    assert 0.97 < batches / (found.batches("x") / _LONG_S) < 1.12
    assert -0.02 < busy - found.worked_s("x") / _LONG_S < 0.05


def test_processor_time_is_concave_in_the_rate() -> None:
    """Each twenty jobs more cost less than the twenty before, and always something."""
    worked = [simulated(rate).worked_s("x") for rate in (1, 40, 80, 120, 160, 200, 240)]
    steps = [after - before for before, after in pairwise(worked)]

    assert min(steps) > 0
    assert all(a > b for a, b in pairwise(steps))


@pytest.mark.parametrize("many", [1, 10, 1000])
def test_a_server_that_always_has_work_does_it_in_full_batches(many: int) -> None:
    """The cost of a batch is dealt out: what is left of it is the cost of a job."""
    station = Station(name="x", seconds=_ITEM_S, batch_seconds=_BATCH_S, batch_max=many)
    simulation = Simulation((station,), "s")
    for _ in range(40_000):
        simulation.visit("x", 0, nothing)
    done = 20_000 // many * many
    simulation.run(done * _ITEM_S + done / many * _BATCH_S + 1e-6)

    assert simulation.batches("x") - done / many in (0, 1)
    assert _ITEM_S + _BATCH_S / many == pytest.approx(simulation.now / done)


def test_what_ends_together_comes_together() -> None:
    """Three jobs of one batch are one batch of the next station."""
    first = Station(name="x", seconds=1.0)
    second = Station(name="y", seconds=0.0, batch_seconds=1.0)
    simulation = Simulation((first, second), "s")
    ends: list[float] = []
    for _ in range(3):
        end = partial(simulation.visit, "y", 0, lambda: ends.append(simulation.now))
        simulation.visit("x", 0, end)
    simulation.run(10)

    assert ends == [4.0] * 3
    assert simulation.batches("y") == 1


def test_a_server_of_requests_does_each_by_itself() -> None:
    """Two batches of one second's wait are two requests, of two jobs and of one."""
    station = Station(name="y", seconds=1.0, batch_seconds=10.0, merges=False, idle=0.0)
    senders = tuple(Station(name=n, seconds=0.0) for n in "ab")
    simulation = Simulation((*senders, station), "s")
    for name in ("a", "a", "b"):
        send = partial(simulation.visit, "y", 0, nothing)
        simulation.visit(name, 0, send)
    simulation.run(100)

    assert simulation.batches("y") == 2
    assert simulation.worked_s("y") == 23.0


def test_whoever_takes_a_batch_has_it_fetched() -> None:
    """The source works for each batch once; ticks and players' own bring none."""
    reader = Station(name="x", seconds=1.0, source="kafka", idle=0.1)
    kafka = Station(name="kafka", seconds=7.0, batch_seconds=0.5, merges=False)
    simulation = Simulation((reader, kafka), "s", cores=9)
    for at in (1.0, 1.5, 1.6, 20.0):
        simulation.at(at, partial(simulation.visit, "x", 0, nothing))
    simulation.at(40.0, partial(simulation.visit, "x", 0, nothing, opens=False))
    simulation.run(60)

    assert simulation.batches("x") == simulation.batches("kafka") == 3
    assert simulation.worked_s("kafka") == 1.5


def test_who_appends_waits_for_it() -> None:
    """A second job is taken when the first is appended; one that is not, at once."""
    log = Station(name="log", seconds=5.0, merges=False)
    writer = Station(name="x", seconds=1.0, log="log")
    simulation = Simulation((writer, log), "s")
    ends: list[float] = []

    def append() -> None:
        ends.append(simulation.now)
        simulation.visit("log", 0, nothing)

    for at, then in ((0.0, append), (0.5, append), (20.0, nothing), (20.5, append)):
        simulation.at(at, partial(simulation.visit, "x", 0, then))
    simulation.run(60)

    assert ends == [1.0, 7.0, 22.0]


def test_who_goes_on_looks_for_more_first() -> None:
    """The second job comes while the first is done, the third while one looks."""
    station = Station(name="x", seconds=1.0, meanwhile_s=0.5)
    simulation = Simulation((station,), "s")
    ends: list[float] = []
    for at in (0.0, 0.7, 1.4, 9.0):
        then = partial(simulation.visit, "x", 0, lambda: ends.append(simulation.now))
        simulation.at(at, then)
    simulation.run(60)

    assert ends == [1.0, 3.5, 3.5, 10.0]
    assert simulation.batches("x") == 3


def test_what_is_idle_may_come_in_one_piece() -> None:
    """Half a second of each: one job in two waits, half of that on the mean."""
    station = Station(name="x", seconds=0.0, idle=0.5, tick_s=1.0)
    simulation = Simulation((station,), "s")
    waited: list[float] = []

    def come(at: float) -> None:
        simulation.visit("x", 0, lambda: waited.append(simulation.now - at))

    for number in range(4000):
        simulation.at(number / 20 + 0.01, partial(come, number / 20 + 0.01))
    simulation.run(201)

    assert mean(waited) == pytest.approx(0.125, abs=0.04)
    assert max(waited) > 0.4


def test_who_is_patient_takes_more_at_once() -> None:
    """What comes within half a second of the first is one batch with it."""
    station = Station(name="x", seconds=0.1, pause_s=0.5)
    simulation = Simulation((station,), "s")
    ends: list[float] = []
    for at in (1.0, 1.2, 1.4, 3.0):
        then = partial(simulation.visit, "x", 0, lambda: ends.append(simulation.now))
        simulation.at(at, then)
    simulation.run(10)

    assert ends == pytest.approx([1.8, 1.8, 1.8, 3.6])
