"""`push22 capacity`: partitions, instances and disks for a number of players."""

import sys
from typing import Annotated

import msgspec
from cyclopts import Parameter

from push22.capacity.check import check
from push22.capacity.costs import written
from push22.capacity.model import plan_of
from push22.capacity.options import Asked, Source
from push22.capacity.tables import detail, heading, summary
from push22.certify.writing import write_whole
from push22.load.settings import Slo

_PLAIN, _COMMITTED = Asked(), Source()


def capacity(
    *,
    asked: Annotated[Asked, Parameter(name="*")] = _PLAIN,
    source: Annotated[Source, Parameter(name="*")] = _COMMITTED,
    simulate: bool = False,
    json: bool = False,
) -> int:
    """Tell what players need, from what a round was measured to cost.

    Parameters
    ----------
    asked
        What the casino is to carry.
    source
        Where costs are taken from.
    simulate
        Instead: simulate the machine and the rates that costs were measured at, beside
        what was measured. Exit status 1: both do not agree.
    json
        Print one JSON document.

    """
    demands = asked.demands()
    costs = source.found()
    if source.save is not None:
        write_whole(source.save, written(costs))
    if simulate:
        checked = check(costs, Slo())
        _say([*heading(costs), *checked.lines])
        return 0 if checked.agrees else 1
    plans = [plan_of(costs, demand) for demand in demands]
    if json:
        text = msgspec.json.encode({"measured": costs.measured, "plans": plans})
        return _say([text.decode()])
    told = detail(plans[0]) if asked.players else summary(plans)
    return _say([*heading(costs), "", *told])


def _say(lines: list[str]) -> int:
    sys.stdout.write("\n".join(lines) + "\n")
    return 0
