"""`push22 serve`: run a casino with its gateway, or one service of another."""

import asyncio
import os
import socket
from collections.abc import Coroutine
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import prometheus_client
import uvicorn
from aiokafka.errors import KafkaError
from cyclopts import Parameter
from prometheus_client.registry import REGISTRY

from push22 import component_watch
from push22.bounded_server import BoundedServer
from push22.casino import LOG_NAME, SERVICES
from push22.door.options import DoorOptions
from push22.door.serving import serve_embedded, serve_remote
from push22.errors import Failure
from push22.event_loop import run
from push22.inspect.opening import data_directory
from push22.operator.client import OperatorClient
from push22.operator.settings import load
from push22.service_needs import (
    GATEWAY_PORT,
    PORTS,
    bound,
    keys_of,
    needed_token,
    sources,
)
from push22.shoes_in_use import check_opens
from push22.signing_archive import sign_beside
from push22.watching import Follower, Watching
from runtime import telemetry, tracing
from runtime.ambient import Ambient, KeyRing, SystemClock, SystemEntropy
from runtime.archive_host import ArchiveHost, archive_application
from runtime.distributed import DistributedHost, event_topic
from runtime.gauges import ProjectionLags
from runtime.kafka_reach import check_reach
from runtime.kafka_settings import KafkaSettings
from runtime.kafka_tail import check_tail
from runtime.log import LogError, LogUnavailable
from runtime.log_postgres import PostgresLog
from runtime.mirror import Mirror
from runtime.mirror_mark import refuse_casino
from runtime.projection import Projector
from runtime.pull import Puller
from runtime.relay import Relay
from runtime.service import Service
from runtime.service_app import application
from runtime.sqlite_file import SqliteFile
from runtime.tail_guard import TailGuard
from services.archive import PROJECTIONS

ARCHIVE = "archive"
SHOE = "shoe"
WALLET = "wallet"
GATEWAY = "gateway"
_PLAIN = DoorOptions()
_BY_NAME = {service.name: service for service in SERVICES}


def serve(  # noqa: PLR0913 - each is a place or a way in
    service: str = "",
    /,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    dsn: str = "",
    data: Path | None = None,
    metrics_port: int | None = None,
    lodge: bool = True,
    door: Annotated[DoorOptions, Parameter(name="*")] = _PLAIN,
) -> int:
    """Run a casino with its gateway in this process until it is told to stop.

    With a service's name, run that one over Kafka and PostgreSQL instead; `gateway`
    is the distributed casino's door, and reads rounds from the archive's file.

    Kafka is found by $PUSH22_KAFKA, the sealing keys of the shoe by
    $PUSH22_SEAL_KEYS, other services by $PUSH22_SOURCES, else at their usual ports
    here, and $PUSH22_TOKEN is what services show one another. The wallet, or the
    casino in this process, finds operators' own wallets by $PUSH22_OPERATORS. /live,
    /ready and /records are served over HTTP.

    Parameters
    ----------
    service
        shoe, table-orchestrator, settlement, wallet, desk, archive or gateway.
    host
        The address to listen at.
    port
        The port to listen at: 8022, shoe 8101, table-orchestrator 8102, settlement
        8103, wallet 8104, archive 8105, desk 8106.
    dsn
        The database, as the service's role; else $PUSH22_DSN. The archive has none.
    data
        Where the casino, or the archive's copy, is; else $PUSH22_DATA, else
        ./push22-data.
    metrics_port
        Where the casino or gateway tells Prometheus how it does, at /metrics; a
        service does so at its own port.
    lodge
        The archive sends the checkpoints that it signs to their topic. One archive of
        a casino does; each other one is told --no-lodge.
    door
        What only the gateway needs.

    """
    component_watch.begin(service or "casino")
    place = (host, PORTS.get(service, GATEWAY_PORT) if port is None else port)
    if service in ("", GATEWAY):
        if metrics_port is not None:
            _tell_metrics((host, metrics_port))
        serving = serve_remote if service else serve_embedded
        return _run(service, serving(data_directory(data), place, door))
    if service == ARCHIVE:
        return _run(service, _serve_archive(data_directory(data), place, lodges=lodge))
    found = _BY_NAME.get(service)
    if found is None:
        known = ", ".join((*_BY_NAME, ARCHIVE, GATEWAY))
        raise Failure("serve", f"no service {service!r}: {known}", 2)
    address = dsn or os.environ.get("PUSH22_DSN", "")
    if not address.startswith(("postgresql://", "postgres://")):
        raise Failure("serve", "give --dsn or PUSH22_DSN: postgresql://...", 2)
    return _run(service, _serve(found, address, place))


def _tell_metrics(place: tuple[str, int]) -> None:
    """Serve /metrics apart from the door, which the public reaches."""
    try:
        prometheus_client.start_http_server(place[1], place[0])
    except OSError as error:
        raise Failure(f"{place[0]}:{place[1]}", str(error)) from error


def _run(service: str, serving: Coroutine[Any, Any, None]) -> int:
    try:
        level = telemetry.level_of(os.environ.get(telemetry.LEVEL, ""))
        telemetry.configure(json=True, level=level)
        tracing.begin()
    except ValueError as error:
        serving.close()
        raise Failure("serve", str(error), 2) from error
    try:
        run(serving, speaks_kafka=bool(service))
    except (ValueError, LogError, KafkaError, OSError) as error:
        raise Failure(f"serve {service}".strip(), str(error)) from error
    finally:
        tracing.end()
    return 0


async def _serve_archive(
    directory: Path, place: tuple[str, int], *, lodges: bool
) -> None:
    secret = needed_token()
    kafka = KafkaSettings.from_environment()
    listening = bound(place)
    await check_reach(kafka)
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / LOG_NAME
    refuse_casino(path)
    file = SqliteFile.open(path)
    mirror = Mirror(file)
    projectors = [Projector(p, file, mirror) for p in PROJECTIONS]
    REGISTRY.register(ProjectionLags(projectors))
    puller = Puller(sources(), secret)
    follower = Follower(Watching(SystemClock().now), file, mirror)
    host = ArchiveHost(mirror, (*projectors, follower), kafka, puller)
    sign_beside(host, directory, kafka, lodges=lodges)
    await _listen(archive_application(host, kafka), listening)


async def _serve(service: Service, dsn: str, place: tuple[str, int]) -> None:
    secret, keys = needed_token(), keys_of(service)
    kafka = KafkaSettings.from_environment()
    listening = bound(place)
    await check_reach(kafka)
    log = await PostgresLog.open(dsn, service.name)
    topic = event_topic(service.name).name
    guard = TailGuard(log, partial(check_tail, log, topic, kafka))
    await guard.check()
    if service.name == SHOE:
        await _check_shoes(log, keys, listening)
    holder = f"{socket.gethostname()}-{os.getpid()}"
    operators = load(None) if service.name == WALLET else {}
    caller = OperatorClient(operators) if operators else None
    host = DistributedHost(
        service,
        log,
        Ambient(SystemClock(), SystemEntropy(), keys),
        relay=Relay(log, topic, kafka.producer, holder),
        puller=Puller(sources(), secret),
        guard=guard,
    )
    if caller is not None:
        host.perform_by(caller.perform)
    try:
        await _listen(application(host, kafka, secret), listening, host.fault)
    finally:
        if caller is not None:
            await caller.close()


async def _check_shoes(
    log: PostgresLog, keys: KeyRing, listening: socket.socket
) -> None:
    try:
        await check_opens(log, keys)
    except BaseException:
        listening.close()
        await log.close()
        raise


async def _listen(
    app: Any, listening: socket.socket, fault: asyncio.Future[None] | None = None
) -> None:
    """Serve until a signal, or until a fault that no waiting would mend: raise it."""
    config = uvicorn.Config(
        app,
        log_config=None,
        lifespan="on",
        timeout_graceful_shutdown=5,
    )
    server = BoundedServer(config)
    if fault is not None:
        fault.add_done_callback(lambda _: setattr(server, "should_exit", True))
    await server.serve(sockets=[listening])
    if fault is not None and fault.done():
        await fault
    if not server.started:
        raise LogUnavailable("it did not start; what is printed above says why")
