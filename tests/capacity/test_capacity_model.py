"""What a demand needs follows from the costs, by arithmetic done here by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from contracts.topics import PARTITIONS
from push22.capacity.demand import wrong
from push22.capacity.model import plan_of
from push22.capacity.shape import readers
from push22.capacity.tables import detail, summary
from tests.capacity.made import CHEAP, costs_made, demand_made

_FREE = replace(CHEAP, cpu_ms_per_round=0.0, idle_cores=0.0, rss_mib=1.0)
SMALL = demand_made(60)
_SIZES = st.integers(1, 200_000)


def test_a_service_of_many_instances_by_hand() -> None:
    """At 1,000 rounds/s, 2 ms each: 2 cores; an instance has 0.6 of 0.9 for them."""
    part = plan_of(costs_made(), demand_made(60_000)).part("table-orchestrator")

    assert part.instances == 4
    assert part.cores == pytest.approx(2.0 + 4 * 0.1)
    assert part.most == pytest.approx(PARTITIONS * 0.54 / 0.002)


def test_every_archive_takes_in_everything() -> None:
    """At 270 rounds/s it is as full as it may be; more of them would not help."""
    costs = costs_made()
    held = plan_of(costs, demand_made(16_200)).part("archive")
    over = plan_of(costs, demand_made(16_260))

    assert held.instances == 2
    assert over.part("archive").instances is None
    assert any(limit.startswith("archive: 270 rounds/s") for limit in over.limits)


def test_gateways_share_players_and_each_hears_all() -> None:
    """600 rounds/s: hearing 0.3 cores leaves 0.24 of each for 0.9 cores of players."""
    part = plan_of(costs_made(), demand_made(36_000)).part("gateway")

    assert part.instances == 4
    assert part.most == pytest.approx(1080)


def test_no_total_has_what_no_number_is_enough_of() -> None:
    """Nothing is known of the cores of what hears more than it may: no part of them."""
    costs = costs_made()
    most, over = (plan_of(costs, demand_made(n)) for n in (16_200, 16_260))
    beyond = plan_of(costs, demand_made(66_000))

    assert (most.without, over.without) == ((), ("archive",))
    assert beyond.without == ("archive", "gateway")
    assert [beyond.part(name).cores for name in beyond.without] == [None, None]
    known = [part for part in beyond.parts if part.name not in beyond.without]
    assert beyond.cores == sum(part.cores or 0.0 for part in known)
    idle = 66_000 * costs.door.idle_player_kib * 1024
    instances = sum(part.count for part in known)
    assert beyond.memory_bytes == pytest.approx(instances * 100 * 2**20 + idle)


def test_a_total_that_lacks_something_says_what() -> None:
    """In both tables, and no figure stands beside the part itself."""
    plan = plan_of(costs_made(), demand_made(66_000))
    word = "  >: cores and memory without archive, gateway; Kafka out to one each"
    told, beside = detail(plan), summary([plan])

    assert word in told
    assert word in beside
    [row] = [line.split() for line in told if line.startswith("gateway ")]
    assert row[1:3] == ["-", "-"]
    [total] = [line for line in beside if line.startswith("cores busy, all")]
    assert total.split()[-1] == f">{plan.cores:,.1f}"
    assert not any(">" in line for line in summary([plan_of(costs_made(), SMALL)]))


def test_players_at_one_table_see_one_another() -> None:
    """Three lookers-on at 10 events of 25 us are 0.75 ms of a round more."""
    alone = plan_of(costs_made(), demand_made(36_000)).part("gateway")
    together = plan_of(costs_made(), demand_made(36_000, seats=4.0)).part("gateway")
    hearing = 0.5 * 600 / 1000 + 0.1

    assert together.instances == 6
    assert alone.instances is not None
    assert together.cores is not None
    assert alone.cores is not None
    assert together.cores - alone.cores == pytest.approx(0.75 * 0.6 + 2 * hearing)


def test_partitions_that_are_there_may_be_too_few() -> None:
    """Nine instances need nine partitions of all that they read and write."""
    plan = plan_of(costs_made(), demand_made(130_000))
    few = {topic.name for topic in plan.topics if not topic.suffices}

    assert plan.part("wallet").instances == 9
    assert "push22.wallet.events.v1" in few
    assert "push22.checkpoints.v1" not in few
    assert any("9 partitions" in limit for limit in plan.limits)


def test_disks_by_hand() -> None:
    """A round a second is 86,400 a day; five logs of 1,000 bytes, six topics kept."""
    plan = plan_of(costs_made(), demand_made(60))
    postgres, kafka, archive = plan.disks

    assert postgres.bytes_per_day == 86_400 * 5_000
    assert postgres.bytes_kept == 86_400 * 250
    assert kafka.bytes_per_day == 86_400 * 6_000 * 3
    assert kafka.bytes_kept == 86_400 * 3_000 * 3
    assert archive.after(10) == 86_400 * 2_000 * 10


def test_what_is_sent_and_what_is_record_of_a_disk() -> None:
    """Ten rounds/s, nine topics: two records in one batch each; 600 of 1,000 bytes."""
    plan = plan_of(costs_made(), demand_made(600))

    assert plan.network.records_per_s == 10 * 9 * 2
    assert plan.network.batches_per_s == 10 * 9
    assert plan.disks[0].own_share == 0.6
    told = detail(plan)
    assert "to Kafka 180 records/s in 90 batches/s" in told
    assert "PostgreSQL, each copy: 60 % are records, the rest finds them" in told
    for kept in ("PostgreSQL, each copy: 5 %", "Kafka, all copies: 33 %"):
        assert f"{kept} of a day is kept for one day only" in told
        assert f"{kept} of a day is kept for one day only" in summary([plan])


def test_what_comes_without_rounds_counts_by_time() -> None:
    """Beacons and checkpoints: a byte a second, three copies; commits and their log."""
    costs = costs_made()
    name = "push22.desk.events.v1"
    topic = replace(costs.topics[name], bytes_per_round=0, idle_bytes_per_s=1)
    plan = plan_of(replace(costs, topics={name: topic}), demand_made(60))

    assert plan.disks[1].bytes_per_day == 86_400 * 3
    assert plan.disks[1].bytes_kept == 0
    assert plan.network.wal == 510
    assert plan.commits_per_s == 21


def test_what_goes_out_of_kafka_is_what_its_readers_are() -> None:
    """Each reader takes each byte once, and each further copy is sent as well."""
    plan = plan_of(costs_made(), demand_made(60))
    copies = {"archive": 2, "gateway": 2}
    times = sum(
        copies.get(name, 1) for who in readers().values() for name in who.elements()
    )

    assert plan.network.kafka_in == 9 * 1000 * 3
    assert plan.network.kafka_out == 1000 * (times + 9 * 2)


def test_every_topic_of_events_is_read_by_archive_and_gateway() -> None:
    """The table of readers is that of rights in Kafka."""
    found = readers()

    assert found["push22.shoe.events.v1"].keys() == {
        "table-orchestrator",
        "archive",
        "gateway",
    }
    assert found["push22.table.commands.v1"].keys() == {"table-orchestrator"}


def test_a_service_that_reacts_to_its_own_records_reads_them() -> None:
    """The orchestrator's tables follow its rounds; the shoe only reads others'."""
    found = readers()

    assert found["push22.table.events.v1"]["table-orchestrator"] == 1
    assert found["push22.shoe.events.v1"]["shoe"] == 0


@given(_SIZES, _SIZES)
def test_more_players_never_need_less(one: int, other: int) -> None:
    """In every part: cores, instances, partitions, disks, memory."""
    small, large = (
        plan_of(costs_made(), demand_made(players)) for players in sorted((one, other))
    )

    for few, many in zip(small.parts, large.parts, strict=True):
        if few.instances is None:
            assert many.instances is None
        elif many.instances is not None:
            assert few.instances <= many.instances
            assert (few.cores or 0.0) <= (many.cores or 0.0) + 1e-9
    for one_topic, more in zip(small.topics, large.topics, strict=True):
        assert one_topic.needed <= more.needed
    for disk, bigger in zip(small.disks, large.disks, strict=True):
        assert disk.after(9) <= bigger.after(9)
    assert len(small.limits) <= len(large.limits)


@given(_SIZES)
def test_no_instance_is_busier_than_it_may_be(players: int) -> None:
    """What rounds take of what idling leaves keeps to the utilisation."""
    plan = plan_of(costs_made(), demand_made(players))

    for part in plan.parts:
        if (
            part.scaling in ("partitions", "each hears all")
            and part.cores
            and part.instances
        ):
            for_rounds = part.cores / part.instances - 0.1
            assert for_rounds <= plan.demand.utilisation * 0.9 + 1e-9


@given(st.integers(1, 10_000))
def test_twice_the_players_lay_down_twice_the_bytes(players: int) -> None:
    """Nothing is lost or made up on the way to a disk."""
    once = plan_of(costs_made(), demand_made(players))
    twice = plan_of(costs_made(), demand_made(2 * players))

    for one, two in zip(once.disks, twice.disks, strict=True):
        assert two.after(365) == pytest.approx(2 * one.after(365))


def test_what_costs_nothing_needs_two_instances_only() -> None:
    """One may die; no round is too many."""
    costs = costs_made()
    costs = replace(costs, processes={**costs.processes, "desk": _FREE})
    part = plan_of(costs, demand_made(10**7)).part("desk")

    assert part.instances == 2
    assert part.most is None


def test_a_process_that_is_full_without_rounds_carries_none() -> None:
    """Its idling alone is all of a core."""
    costs = costs_made()
    full = replace(CHEAP, idle_cores=1.0)
    costs = replace(costs, processes={**costs.processes, "shoe": full})
    plan = plan_of(costs, demand_made(60))

    assert plan.part("shoe").instances is None
    assert any(limit.startswith("shoe: 0 rounds/s") for limit in plan.limits)


@pytest.mark.parametrize(
    ("name", "value"),
    [("players", 0), ("seats", 0.5), ("utilisation", 1.0), ("day_share", 0.0)],
)
def test_a_demand_out_of_range_is_named(name: str, value: float) -> None:
    """By the option that gave it."""
    found = wrong(replace(demand_made(1), **{name: value}))

    assert found is not None
    assert found.place == f"--{name.replace('_', '-')}"
