"""How many instances each part needs, and where no number is enough."""

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
from push22.capacity.plan import PartPlan
from push22.capacity.shape import BROKER_CORES, BROKERS_MIN, INSTANCES_MIN
from push22.load.settings import HEARER

_MILLI, _MICRO = 1000, 1_000_000


def parts_of(costs: Costs, demand: Demand) -> tuple[PartPlan, ...]:
    """Return every part in the order of the tables."""
    return (
        *(_sharing(name, costs.processes[name], demand) for name in LOGGED),
        _archive(costs.processes[ARCHIVE], demand),
        _gateway(costs, demand),
        _kafka(costs.processes[KAFKA], demand),
        _postgres(costs.processes[POSTGRES], demand),
    )


def room(cost: ProcessCost, demand: Demand) -> float:
    """Return the part of a core that an instance has for rounds."""
    return max(0.0, demand.utilisation - cost.idle_cores)


def _per_round(cost: ProcessCost) -> float:
    """Return the core-seconds of a round."""
    return cost.cpu_ms_per_round / _MILLI


def _enough(work: float, each: float) -> int | None:
    """Return how many instances carry the work; none if no number does."""
    if not work:
        return INSTANCES_MIN
    return max(INSTANCES_MIN, ceil(work / each - 1e-9)) if each > 0 else None


def _most(each: float, per_round: float) -> float | None:
    return each / per_round if per_round else None


def _sharing(name: str, cost: ProcessCost, demand: Demand) -> PartPlan:
    """A service with a log: partitions are dealt out, an instance has one at least."""
    work, each = demand.rounds_per_s * _per_round(cost), room(cost, demand)
    instances = _enough(work, each)
    return PartPlan(
        name=name,
        scaling="partitions",
        cores=None if instances is None else work + instances * cost.idle_cores,
        instances=instances,
        most=_most(PARTITIONS * each, _per_round(cost)),
    )


def _archive(cost: ProcessCost, demand: Demand) -> PartPlan:
    """Each copy takes in everything: a second one is for safety, not for speed."""
    work, each = demand.rounds_per_s * _per_round(cost), room(cost, demand)
    suffices = work <= each
    return PartPlan(
        name=ARCHIVE,
        scaling="each hears all",
        cores=INSTANCES_MIN * (work + cost.idle_cores) if suffices else None,
        instances=INSTANCES_MIN if suffices else None,
        most=_most(each, _per_round(cost)),
    )


def _gateway(costs: Costs, demand: Demand) -> PartPlan:
    """Each hears of all rounds, and serves the players that are connected to it."""
    cost, rate = costs.processes[GATEWAY], demand.rounds_per_s
    hearing = min(_per_round(costs.processes[HEARER]), _per_round(cost))
    serving = _per_round(cost) - hearing + watching(costs, demand)
    each = room(cost, demand) - rate * hearing
    instances = _enough(rate * serving, each)
    idle = rate * hearing + cost.idle_cores
    return PartPlan(
        name=GATEWAY,
        scaling="each hears all",
        cores=None if instances is None else rate * serving + instances * idle,
        instances=instances,
        most=_most(room(cost, demand), hearing),
    )


def watching(costs: Costs, demand: Demand) -> float:
    """Return the core-seconds of a round for those who look on at the same table."""
    events = costs.logs["table-orchestrator"].records_per_round
    each = costs.door.watcher_us_per_event / _MICRO
    return (demand.seats - 1) * events * each


def _kafka(cost: ProcessCost, demand: Demand) -> PartPlan:
    """A copy on another broker is taken to cost as much as the first."""
    work = demand.rounds_per_s * _per_round(cost) * demand.replication
    least = max(BROKERS_MIN, demand.replication)
    each = BROKER_CORES * demand.utilisation - cost.idle_cores
    instances = max(least, ceil(work / each))
    return PartPlan(
        name=KAFKA,
        scaling="brokers",
        cores=work + instances * cost.idle_cores,
        instances=instances,
        most=None,
    )


def _postgres(cost: ProcessCost, demand: Demand) -> PartPlan:
    """One server writes; its standby replays what that has written."""
    return PartPlan(
        name=POSTGRES,
        scaling="one server",
        cores=demand.rounds_per_s * _per_round(cost) + cost.idle_cores,
        instances=INSTANCES_MIN,
        most=None,
    )
