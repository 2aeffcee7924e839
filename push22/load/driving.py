"""Drives a whole load test at a place: players in, runs, samples, players out."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from push22.client import Key, OperatorClient
from push22.errors import Failure
from push22.given import why
from push22.load.beside import SamplerBeside
from push22.load.chaos import Trouble, troubled
from push22.load.crowd import Crowd, assembled, dismissed
from push22.load.found import Timeline
from push22.load.histograms import write_log
from push22.load.idling import idle_at
from push22.load.places import Casino
from push22.load.report import Idle, Run, is_over, run_of
from push22.load.sampling import Sample
from push22.load.settings import Settings
from push22.load.volumes import Volumes, volumes_of
from services.gateway.signing import OperatorsError, read_operators

Tell = Callable[[str], None]


@dataclass
class Driven:
    """All that a report is made of."""

    begun: float = 0.0
    runs: list[Run] = field(default_factory=list)
    timeline: Timeline = field(default_factory=Timeline)
    samples: list[Sample] = field(default_factory=list)
    chaos: Trouble | None = None
    volumes: Volumes | None = None
    idle: Idle | None = None


async def drive(casino: Casino, settings: Settings, out: Path, tell: Tell) -> Driven:
    """Run every rate, or a ramp up to the first that is too much."""
    key, currency = key_in(Path(casino.place.operators))
    tag = f"ld{secrets.token_hex(3)}"
    async with OperatorClient(casino.place.door, key) as operator:
        tell(f"opening {settings.players} tables")
        names = currency, tag
        visitors = await assembled(operator, casino.place.door, settings, names)
        idle = await idle_at(casino.place, settings.idle_s)
        before = await volumes_of(casino.place)
        crowd, sampler = Crowd(visitors, settings), SamplerBeside(casino.place)
        driven = Driven(perf_counter(), timeline=crowd.timeline, idle=idle)
        trouble = troubled(casino, settings, driven.begun)
        try:
            async with _meanwhile(sampler.run()), trouble as made:
                await _runs(crowd, settings, driven, (out, tell))
        finally:
            await crowd.close()
        ended = (at - driven.begun for at in driven.timeline.closed)
        driven.chaos = made[0].well_by(ended) if made else None
        driven.samples = sampler.samples
        after = await volumes_of(casino.place)
        driven.volumes = after - before if before and after else None
        await dismissed(operator, visitors)
    return driven


@asynccontextmanager
async def _meanwhile(*others: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Do others beside what is done within; they end with it."""
    tasks = [asyncio.create_task(other) for other in others]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    for error in ended:
        if isinstance(error, Exception):
            raise error


async def _runs(
    crowd: Crowd, settings: Settings, driven: Driven, to: tuple[Path, Tell]
) -> None:
    out, tell = to
    for number, rate in enumerate(settings.rates, 1):
        is_cold = number == 1 or settings.is_ramp
        found = await crowd.run(number, rate, settings.warm_up_s if is_cold else 1.0)
        run = run_of(found, settings.slo)
        driven.runs.append(run)
        write_log(out / f"run-{number}.hlog", found.steps, (0.0, found.seconds))
        tell(told(run))
        if settings.is_ramp and is_over(run, settings.slo):
            return


def told(run: Run) -> str:
    """Say what a run found in one line."""
    action = run.steps["action"].response
    text = (
        f"{run.rate:g} rounds/s: achieved {run.achieved:.1f}, due {run.due},"
        f" dropped {run.dropped}, failed {run.failed + run.unfinished};"
        f" action p50 {action.p50:.1f} ms, p99 {action.p99:.1f} ms"
    )
    return text + (f" (not held: {', '.join(run.why_not)})" if run.why_not else "")


def key_in(path: Path) -> tuple[Key, str]:
    """Return the first key and currency of an operators file."""
    try:
        found = read_operators(path.read_bytes())
    except (OSError, OperatorsError) as error:
        reason = why(error) if isinstance(error, OSError) else str(error)
        raise Failure(f"--operators: {path}", reason, 2) from error
    if not found:
        raise Failure(f"--operators: {path}", "names no operator", 2)
    operator = next(iter(found.values()))
    name, secret = next(iter(operator.keys.items()))
    return Key(f"{operator.name}.{name}", secret), min(operator.currencies)
