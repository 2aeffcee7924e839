"""A load report in a page of Markdown: short enough to be kept beside the code."""

from collections.abc import Sequence

from push22.load.histograms import Times
from push22.load.judgement import doubts
from push22.load.report import Report, Run, errors_in


def summary(report: Report) -> str:
    """Return the audit, the verdicts and the runs, and where that was."""
    settings = report.settings
    kind = "Soak" if settings.is_soak else "Load test"
    parts = [
        f"# {kind} of {report.made_at}",
        report.books.line,
        *(f"**{doubt}**" for doubt in doubts(report)),
        f"{report.verdict}. {settings.players} players.",
        *([f"Chaos: {report.chaos.line}."] if report.chaos else []),
        *_soak(report),
        _runs(report.runs),
        _errors(report.runs),
        _where(report),
    ]
    return "\n\n".join(parts) + "\n"


def _soak(report: Report) -> list[str]:
    soak = report.soak
    if soak is None:
        return []
    rows = [(line.what, line.seen, line.verdict) for line in soak.lines]
    about = (
        "Memory is Theil and Sen's slope of the last three quarters, with the bounds of"
        " 95 %; the log's bytes are those of its two halves."
    )
    head = ("looked at", f"seen in {60 * soak.hours:.0f} minutes", "verdict")
    return [_table(head, rows), about]


def _runs(runs: tuple[Run, ...]) -> str:
    head = ("run", "rounds/s", "due", "dropped", "failed", "p50", "p99", "p99 late")
    rows = [(str(n), *_figures(run)) for n, run in enumerate(runs, 1)]
    return _table(head, rows)


def _figures(run: Run) -> tuple[str, ...]:
    action: Times = run.steps["action"]
    return (
        f"{run.achieved:.1f}",
        f"{run.due:,}",
        f"{run.dropped:,}",
        f"{run.failed + run.unfinished:,}",
        f"{action.response.p50:.1f}",
        f"{action.response.p99:.1f}",
        f"{run.late.response.p99:.1f}",
    )


def _errors(runs: tuple[Run, ...]) -> str:
    counts = errors_in(runs).most_common()
    told = ", ".join(f"{reason} {count:,}" for reason, count in counts)
    return f"Errors: {told or 'none'}."


def _where(report: Report) -> str:
    found = {**report.environment, **report.casino}
    found.pop("door", None)
    return _table(("where", ""), list(found.items()))


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
