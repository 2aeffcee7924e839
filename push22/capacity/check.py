"""The simulation beside the measured points: how far the model is to be trusted."""

import msgspec

from push22.capacity.agreement import TOLERANCE, judged, verdict
from push22.capacity.costs import GATEWAY, KAFKA, Costs, Point
from push22.capacity.prediction import Machine, Predicted, compared, hop_of, knee
from push22.capacity.tables import table
from push22.load.settings import HOLDS_SHARE, Slo


class Checked(msgspec.Struct, frozen=True):
    """What is told of the model, and whether it agrees with what was measured."""

    lines: list[str]
    agrees: bool


def check(costs: Costs, slo: Slo) -> Checked:
    """Simulate and judge each measured rate on as many cores, then seek the knee."""
    if not costs.points:
        return Checked(["no measured points: nothing to check the model by"], False)
    machine = machine_of(costs)
    hop_s = hop_of(costs, machine)
    rows = [["rounds/s", "", "p50 ms", "p99 ms", "held", "batches/s", *_SHOWN.values()]]
    lowest = min(point.rounds_per_s for point in costs.points)
    found = []
    for point, foretold in compared(costs, machine, hop_s):
        rows += [_row("measured", point), _row("simulated", foretold)]
        is_fitted = point.rounds_per_s == lowest
        found.append(judged(point, foretold, is_fitted=is_fitted))
    most = knee(costs, machine, hop_s, slo)
    highest = max((p.rounds_per_s for p in costs.points if _is_held(p, slo)), default=0)
    lines = [
        f"{machine.cores} cores for everything, the load's players included",
        f"{1000 * hop_s:.1f} ms a hop besides, half of them, from the lowest rate",
        "",
        *table(rows),
        "",
        f"p99 {slo.p99_ms:g} ms: simulated up to {most:.1f} rounds/s, the knee",
        f"highest rate that was measured and held it: {highest:g} rounds/s",
        "",
        *TOLERANCE,
        *(line for each in found for line in each.lines()),
        verdict(found, is_preliminary=costs.measured.is_preliminary),
    ]
    return Checked(lines, all(each.agrees for each in found))


def _row(kind: str, found: Point | Predicted) -> list[str]:
    taken = found.batches_per_s.get(KAFKA)
    return [
        f"{found.rounds_per_s:g}",
        kind,
        f"{found.action_p50_ms:,.1f}",
        f"{found.action_p99_ms:,.1f}",
        f"{100 * found.share:.0f} %",
        f"{taken:,.0f}" if taken is not None else "-",
        *_busy(found.cores),
    ]


def _is_held(point: Point, slo: Slo) -> bool:
    return point.share >= HOLDS_SHARE and point.action_p99_ms <= slo.p99_ms


_SHOWN = {
    "": "all cores",
    "table-orchestrator": "table",
    GATEWAY: "gateway",
}


def machine_of(costs: Costs) -> Machine:
    """Return the machine that the points were measured on."""
    cores = costs.measured.machine.get("cores", "")
    return Machine(cores=int(cores) if cores.isdecimal() else 1)


def _busy(cores: dict[str, float]) -> list[str]:
    return [
        f"{sum(cores.values()) if not name else cores.get(name, 0.0):.2f}"
        for name in _SHOWN
    ]
