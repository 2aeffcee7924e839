"""What services of the distributed casino set aside, in their logs in PostgreSQL."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from push22.casino import SERVICES
from push22.errors import Failure
from push22.inspect.set_aside import SetAside
from push22.service_needs import keys_of
from runtime import parked as aside
from runtime.ambient import Ambient, SystemClock, SystemEntropy
from runtime.bus_kafka import KafkaBus
from runtime.handle import Worker
from runtime.log_postgres import PostgresLog

_SESSIONS = "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1"

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
    # Before anything else: what a fresh key sealed, nobody could open again.
    service = _BY_NAME[item.service]
    ambient = Ambient(SystemClock(), SystemEntropy(), keys_of(service))
    async with _stopped(dsn, item.service) as log:
        bus = KafkaBus(log, service.sources, log.partitions)
        worker = Worker(service, log, bus, ambient)
        await worker.start()
        return await aside.retry(worker, item.stream)


async def discard(dsn: str, item: SetAside, *, by: str, why: str) -> None:
    """Give up one input; who decided so and why stays on record."""
    async with _stopped(dsn, item.service) as log:
        await log.resolve_parked(item.id, "discarded", by, why)


@asynccontextmanager
async def _stopped(dsn: str, service: str) -> AsyncIterator[PostgresLog]:
    """The log of a service that does not run: it would not hear of what changes."""
    log = await PostgresLog.open(dsn, service, connections=2)
    try:
        await _refuse_running(log)
        yield log
    finally:
        await log.close()


async def _refuse_running(log: PostgresLog) -> None:
    """Each process that has the log open has sessions of the schema's name."""
    ((sessions,),) = await log.database.fetch(_SESSIONS, log.database.schema)
    if sessions > log.database.sessions:
        raise Failure(log.service, "it is running: stop all instances of it first")
