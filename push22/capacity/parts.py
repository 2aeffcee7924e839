"""How many instances each part needs, and where no number is enough.

At the utilisation that is allowed batches hold so many records (`filling`), and what a
round costs there decides how many instances there are; what these use together follows
from how full their batches are then.
"""

from collections.abc import Sequence
from math import ceil

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
from push22.capacity.filling import busy_share, records_a_batch
from push22.capacity.plan import PartPlan
from push22.capacity.shape import BROKER_CORES, BROKERS_MIN, INSTANCES_MIN
from push22.load.settings import HEARER

_MILLI, _MICRO = 1000, 1_000_000
_GROWS_TO = 0.75
"""So busy, a process still takes more batches the more comes."""


def parts_of(costs: Costs, demand: Demand) -> tuple[PartPlan, ...]:
    """Return every part in the order of the tables."""
    logged = [_sharing(name, costs.processes[name], demand) for name in LOGGED]
    hearing = (_archive(costs.processes[ARCHIVE], demand), _gateway(costs, demand))
    return (
        *logged,
        *hearing,
        _kafka(costs.processes[KAFKA], demand, _batches((*logged, *hearing))),
        _postgres(costs, demand, _batches(logged)),
    )


def room(cost: ProcessCost, demand: Demand) -> float:
    """Return the part of a core that an instance has for rounds."""
    return max(0.0, demand.utilisation - cost.idle_cores)


def round_at_top(cost: ProcessCost, demand: Demand) -> float:
    """Return the core-seconds of a round where an instance is as busy as it may be."""
    return _per_round(cost) + _in_batches(cost) / records_a_batch(room(cost, demand))


def _per_round(cost: ProcessCost) -> float:
    return cost.cpu_ms_per_round / _MILLI


def _in_batches(cost: ProcessCost) -> float:
    """Return the core-seconds of a round's batches, if none holds more than it must."""
    return cost.cpu_ms_per_batch / _MILLI * cost.batches_per_round


def _taken(cost: ProcessCost, rate: float, busy: float) -> float:
    """Return batches a second, never fewer at a higher rate.

    In truth they get fewer where a process hardly rests: that is not counted on.
    """
    return rate * cost.batches_per_round / records_a_batch(min(busy, _GROWS_TO))


def _batches(parts: Sequence[PartPlan]) -> float:
    return sum(part.batches_per_s for part in parts)


def _enough(work: float, each: float) -> int | None:
    """Return how many instances carry the work; none if no number does."""
    return max(INSTANCES_MIN, ceil(work / each - 1e-9)) if each > 0 else None


def _most(each: float, per_round: float) -> float | None:
    return each / per_round if per_round else None


def _sharing(name: str, cost: ProcessCost, demand: Demand) -> PartPlan:
    """A service with a log: partitions are dealt out, an instance has one at least."""
    rate, each, top = (
        demand.rounds_per_s,
        room(cost, demand),
        round_at_top(cost, demand),
    )
    instances = _enough(rate * top, each) if top else INSTANCES_MIN
    busy = each
    if instances is not None:
        own = rate / instances
        busy = busy_share(own * _per_round(cost), own * _in_batches(cost))
    return PartPlan(
        name=name,
        scaling="partitions",
        cores=None if instances is None else instances * (busy + cost.idle_cores),
        instances=instances,
        most=_most(PARTITIONS * each, top),
        batches_per_s=_taken(cost, rate, busy),
    )


def _archive(cost: ProcessCost, demand: Demand) -> PartPlan:
    """Each copy takes in everything: a second one is for safety, not for speed."""
    rate, each, top = (
        demand.rounds_per_s,
        room(cost, demand),
        round_at_top(cost, demand),
    )
    suffices = rate * top <= each
    busy = each
    if suffices:
        busy = busy_share(rate * _per_round(cost), rate * _in_batches(cost))
    batches = _taken(cost, rate, busy)
    return PartPlan(
        name=ARCHIVE,
        scaling="each hears all",
        cores=INSTANCES_MIN * (busy + cost.idle_cores) if suffices else None,
        instances=INSTANCES_MIN if suffices else None,
        most=_most(each, top),
        batches_per_s=INSTANCES_MIN * batches if suffices else batches,
    )


def _gateway(costs: Costs, demand: Demand) -> PartPlan:
    """Each hears of all rounds, and serves the players that are connected to it."""
    cost, rate = costs.processes[GATEWAY], demand.rounds_per_s
    hearing = min(_per_round(costs.processes[HEARER]), _per_round(cost))
    serving = rate * (_per_round(cost) - hearing + watching(costs, demand))
    top = round_at_top(cost, demand) - _per_round(cost) + hearing
    instances = _enough(serving, room(cost, demand) - rate * top)
    busy = room(cost, demand)
    if instances is not None:
        work = rate * hearing + serving / instances
        busy = busy_share(work, rate * _in_batches(cost))
    batches = _taken(cost, rate, busy)
    return PartPlan(
        name=GATEWAY,
        scaling="each hears all",
        cores=None if instances is None else instances * (busy + cost.idle_cores),
        instances=instances,
        most=_most(room(cost, demand), top),
        batches_per_s=batches * (instances or 1),
    )


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
