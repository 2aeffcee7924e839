"""The load report as one HTML page: audit and objective, then figures and plots."""

from collections import Counter
from html import escape
from math import log10

import msgspec

from push22.certify import html
from push22.certify.style import STYLE
from push22.load import plots
from push22.load.histograms import STEPS, Times
from push22.load.judgement import doubts, meets_objective
from push22.load.report import Report, Run, Second, errors_in

_MEAN_S = 5
_ABOUT_RESPONSE = (
    "Response time counts from when the schedule had a step due, service time from "
    "when it was sent; both end when the player's side knows. Milliseconds. The "
    "warm-up is not counted."
)
_ABOUT_LEAVING = (
    "Achieved are rounds that closed, or whose player left in the middle as planned. A "
    "round that finds no free player within a second is dropped."
)
_OWN_STYLE = """
.books { padding: 10px 14px; margin: 0 0 18px; font-weight: 600; max-width: none;
  border-left: 6px solid #2f7d3b; background: var(--green); }
.books.wrong { border-color: var(--mark); background: #f6dcdf; color: var(--mark); }
header .busy { color: var(--mark); font-weight: 600; max-width: none; }
svg .span { stroke: var(--mark); stroke-width: 1.5; stroke-dasharray: 5 3; }
svg .goal { stroke: var(--mark); stroke-width: 2; }
figcaption b { margin-left: 14px; }
"""


def page(report: Report) -> str:
    """Return the whole report: no address, no script, nothing to fetch."""
    parts = (
        _banner(report),
        _header(report),
        _tiles(report),
        html.section("1  Runs", html.note(_ABOUT_LEAVING), _runs(report)),
        _steps(report),
        _over_time(report),
        _soak(report),
        _what_happened(report),
        _where(report),
    )
    body = "\n".join(part for part in parts if part)
    style = STYLE + plots.STYLE + _OWN_STYLE
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>Load test</title>\n<style>{style}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _banner(report: Report) -> str:
    """Say the verdicts alike: a missed objective is as loud as a violation."""
    lines = [(report.books.line, report.books.is_sound)]
    if report.books.evidence:
        lines.append((f"Evidence: {report.books.evidence}", False))
    if report.chaos and not report.chaos.is_made:
        lines.append((report.chaos.line, False))
    lines.append((report.verdict, meets_objective(report)))
    return "\n".join(
        f'<p class="{"books" if is_well else "books wrong"}">{escape(line)}</p>'
        for line, is_well in lines
    )


def _header(report: Report) -> str:
    settings = report.settings
    kind = "Soak" if settings.is_soak else "Ramp" if settings.is_ramp else "Load test"
    chaos = f", with {report.chaos.line}" if report.chaos else ""
    line = f"{settings.players} players, {report.made_at}{chaos}."
    warning = "".join(
        f'<p class="busy">{escape(_sentence(doubt))}</p>\n' for doubt in doubts(report)
    )
    return f"<header>\n<h1>{kind}</h1>\n{warning}<p>{escape(line)}</p>\n</header>"


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _tiles(report: Report) -> str:
    best = _told_run(report)
    action = best.steps["action"].response
    which = report.runs.index(best) + 1
    of_run = f", run {which} of {len(report.runs)}" if len(report.runs) > 1 else ""
    asked = f"of {best.rate:g} rounds/s asked for{of_run}"
    found = {
        "Achieved": (f"{best.achieved:.1f}/s", asked),
        "Action, p50": (f"{action.p50:.1f} ms", f"goal {report.settings.slo.p50_ms:g}"),
        "Action, p99": (f"{action.p99:.1f} ms", f"goal {report.settings.slo.p99_ms:g}"),
        "Dropped": (f"{best.dropped:,}", f"of {best.due:,} rounds"),
    }
    if report.settings.is_ramp:
        knee = "none" if report.knee is None else f"{report.knee:g}/s"
        found["Knee"] = (knee, "the highest rate it held")
    return html.tiles(found)


def _told_run(report: Report) -> Run:
    """The run that a ramp's knee is, or else the one in the middle by its p99."""
    for run in report.runs:
        if report.settings.is_ramp and run.rate == report.knee:
            return run
    ordered = sorted(report.runs, key=lambda run: run.steps["action"].response.p99)
    return ordered[len(ordered) // 2]


def _runs(report: Report) -> str:
    rows = []
    for number, run in enumerate(report.runs, 1):
        action = run.steps["action"].response
        counts = (run.due, run.closed, run.left, run.dropped, run.failed)
        rows.append(
            (
                f"{number}: {run.rate:g}/s",
                *(f"{count:,}" for count in (*counts, run.unfinished)),
                f"{run.achieved:.1f}/s",
                f"{100 * run.share:.1f} %",
                f"{action.p50:.1f}",
                f"{action.p99:.1f}",
                "yes" if run.is_held else "no",
            )
        )
    heads = ("run", "due", "closed", "left", "dropped", "failed", "unfinished")
    more = ("achieved", "share", "p50", "p99", "meets goal")
    return html.grid((*heads, *more), rows) + _spread(report)


def _spread(report: Report) -> str:
    """Say how far equal runs lie apart: less than that is no difference."""
    alike = [run.steps["action"].response for run in report.runs]
    if report.settings.is_ramp:
        lines = {
            "p50": [(r.rate, r.steps["action"].response.p50) for r in report.runs],
            "p99": [(r.rate, r.steps["action"].response.p99) for r in report.runs],
        }
        if len(report.runs) < 2:
            return ""
        title = "Action to event, milliseconds"
        return plots.by_rate(lines, title, lambda value: f"{value:g}")
    if len(alike) < 2:
        return html.note("One run: nothing is known of the spread.")
    p50, p99 = [run.p50 for run in alike], [run.p99 for run in alike]
    return html.note(
        f"Spread over {len(alike)} runs: p50 {min(p50):.1f} to {max(p50):.1f} ms, "
        f"p99 {min(p99):.1f} to {max(p99):.1f} ms."
    )


def _steps(report: Report) -> str:
    run = _told_run(report)
    number = report.runs.index(run) + 1
    rows = []
    for name, times in run.steps.items():
        rows += _step_rows(name, times)
    rows += _step_rows("late start", run.late)[:1]
    heads = ("step", "count", "p50", "p95", "p99", "p99.9", "max")
    slo = report.settings.slo
    goals = {"goal p50": (-log10(0.5), slo.p50_ms), "goal p99": (2.0, slo.p99_ms)}
    return html.section(
        f"2  Times of run {number}, {run.rate:g} rounds/s",
        html.note(_ABOUT_RESPONSE),
        html.grid(heads, rows),
        plots.latencies(dict(run.curves), goals),
        html.facts(STEPS | {"late start": "the schedule's own delay, of this program"}),
    )


def _step_rows(name: str, times: Times) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for kind, found in (("response", times.response), ("service", times.service)):
        if not found.count or (rows and found == times.response):
            continue
        values = (found.p50, found.p95, found.p99, found.p999, found.max)
        figures = (f"{value:,.1f}" for value in values)
        label = name if kind == "response" else f"{name}, service"
        rows.append((label, f"{found.count:,}", *figures))
    return rows


def _over_time(report: Report) -> str:
    seconds, span = report.seconds, _span(report)
    rates = {
        "due": _mean([(s.at, s.due) for s in seconds]),
        "closed or left": _mean([(s.at, s.closed) for s in seconds]),
        "dropped": _mean([(s.at, s.dropped) for s in seconds]),
    }
    parts = [
        plots.over_time(rates, "Rounds a second, mean of five seconds", _plain, span),
    ]
    sampled = [second for second in seconds if second.cpu]
    for field, title in (("cpu", "Processor, cores"), ("rss_mib", "Memory, MiB")):
        if sampled:
            lines = _by_process(sampled, field)
            parts.append(plots.over_time(lines, title, _plain, span))
    lag = [(s.at, s.lag_s) for s in sampled]
    backlog = [(s.at, s.backlog) for s in sampled]
    parts.append(_or_note(lag, "Lag, seconds", span))
    parts.append(_or_note(backlog, "Relays' backlog", span))
    return html.section("3  Over time", *parts, _garbage(seconds))


def _span(report: Report) -> plots.Span | None:
    """Say when something was broken on purpose."""
    chaos = report.chaos
    if chaos is None or not chaos.is_made:
        return None
    return plots.Span(chaos.kind, chaos.made_at, chaos.over_at)


def _or_note(
    points: list[tuple[float, float]], title: str, span: plots.Span | None
) -> str:
    """A plot of nothing says less than a word."""
    if not points:
        return ""
    if not any(value for _, value in points):
        return html.note(f"{title}: 0 in every sample.")
    return plots.over_time({"highest": points}, title, _plain, span)


def _plain(value: float) -> str:
    return f"{value:g}" if value < 1000 else f"{value:,.0f}"


def _mean(points: list[tuple[float, int]]) -> list[tuple[float, float]]:
    found = []
    for place, (at, _) in enumerate(points):
        around = [y for _, y in points[max(0, place - _MEAN_S + 1) : place + 1]]
        found.append((at, sum(around) / len(around)))
    return found


def _by_process(seconds: list[Second], field: str) -> plots.Lines:
    lines: dict[str, list[tuple[float, float]]] = {}
    for second in seconds:
        for name, value in getattr(second, field).items():
            lines.setdefault(name, []).append((second.at, value))
    return dict(lines)


def _garbage(seconds: tuple[Second, ...]) -> str:
    told = [second.collections for second in seconds if second.collections]
    if not told:
        return ""
    made = ", ".join(
        f"{name} {count - told[0].get(name, count):,}"
        for name, count in told[-1].items()
        if count
    )
    return html.note(f"Garbage collections: {made}.")


def _soak(report: Report) -> str:
    soak = report.soak
    if soak is None:
        return ""
    rows = {line.what: f"{line.verdict}: {line.seen}" for line in soak.lines}
    title = f"What {60 * soak.hours:.0f} minutes show"
    return html.section(title, html.facts(rows))


def _what_happened(report: Report) -> str:
    actions: Counter[str] = Counter()
    for run in report.runs:
        actions.update(run.actions)
    did = ", ".join(f"{count:,} {name}" for name, count in sorted(actions.items()))
    wrong = {name: f"{count:,}" for name, count in errors_in(report.runs).items()}
    return html.section(
        "4  What players did, and errors by reason",
        html.note(f"{did}."),
        html.facts(wrong) if wrong else html.note("No errors."),
    )


def _told(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {inner:g}" for name, inner in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(f"{each:g}" for each in value)
    return str(value) if value != "" else "-"


def _where(report: Report) -> str:
    settings = msgspec.to_builtins(report.settings)
    rest = {name.replace("_", " "): _told(value) for name, value in settings.items()}
    return html.section(
        "5  Where and how",
        html.facts(report.environment, fixed=True),
        html.facts(report.casino),
        html.facts(rest),
        html.note(f"The audit took {report.books.took_s:.1f} s."),
    )
