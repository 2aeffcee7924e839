"""A load test from the first process to the written report."""

from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, time

import msgspec

from contracts.strict import check_nesting
from push22.certify.writing import write_whole
from push22.load.books import Books, audited
from push22.load.driving import Driven, Tell, drive
from push22.load.environment import environment
from push22.load.judgement import busy_before
from push22.load.page import page
from push22.load.places import Casino, Place
from push22.load.report import (
    Report,
    hops_in,
    knee_of,
    seconds_of,
    unmeasured,
    verdict_of,
)
from push22.load.settings import Settings
from push22.load.soak import Observed, Soak, ends_of, soak_of
from push22.load.stored import Stored, stored_in
from push22.load.summary import summary
from push22.load.volumes import in_words

JSON_NAME = "report.json"
PAGE_NAME = "report.html"
SUMMARY_NAME = "report.md"

_EVERYWHERE = "action"
"""The step that every run has: objectives are about it."""


async def load_test(
    where: AbstractAsyncContextManager[Casino],
    settings: Settings,
    out: Path,
    tell: Tell,
) -> Report:
    """Drive, audit, and write the report; what was started here is gone afterwards."""
    found = environment()
    if warning := busy_before(found):
        tell(warning)
    async with where as casino:
        driven = await drive(casino, settings, out, tell)
        await casino.end()
        tell("auditing")
        books = await audited(casino.place, out)
        stored = _stored(casino.place, driven) if settings.is_soak else None
    soak = _soak(driven, books, stored) if settings.is_soak else None
    report = report_from(casino.place, settings, (driven, books, soak), found)
    write(report, out)
    return report


def _stored(place: Place, driven: Driven) -> Stored | None:
    """Count what was recorded between samples, whose clock is not that of records."""
    apart = time() - perf_counter()
    moments = [int(1e6 * (apart + s.at)) for s in ends_of(driven.samples)]
    return stored_in(place.logs, moments)


def _soak(driven: Driven, books: Books, stored: Stored | None) -> Soak:
    p99 = [run.steps["action"].response.p99 for run in driven.runs]
    seen = Observed(
        driven.samples,
        driven.timeline.closed,
        (p99[0], p99[-1]),
        stored,
        "" if books.is_sound else books.line,
    )
    return soak_of(seen)


def report_from(
    place: Place,
    settings: Settings,
    found: tuple[Driven, Books, Soak | None],
    where: dict[str, str],
) -> Report:
    """Put together what a run left; chaos that did not come about fails it."""
    driven, books, soak = found
    is_met, verdict = verdict_of(driven.runs, settings)
    seconds = seconds_of(driven.timeline, driven.samples, driven.begun)
    counted = driven.begun + settings.warm_up_s
    unknown = unmeasured((*place.metrics, *place.pids), seconds)
    return Report(
        books=books,
        verdict=verdict,
        is_met=is_met
        and books.is_sound
        and not (soak and (soak.findings or unknown))
        and (driven.chaos is None or driven.chaos.is_made),
        made_at=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        environment=where,
        casino={
            "door": place.door,
            "broker": place.broker,
            **place.facts,
            **in_words(driven.volumes, rounds=len(driven.timeline.closed)),
        },
        settings=settings,
        runs=tuple(driven.runs),
        knee=knee_of(driven.runs, settings.slo) if settings.is_ramp else None,
        seconds=seconds,
        soak=soak,
        chaos=driven.chaos,
        volumes=driven.volumes,
        idle=driven.idle,
        hops=hops_in(driven.samples, counted, counted + settings.seconds),
        unmeasured=unknown,
    )


def write(report: Report, out: Path) -> None:
    """Write all forms of the report."""
    text = msgspec.json.format(msgspec.json.encode(report), indent=1)
    write_whole(out / JSON_NAME, text)
    write_whole(out / PAGE_NAME, page(report).encode())
    write_whole(out / SUMMARY_NAME, summary(report).encode())


def read(path: Path) -> Report:
    """Read a report's JSON, or that of its directory. Raises OSError or ValueError."""
    file = path / JSON_NAME if path.is_dir() else path
    data = file.read_bytes()
    check_nesting(data)
    report = msgspec.json.decode(data, type=Report)
    for number, run in enumerate(report.runs):
        if _EVERYWHERE not in run.steps:
            raise ValueError(f"runs[{number}].steps: no {_EVERYWHERE}")
    return report
