"""How many instances each part needs, and where no number is enough.

An instance is loaded to so much of the rate that it could carry at all (`instance`);
what they use together follows from how full their batches are then.
"""

from bisect import bisect_left
from collections.abc import Sequence
from math import ceil, inf

from contracts.topics import PARTITIONS
from push22.capacity.costs import (
    ARCHIVE,
    GATEWAY,
    KAFKA,
    LOGGED,
    POSTGRES,
    Costs,
    ProcessCost,
)
from push22.capacity.demand import Demand
from push22.capacity.instance import HOP_MAX_S, Instance
from push22.capacity.plan import PartPlan, Scaling
from push22.capacity.shape import BROKER_CORES, BROKERS_MIN, INSTANCES_MIN, readers
from push22.load.settings import HEARER
from runtime import archive_host, handle

_MILLI, _MICRO = 1000, 1_000_000
_INSTANCES_MAX = 10**6
_RECORDS_MAX = {ARCHIVE: archive_host.BATCH_MAX}
"""What one batch holds; all else takes so much of one partition in a cycle."""


def parts_of(costs: Costs, demand: Demand) -> tuple[PartPlan, ...]:
    """Return every part in the order of the tables."""
    logged = [_sharing(name, instance_of(name, costs), demand) for name in LOGGED]
    hearing = (_archive(instance_of(ARCHIVE, costs), demand), _gateway(costs, demand))
    return (
        *logged,
        *hearing,
        _kafka(costs.processes[KAFKA], demand, _batches((*logged, *hearing))),
        _postgres(costs, demand, _batches(logged)),
    )


def instance_of(name: str, costs: Costs) -> Instance:
    """Return what a round is to an instance that has all of its rounds."""
    cost = costs.processes[name]
    found = readers()
    heard = sum(
        topic.records_per_round * found[at][name]
        for at, topic in costs.topics.items()
        if at in found
    )
    records = heard / cost.batches_per_round if cost.batches_per_round else 1.0
    most = _RECORDS_MAX.get(name, handle.BATCH_MAX)
    return Instance(
        idle=cost.idle_cores,
        per_round=_per_round(cost),
        per_batch=cost.cpu_ms_per_batch / _MILLI,
        batches=cost.batches_per_round,
        batch_most=max(1.0, most / max(1.0, records)),
    )


def _per_round(cost: ProcessCost) -> float:
    return cost.cpu_ms_per_round / _MILLI


def _batches(parts: Sequence[PartPlan]) -> float:
    return sum(part.batches_per_s for part in parts)


def _times(most: float | None, by: int) -> float | None:
    return by * most if most is not None else None


def _sharing(name: str, one: Instance, demand: Demand) -> PartPlan:
    """A service with a log: partitions are dealt out, an instance has one at least."""
    rate, most = demand.rounds_per_s, one.most(demand.utilisation, HOP_MAX_S)
    instances: int | None = INSTANCES_MIN
    if most is not None:
        enough = ceil(rate / most - 1e-9) if most else None
        instances = max(INSTANCES_MIN, enough) if enough is not None else None
    most = _times(most, PARTITIONS)
    return _part(name, "partitions", (one, rate), instances=instances, most=most)


def _part(
    name: str,
    scaling: Scaling,
    each: tuple[Instance, float],
    *,
    instances: int | None,
    most: float | None,
) -> PartPlan:
    """Each instance has such a rate; where no number is enough, one has all of it."""
    one, rate = each
    if instances is None:
        return PartPlan(
            name=name,
            scaling=scaling,
            cores=None,
            instances=None,
            most=most,
            batches_per_s=one.batches_at_most(rate),
        )
    own = rate / instances if scaling == "partitions" else rate
    used = one.used(own)
    is_awaited = name != ARCHIVE
    return PartPlan(
        name=name,
        scaling=scaling,
        cores=instances * used.cores,
        instances=instances,
        most=most,
        batches_per_s=instances * one.batches_at_most(own),
        batch_s=used.batch_s if is_awaited else None,
        hop_s=used.hop_s if is_awaited else None,
    )


def _archive(one: Instance, demand: Demand) -> PartPlan:
    """Each copy takes in everything: a second one is for safety, not for speed."""
    rate, most = demand.rounds_per_s, one.most(demand.utilisation, None)
    suffices = most is None or rate <= most
    instances = INSTANCES_MIN if suffices else None
    return _part(ARCHIVE, "each hears all", (one, rate), instances=instances, most=most)


def _gateway(costs: Costs, demand: Demand) -> PartPlan:
    """Each hears of all rounds, and serves the players that are connected to it."""
    all_of_it, rate = instance_of(GATEWAY, costs), demand.rounds_per_s
    hearing = min(_per_round(costs.processes[HEARER]), all_of_it.per_round)
    serving = all_of_it.per_round - hearing + watching(costs, demand)

    def one_of(many: float) -> Instance:
        return all_of_it._replace(per_round=hearing + serving / many)

    def suffice(many: int) -> bool:
        each = one_of(many).most(demand.utilisation, HOP_MAX_S)
        return each is None or rate <= each

    found = bisect_left(range(_INSTANCES_MAX), True, INSTANCES_MIN, key=suffice)
    instances = found if found < _INSTANCES_MAX else None
    most = one_of(inf).most(demand.utilisation, HOP_MAX_S)
    one = one_of(instances or INSTANCES_MIN)
    return _part(GATEWAY, "each hears all", (one, rate), instances=instances, most=most)


def watching(costs: Costs, demand: Demand) -> float:
    """Return the core-seconds of a round for those who look on at the same table."""
    events = costs.logs["table-orchestrator"].records_per_round
    each = costs.door.watcher_us_per_event / _MICRO
    return (demand.seats - 1) * events * each


def _kafka(cost: ProcessCost, demand: Demand, batches: float) -> PartPlan:
    """Batches are its readers'. A copy on another broker costs as much as the first."""
    once = demand.rounds_per_s * _per_round(cost)
    work = (once + batches * cost.cpu_ms_per_batch / _MILLI) * demand.replication
    least = max(BROKERS_MIN, demand.replication)
    each = BROKER_CORES * demand.utilisation - cost.idle_cores
    instances = max(least, ceil(work / each))
    return PartPlan(
        name=KAFKA,
        scaling="brokers",
        cores=work + instances * cost.idle_cores,
        instances=instances,
        most=None,
        batches_per_s=batches,
    )


def _postgres(costs: Costs, demand: Demand, batches: float) -> PartPlan:
    """One server writes; its standby replays what that has written.

    So many of the services' batches are appended as were at the lowest rate.
    """
    cost, rate = costs.processes[POSTGRES], demand.rounds_per_s
    each_round = sum(costs.processes[name].batches_per_round for name in LOGGED)
    fuller = batches / (rate * each_round) if each_round else 1.0
    appends = rate * cost.batches_per_round * fuller
    work = rate * _per_round(cost) + appends * cost.cpu_ms_per_batch / _MILLI
    return PartPlan(
        name=POSTGRES,
        scaling="one server",
        cores=work + cost.idle_cores,
        instances=INSTANCES_MIN,
        most=None,
        batches_per_s=appends,
    )
