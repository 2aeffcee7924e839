"""The model's answer as tables of text, no wider than 80 columns."""

from collections.abc import Sequence

from push22.capacity.costs import Costs
from push22.capacity.plan import PartPlan, Plan

_YEAR = 365.25
_UNITS = ("B", "kB", "MB", "GB", "TB", "PB")
_NO = "-"
_MILLI = 1000


def heading(costs: Costs) -> list[str]:
    """Say where the figures come from."""
    measured = costs.measured
    state = "PRELIMINARY: " if measured.is_preliminary else ""
    machine = measured.machine
    processor = machine.get("processor", "a processor that is not known")
    return [
        f"{state}costs of {measured.made_at}, commit {measured.commit[:12]},",
        f"on {processor}, {machine.get('cores', '?')} cores",
        *(
            f"what a round adds is not told from what batches add: {name}"
            for name in measured.unresolved
        ),
    ]


def summary(plans: Sequence[Plan]) -> list[str]:
    """Set sizes beside each other."""
    head = ["players", *(f"{plan.demand.players:,}" for plan in plans)]
    first = plans[0]
    rows = [
        ["rounds/s, busiest", *(f"{plan.rounds_per_s:,.0f}" for plan in plans)],
        *(
            [part.name, *(_instances(plan.part(part.name)) for plan in plans)]
            for part in first.parts
            if part.scaling != "one server"
        ),
        ["postgres, cores busy", *(_cores(p.part("postgres"), 1) for p in plans)],
        ["partitions of a topic", *(f"{_partitions(p):,}" for p in plans)],
        ["cores busy, all", *(f"{_over(plan)}{plan.cores:,.1f}" for plan in plans)],
        ["memory", *(f"{_over(p)}{amount(p.memory_bytes)}" for p in plans)],
        ["Kafka in", *(f"{amount(plan.network.kafka_in)}/s" for plan in plans)],
        ["Kafka out", *(_out(plan) for plan in plans)],
    ]
    for at, disk in enumerate(first.disks):
        for name, days in (("a day", 1.0), ("10 years", 10 * _YEAR)):
            sizes = (amount(plan.disks[at].after(days)) for plan in plans)
            rows.append([f"{disk.name}, {name}", *sizes])
    return [*table([head, *rows]), *_passing(first), "", *_legend(plans)]


def _instances(part: PartPlan) -> str:
    return f"{part.instances:,}" if part.instances is not None else _NO


def _cores(part: PartPlan, digits: int) -> str:
    return _NO if part.cores is None else f"{part.cores:,.{digits}f}"


def _over(plan: Plan) -> str:
    """Mark a total that lacks something."""
    return ">" if plan.without else ""


def _out(plan: Plan) -> str:
    return f"{_over(plan)}{amount(plan.network.kafka_out)}/s"


def _partitions(plan: Plan) -> int:
    return max(topic.needed for topic in plan.topics)


def _legend(plans: Sequence[Plan]) -> list[str]:
    is_any = any(part.instances is None for plan in plans for part in plan.parts)
    lines = [f"{_NO}: no number of instances is enough"] if is_any else []
    for plan in plans:
        holds = "holds as it is built" if not plan.limits else "does not hold:"
        lines.append(f"{plan.demand.players:,} players: {holds}")
        lines += [f"  {limit}" for limit in plan.limits]
        if plan.without:
            names = ", ".join(plan.without)
            lines.append(
                f"  >: cores and memory without {names}; Kafka out to one each"
            )
    return lines


def detail(plan: Plan) -> list[str]:
    """Tell of one size part by part."""
    demand, network = plan.demand, plan.network
    head = ["part", "cores busy", "instances", "most rounds/s", "batch ms", "hop ms"]
    return [
        f"{demand.players:,} players at {plan.tables:,} tables",
        f"{plan.rounds_per_s:,.1f} rounds/s in the busiest seconds",
        "",
        *table([head, *(_part(part) for part in plan.parts)]),
        "",
        *_topics(plan),
        "",
        *_disks(plan),
        *_passing(plan),
        *_own(plan),
        "",
        f"Kafka in {amount(network.kafka_in)}/s, out {_out(plan)}",
        _sent(plan),
        f"database to its standby {amount(network.wal)}/s",
        _totals(plan),
        "",
        *_legend([plan]),
    ]


def _sent(plan: Plan) -> str:
    records, batches = plan.network.records_per_s, plan.network.batches_per_s
    return f"to Kafka {records:,.0f} records/s in {batches:,.0f} batches/s"


def _totals(plan: Plan) -> str:
    cores, memory = f"{plan.cores:,.1f}", amount(plan.memory_bytes)
    over, commits = _over(plan), f"{plan.commits_per_s:,.0f}"
    return f"cores busy, all {over}{cores}; memory {over}{memory}; {commits} commits/s"


def _topics(plan: Plan) -> list[str]:
    rows = [
        [
            topic.name,
            f"{amount(topic.bytes_per_s)}/s",
            f"{topic.needed:,}",
            f"{topic.present}",
            "yes" if topic.suffices else "NO",
        ]
        for topic in plan.topics
    ]
    return table([["topic", "one copy", "partitions", "present", "enough"], *rows])


def _disks(plan: Plan) -> list[str]:
    rows = [
        [disk.name, *(amount(disk.after(days)) for days in _SPANS)]
        for disk in plan.disks
    ]
    return table([["disk", "a day", "a year", "10 years"], *rows])


def _passing(plan: Plan) -> list[str]:
    """Say why ten years are less than so many days."""
    return [
        f"{disk.name}: {100 * disk.bytes_kept / disk.after(1):.0f} % of a day"
        " is kept for one day only"
        for disk in plan.disks
        if disk.bytes_kept
    ]


def _own(plan: Plan) -> list[str]:
    """Say how much of a disk is records, and not what finds them."""
    return [
        f"{disk.name}: {100 * disk.own_share:.0f} % are records, the rest finds them"
        for disk in plan.disks
        if disk.own_share is not None
    ]


_SPANS = (1.0, _YEAR, 10 * _YEAR)


def _part(part: PartPlan) -> list[str]:
    most = f"{part.most:,.0f}" if part.most is not None else ""
    times = [_ms(part.batch_s), _ms(part.hop_s)]
    return [part.name, _cores(part, 2), _instances(part), most, *times]


def _ms(seconds: float | None) -> str:
    return f"{_MILLI * seconds:,.1f}" if seconds is not None else ""


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Set the first column left and all others right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *rest in rows:
        cells = [first.ljust(widths[0])]
        cells += [c.rjust(w) for c, w in zip(rest, widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return lines


def amount(size: float) -> str:
    """Write bytes to three digits, in powers of a thousand."""
    for unit in _UNITS:
        if size < 999.5 or unit == _UNITS[-1]:
            return f"{size:,.3g} {unit}" if size < 999.5 else f"{size:,.0f} {unit}"
        size /= 1000
    raise AssertionError("the last unit takes everything")
