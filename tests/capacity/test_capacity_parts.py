"""What batches cost is part of every answer, the less of it the busier a process is."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from contracts.topics import PARTITIONS
from push22.capacity.costs import LOGGED, PROCESSES, Commits, Costs
from push22.capacity.filling import records_a_batch
from push22.capacity.instance import HOP_MAX_S, Instance
from push22.capacity.model import plan_of
from push22.capacity.parts import instance_of
from push22.capacity.plan import PartPlan
from push22.capacity.shape import readers
from push22.load.settings import HEARER
from runtime import archive_host
from runtime.handle import BATCH_MAX
from tests.capacity.made import CHEAP, costs_made, demand_made

BATCHED = replace(CHEAP, cpu_ms_per_batch=1.0, cpu_ms_per_round=2.0)
"""A round comes in four batches at rest: 6 ms then, and 2 ms and a part of 4 if not."""

_RECORDS = 2
"""Of a round in each topic; one that reads four of them takes two in each batch."""

_FULL = 0.002 + 0.004 / (BATCH_MAX * 4 / (4 * _RECORDS))
_RATES = st.floats(1.0, 5000.0)


def costs_batched() -> Costs:
    hearing = replace(BATCHED, cpu_ms_per_round=0.5)
    processes = {**dict.fromkeys(PROCESSES, BATCHED), HEARER: hearing}
    return costs_made(processes=processes, commits=Commits(2, 3, 5))


def part_at(name: str, rate: float) -> PartPlan:
    return plan_of(costs_batched(), demand_made(round(60 * rate))).part(name)


def test_an_instance_at_its_most_by_hand() -> None:
    """Three fifths of what nine tenths of a core carry in full batches."""
    part = part_at("wallet", 1000)

    assert part.most == pytest.approx(PARTITIONS * 0.6 * 0.9 / _FULL)
    assert part.instances == -int(-1000 * _FULL // 0.54)
    assert part.cores is not None
    own = 1000 / part.instances
    busy = (part.cores / part.instances - 0.1) / 0.9
    batches = own * 4 / records_a_batch(busy)
    assert busy * 0.9 == pytest.approx(own * 0.002 + batches * 0.001)
    assert part.batch_s == pytest.approx(busy / batches)
    assert part.hop_s == pytest.approx(part.batch_s * (1 + busy / 2))


def test_at_next_to_no_rate_every_record_is_a_batch() -> None:
    """Six milliseconds of each round."""
    part = part_at("wallet", 1 / 60)

    assert part.batches_per_s == pytest.approx(4 / 60, rel=1e-3)
    assert part.cores == pytest.approx(2 * 0.1 + 0.006 / 60, rel=1e-3)
    assert part.hop_s == pytest.approx((0.001 + 0.002 / 4) / 0.9, rel=1e-3)


@pytest.mark.parametrize("name", ["wallet", "archive", "gateway"])
def test_a_round_costs_the_less_the_more_there_are(name: str) -> None:
    """As long as instances are as many: processor time is concave in the rate."""
    cores = [part_at(name, rate).cores or 0.0 for rate in (0.05, 20, 40, 60, 80)]
    steps = [after - before for before, after in pairwise(cores)]

    assert part_at(name, 80).instances == 2
    assert all(a > b > 0 for a, b in pairwise(steps))


def test_an_archive_and_a_gateway_at_their_ends() -> None:
    """Hearing alone fills a gateway; the archive does so by all that it does."""
    archive, gateway = part_at("archive", 1.0), part_at("gateway", 1.0)
    many = sum(who["gateway"] for who in readers().values())
    heard = 0.004 / (BATCH_MAX * 4 / (many * _RECORDS))
    kept = (many + 1) * _RECORDS / 4
    most = 0.54 / (0.002 + 0.004 / (archive_host.BATCH_MAX / kept))

    assert gateway.most == pytest.approx(0.54 / (0.0005 + heard))
    assert archive.most == pytest.approx(most)
    assert part_at("archive", 0.999 * most).instances == 2
    assert part_at("archive", 1.001 * most).instances is None


def test_a_hop_may_take_so_long_and_no_longer() -> None:
    """Batches of 8 ms grow to more than 20 as time for them gets less."""
    slow = replace(BATCHED, cpu_ms_per_batch=8.0)
    costs = costs_made(processes={**costs_batched().processes, "wallet": slow})
    part = plan_of(costs, demand_made(60)).part("wallet")
    assert part.most is not None

    most = part.most / PARTITIONS
    one = instance_of("wallet", costs)
    assert one.used(most).hop_s == pytest.approx(HOP_MAX_S, rel=1e-6)
    assert most < 0.6 * (one.saturated or 0.0)
    slower = replace(BATCHED, cpu_ms_per_batch=21.0)
    costs = costs_made(processes={**costs_batched().processes, "wallet": slower})
    assert plan_of(costs, demand_made(60)).part("wallet").instances is None


def test_kafka_works_for_whoever_takes_a_batch() -> None:
    """Its batches are those of all instances that read; each copy costs the same."""
    plan = plan_of(costs_batched(), demand_made(60 * 50))
    kafka = plan.part("kafka")
    readers = [plan.part(name) for name in (*LOGGED, "archive", "gateway")]

    assert kafka.batches_per_s == pytest.approx(sum(p.batches_per_s for p in readers))
    work = 3 * (50 * 0.002 + kafka.batches_per_s * 0.001)
    assert kafka.cores == pytest.approx(work + 3 * 0.1)


def test_the_database_appends_fewer_as_batches_fill() -> None:
    """As many appends for each batch as at rest: 4 for 20 of all services together."""
    plan = plan_of(costs_batched(), demand_made(60 * 50))
    batches = sum(plan.part(name).batches_per_s for name in LOGGED)
    database = plan.part("postgres")

    assert database.batches_per_s == pytest.approx(batches / 5)
    assert database.batches_per_s < 50 * 4
    assert database.cores == pytest.approx(0.1 + 0.1 + database.batches_per_s * 0.001)
    assert plan.commits_per_s == pytest.approx(2 * database.batches_per_s + 150 + 5)


@given(_RATES, _RATES, st.sampled_from((0.3, 0.6, 0.95)))
def test_a_higher_rate_never_needs_less(one: float, other: float, most: float) -> None:
    """Batches fill up, and yet nothing gets cheaper on the whole."""
    small, large = (
        plan_of(costs_batched(), demand_made(round(60 * rate), utilisation=most))
        for rate in sorted((one, other))
    )
    assert small.commits_per_s <= large.commits_per_s + 1e-6
    for few, many in zip(small.parts, large.parts, strict=True):
        if few.instances is None:
            assert many.instances is None
        elif many.instances is not None:
            assert few.instances <= many.instances
            is_fed = few.name != "kafka" or small.without == large.without
            assert not is_fed or (few.cores or 0) <= (many.cores or 0) + 1e-6


@given(_RATES, _RATES, st.sampled_from((0.0, 0.1, 1.0, 10.0)))
def test_batches_that_are_counted_on_never_get_fewer(
    one: float, other: float, each: float
) -> None:
    """They are what is taken at the rate, or what was at the lower one where it is."""
    instance = Instance(0.1, each / 1000, 0.002, 5.0, 100.0)
    low, high = sorted((one, other))
    few, many = instance.batches_at_most(low), instance.batches_at_most(high)
    saturated = instance.saturated or 0.0

    assert few <= many * (1 + 1e-9)
    if high < saturated:
        assert instance.used(high).batches_per_s <= many * (1 + 1e-6)
    assert many * 0.002 <= 0.9 + 1e-9


@given(_RATES)
def test_no_instance_is_loaded_beyond_its_share(rate: float) -> None:
    """However busy it is, full batches would carry so much more."""
    plan = plan_of(costs_batched(), demand_made(round(60 * rate)))

    for part in plan.parts:
        if part.scaling == "partitions" and part.instances:
            own = plan.rounds_per_s / part.instances
            assert own * _FULL / 0.9 <= plan.demand.utilisation + 0.02
            assert part.cores is not None
            assert part.cores / part.instances <= 1
