"""What services of the distributed casino set aside, in their logs in PostgreSQL."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from push22.casino import SERVICES
from push22.errors import Failure
from push22.inspect.set_aside import SetAside
from runtime import parked as aside
from runtime.ambient import Ambient, KeyRing, SystemClock, SystemEntropy
from runtime.bus_kafka import KafkaBus
from runtime.handle import Worker
from runtime.log_postgres import PostgresLog

RUNS_US = 5_000_000
"""A service says so often that it is alive: silent for longer, it is stopped."""

_BY_NAME = {service.name: service for service in SERVICES}


async def waiting(dsn: str) -> list[SetAside]:
    """Return what waits in the logs of all services, as a role that may read them."""
    found: list[SetAside] = []
    for service in SERVICES:
        log = await PostgresLog.open(dsn, service.name, connections=1)
        try:
            found += [
                SetAside(
                    item.id,
                    service.name,
                    item.stream,
                    item.kind,
                    item.source,
                    item.reason,
                    item.parked_at,
                    item.body,
                )
                for item in await log.parked()
            ]
        finally:
            await log.close()
    return found


async def retry(dsn: str, item: SetAside) -> tuple[int, str]:
    """Handle what waits for the same stream; see `runtime.parked.retry`."""
    async with _worker(dsn, item.service) as worker:
        return await aside.retry(worker, item.stream)


async def discard(dsn: str, item: SetAside, *, by: str, why: str) -> None:
    """Give up one input; who decided so and why stays on record."""
    async with _worker(dsn, item.service) as worker:
        await aside.discard(worker, item.id, by=by, why=why)


@asynccontextmanager
async def _worker(dsn: str, name: str) -> AsyncIterator[Worker]:
    """The loop of a service that does not run: it would not hear of what changes."""
    service = _BY_NAME[name]
    log = await PostgresLog.open(dsn, name, connections=2)
    try:
        clock = SystemClock()
        if clock.now() - await log.alive_at() < RUNS_US:
            raise Failure(name, "it is running: stop all instances of it first")
        ambient = Ambient(clock, SystemEntropy(), KeyRing.from_environment())
        bus = KafkaBus(log, service.sources, log.partitions)
        worker = Worker(service, log, bus, ambient)
        await worker.start()
        yield worker
    finally:
        await log.close()
