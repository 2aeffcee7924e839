"""The capacity model: costs of a round and a demand in, machines and disks out."""

from collections.abc import Sequence
from math import ceil

from contracts.topics import BY_NAME
from push22.capacity.costs import LOGGED, POSTGRES, Costs, Flow, TopicCost
from push22.capacity.demand import SECONDS_A_DAY, Demand
from push22.capacity.parts import parts_of
from push22.capacity.plan import DiskPlan, Network, PartPlan, Plan, TopicPlan
from push22.capacity.shape import (
    HEAR_ALL,
    KEPT_FOREVER,
    PARTITION_BYTES_PER_S,
    SERVER_CORES_MAX,
    TOPIC_NAMES,
    readers,
)

_KIB = 1024
_MIB = 1024 * 1024
_NOTHING = TopicCost(
    bytes_per_round=0, idle_bytes_per_s=0, records_per_round=0, batches_per_round=0
)


def plan_of(costs: Costs, demand: Demand) -> Plan:
    """Return what the demand needs."""
    parts = parts_of(costs, demand)
    topics = tuple(_topic(name, costs, demand, parts) for name in TOPIC_NAMES)
    return Plan(
        demand=demand,
        rounds_per_s=demand.rounds_per_s,
        tables=demand.tables,
        parts=parts,
        topics=topics,
        disks=_disks(costs, demand),
        network=_network(costs, demand, parts),
        memory_bytes=_memory(costs, demand, parts),
        commits_per_s=_commits(costs, demand, parts),
        limits=tuple(_limits(parts, topics, demand)),
    )


def _topic(
    name: str, costs: Costs, demand: Demand, parts: Sequence[PartPlan]
) -> TopicPlan:
    """Who writes a topic and who shares it needs a partition for each instance."""
    cost = costs.topics.get(name, _NOTHING)
    sharers = {BY_NAME[name].service, *readers()[name]} & set(LOGGED)
    counts = [part.count for part in parts if part.name in sharers]
    rate = _bytes_per_s(cost, demand)
    return TopicPlan(
        name=name,
        bytes_per_s=rate,
        needed=max([1, ceil(rate / PARTITION_BYTES_PER_S), *counts]),
        present=BY_NAME[name].partitions,
    )


def _per_s(flow: Flow, demand: Demand) -> float:
    return flow.per_round * demand.rounds_per_s + flow.idle_per_s


def _commits(costs: Costs, demand: Demand, parts: Sequence[PartPlan]) -> float:
    database = next(part for part in parts if part.name == POSTGRES)
    cost, appends = costs.commits, database.batches_per_s
    rounds = cost.per_round * demand.rounds_per_s
    return rounds + cost.per_append * appends + cost.idle_per_s


def _bytes_per_s(cost: TopicCost, demand: Demand) -> float:
    return cost.bytes_per_round * demand.rounds_per_s + cost.idle_bytes_per_s


def _disks(costs: Costs, demand: Demand) -> tuple[DiskPlan, ...]:
    rounds, logs, archive = (
        demand.rounds_per_day,
        costs.logs.values(),
        costs.archive_bytes,
    )
    days = {
        name: rounds * cost.bytes_per_round + SECONDS_A_DAY * cost.idle_bytes_per_s
        for name, cost in costs.topics.items()
    }
    forever = sum(size for name, size in days.items() if _is_kept(name))
    disk = sum(log.disk_bytes_per_round for log in logs)
    own = sum(log.body_bytes_per_round for log in logs)
    return (
        DiskPlan(
            name="PostgreSQL, each copy",
            bytes_per_day=rounds * disk,
            bytes_kept=rounds * sum(log.beside_bytes_per_round for log in logs),
            own_share=own / disk if disk else None,
        ),
        DiskPlan(
            name="Kafka, all copies",
            bytes_per_day=forever * demand.replication,
            bytes_kept=(sum(days.values()) - forever) * demand.replication,
        ),
        DiskPlan(
            name="archive, each copy",
            bytes_per_day=rounds * archive.per_round
            + SECONDS_A_DAY * archive.idle_per_s,
        ),
    )


def _is_kept(topic: str) -> bool:
    return topic in KEPT_FOREVER


def _network(costs: Costs, demand: Demand, parts: Sequence[PartPlan]) -> Network:
    """Of a reader that no number is enough of, one is counted."""
    counts = {part.name: max(1, part.count) for part in parts}
    came = sent = 0.0
    for name, who in readers().items():
        rate = _bytes_per_s(costs.topics.get(name, _NOTHING), demand)
        times = sum(counts[r] if r in HEAR_ALL else 1 for r in who)
        came += rate * demand.replication
        sent += rate * (times + demand.replication - 1)
    topics, rate = costs.topics.values(), demand.rounds_per_s
    return Network(
        came,
        sent,
        _per_s(costs.wal_bytes, demand),
        records_per_s=rate * sum(topic.records_per_round for topic in topics),
        batches_per_s=rate * sum(topic.batches_per_round for topic in topics),
    )


def _memory(costs: Costs, demand: Demand, parts: Sequence[PartPlan]) -> float:
    """Leave out what no number of instances is enough of, as the cores do."""
    processes = sum(part.count * costs.processes[part.name].rss_mib for part in parts)
    return processes * _MIB + demand.players * costs.door.idle_player_kib * _KIB


def _limits(
    parts: Sequence[PartPlan], topics: Sequence[TopicPlan], demand: Demand
) -> list[str]:
    """Say what the casino as it is built does not carry, the tightest first."""
    found: list[tuple[float, str]] = []
    rate = demand.rounds_per_s
    for part in parts:
        if part.most is None or rate <= part.most:
            continue
        why = {
            "partitions": f"needs {part.instances or 'more'} partitions",
            "each hears all": "each instance hears all: more of them are no help",
        }[part.scaling]
        found.append((part.most, f"{part.name}: {part.most:,.0f} rounds/s; {why}"))
    database = next(part for part in parts if part.name == POSTGRES)
    if (database.cores or 0.0) > SERVER_CORES_MAX * demand.utilisation:
        found.append((0.0, f"{POSTGRES}: more than {SERVER_CORES_MAX} cores"))
    few = [topic.name for topic in topics if not topic.suffices]
    if few:
        most = max(topic.needed for topic in topics)
        found.append((rate, f"{len(few)} of the topics: up to {most} partitions"))
    return [text for _, text in sorted(found)]
