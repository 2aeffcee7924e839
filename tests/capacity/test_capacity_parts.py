"""What batches cost is part of every answer, the less of it the busier a process is."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from contracts.topics import PARTITIONS
from push22.capacity.costs import LOGGED, PROCESSES, Commits, Costs
from push22.capacity.filling import records_a_batch
from push22.capacity.model import plan_of
from push22.capacity.plan import PartPlan
from push22.load.settings import HEARER
from tests.capacity.made import CHEAP, costs_made, demand_made

BATCHED = replace(CHEAP, cpu_ms_per_batch=1.0, cpu_ms_per_round=2.0)
"""A round comes in four batches at rest: 6 ms then, and 2 ms and a part of 4 if not."""

FULL = records_a_batch(0.5)
_AT_TOP = 0.002 + 0.004 / FULL
_RATES = st.floats(1.0, 5000.0)


def costs_batched() -> Costs:
    hearing = replace(BATCHED, cpu_ms_per_round=0.5)
    processes = {**dict.fromkeys(PROCESSES, BATCHED), HEARER: hearing}
    return costs_made(processes=processes, commits=Commits(2, 3, 5))


def part_at(name: str, rate: float) -> PartPlan:
    return plan_of(costs_batched(), demand_made(round(60 * rate))).part(name)


def test_an_instance_at_its_top_by_hand() -> None:
    """Half of a core for rounds: batches of 1.12 records, so many ms for each."""
    assert pytest.approx(1.134, abs=0.001) == FULL
    part = part_at("wallet", 1000)

    assert part.most == pytest.approx(PARTITIONS * 0.5 / _AT_TOP)
    assert part.instances == -int(-1000 * _AT_TOP // 0.5)
    assert part.instances is not None
    assert part.cores is not None
    busy = part.cores / part.instances - 0.1
    own = 1000 / part.instances
    assert busy == pytest.approx(own * (0.002 + 0.004 / records_a_batch(busy)))
    assert part.batches_per_s == pytest.approx(4000 / records_a_batch(busy))


def test_at_next_to_no_rate_every_record_is_a_batch() -> None:
    """Six milliseconds of each round."""
    part = part_at("wallet", 1 / 60)

    assert part.batches_per_s == pytest.approx(4 / 60, rel=1e-3)
    assert part.cores == pytest.approx(2 * 0.1 + 0.006 / 60, rel=1e-3)


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

    assert archive.most == pytest.approx(0.5 / _AT_TOP)
    assert gateway.most == pytest.approx(0.5 / (0.0005 + 0.004 / FULL))
    assert part_at("archive", 0.99 * 0.5 / _AT_TOP).instances == 2
    assert part_at("archive", 1.01 * 0.5 / _AT_TOP).instances is None


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


@given(_RATES)
def test_no_instance_is_busier_than_it_may_be(rate: float) -> None:
    """Nor is one of what every instance hears."""
    plan = plan_of(costs_batched(), demand_made(round(60 * rate)))

    for part in plan.parts:
        if part.scaling in ("partitions", "each hears all") and part.cores:
            assert part.cores / part.count <= plan.demand.utilisation + 1e-6
