"""`push22 load`: drive a casino by schedule, audit it, and report."""

import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.table import Table

from push22.client import Unreachable
from push22.errors import Failure
from push22.given import unreadable
from push22.inspect.opening import console
from push22.load.comparing import Difference, differences, unlike
from push22.load.histograms import new_histogram
from push22.load.house import distributed
from push22.load.judgement import doubts, last_words, status_of
from push22.load.options import How, Where
from push22.load.places import Casino, elsewhere, embedded
from push22.load.report import Report
from push22.load.settings import Settings
from push22.load.whole import PAGE_NAME, load_test, read
from push22.stopping import run_until_stopped

Action = Literal["run", "compare"]
_ELSEWHERE, _PLAIN = Where(), How()


def load(  # noqa: PLR0913 - the options of two actions
    action: Action = "run",
    before: Path | None = None,
    after: Path | None = None,
    /,
    *,
    out: Path = Path("push22-load"),
    where: Annotated[Where, Parameter(name="*")] = _ELSEWHERE,
    how: Annotated[How, Parameter(name="*")] = _PLAIN,
) -> int:
    """Load a casino with players who arrive by schedule, however it does (open loop).

    Times count from when a step was due. Afterwards the logs are audited and verified;
    what that finds is the report's first line. Exit 1 where it is not sound, a soak
    is not well or chosen chaos did not come about; 3 where only the objective was
    missed.

    compare: print what differs between two reports, and what of it is beyond the
    spread of their runs.

    Parameters
    ----------
    action
        run or compare.
    before
        To compare: a report's directory, or its report.json.
    after
        To compare: the other report.
    out
        Where report.html, .md and .json and the histograms are written.
    where
        Which casino to load.
    how
        How hard, for how long, and what players do.

    """
    if action == "compare":
        return _compare(before, after)
    where.check()
    settings = how.settings(where.chaos)
    new_histogram()
    out.mkdir(parents=True, exist_ok=True)
    return run_until_stopped(_run(_casino(where, settings), settings, out))


def _casino(where: Where, settings: Settings) -> AbstractAsyncContextManager[Casino]:
    if where.embedded:
        return embedded(settings.players)
    return distributed() if where.broker else elsewhere(where.place())


async def _run(
    casino: AbstractAsyncContextManager[Casino], settings: Settings, out: Path
) -> int:
    try:
        report = await load_test(casino, settings, out, _tell)
    except Unreachable as error:
        raise Failure("the door", f"nobody answers: {error}", exit_code=2) from error
    _tell("")
    _tell(report.books.line)
    if report.books.evidence:
        _tell(f"evidence: {report.books.evidence}")
    if report.chaos:
        _tell(f"chaos: {report.chaos.line}")
    _tell(report.verdict)
    for line in report.soak.lines if report.soak else ():
        _tell(f"soak: {line.verdict}: {line}")
    if settings.is_ramp:
        knee = "below the first rate" if report.knee is None else f"{report.knee:g}"
        _tell(f"knee: {knee}")
    for doubt in doubts(report):
        _tell(doubt)
    _tell(f"report: {out / PAGE_NAME}")
    _tell(last_words(report))
    return status_of(report)


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _compare(before: Path | None, after: Path | None) -> int:
    if before is None or after is None:
        raise Failure("compare", "name two reports", exit_code=2)
    old, new = _read(before), _read(after)
    out = console()
    for report, path in ((old, before), (new, after)):
        out.print(f"{path}: {report.books.line}")
    table = Table(box=None, padding=(0, 1), pad_edge=False)
    for head in ("rate", "figure", "before", "after", "", "beyond spread"):
        is_text = head in ("figure", "beyond spread")
        table.add_column(head, justify="left" if is_text else "right")
    found = differences(old, new)
    for difference in found:
        table.add_row(*_row(difference))
    out.print(table)
    if not found:
        out.print("no rate is in both")
    for line in unlike(old, new):
        out.print(f"also unlike: {line}")
    return 0


def _row(difference: Difference) -> tuple[str, ...]:
    percent = difference.percent
    beyond = {True: "YES", False: "no", None: "not known: one run"}
    return (
        f"{difference.rate:g}/s",
        difference.name,
        _span(difference.before),
        _span(difference.after),
        "" if percent is None else f"{percent:+.0f} %",
        beyond[difference.is_beyond_spread],
    )


def _span(values: tuple[float, ...]) -> str:
    low, high = f"{min(values):,.1f}", f"{max(values):,.1f}"
    return low if low == high else f"{low} to {high}"


def _read(path: Path) -> Report:
    try:
        return read(path)
    except OSError as error:
        raise unreadable(path, error) from error
    except ValueError as error:
        raise Failure(str(path), f"is no load report: {error}", exit_code=2) from error
