"""`push22 serve`: run one service of the distributed casino."""

import asyncio
import os
import socket

import uvicorn
from aiokafka.errors import KafkaError

from push22.casino import SERVICES
from push22.errors import Failure
from runtime import telemetry
from runtime.ambient import Ambient, KeyRing, SystemClock, SystemEntropy
from runtime.distributed import DistributedHost, event_topic
from runtime.kafka_settings import KafkaSettings
from runtime.kafka_tail import check_tail
from runtime.log import LogError
from runtime.log_postgres import PostgresLog
from runtime.pull import PORT, Puller, addresses, token
from runtime.relay import Relay
from runtime.service import Service
from runtime.service_app import application

_BY_NAME = {service.name: service for service in SERVICES}


def serve(
    service: str, /, *, host: str = "127.0.0.1", port: int = PORT, dsn: str = ""
) -> int:
    """Run one service over Kafka and PostgreSQL until it is told to stop.

    Kafka is found by $PUSH22_KAFKA, the sealing keys of the shoe by
    $PUSH22_SEAL_KEYS, other services by $PUSH22_SOURCES, and $PUSH22_TOKEN is what
    services show one another. /live, /ready and /records are served over HTTP.

    Parameters
    ----------
    service
        shoe, table-orchestrator, settlement or wallet.
    host
        The address to listen at.
    port
        The port to listen at.
    dsn
        The database, as the service's role; else $PUSH22_DSN.

    """
    found = _BY_NAME.get(service)
    if found is None:
        raise Failure("serve", f"no service {service!r}: {', '.join(_BY_NAME)}", 2)
    address = dsn or os.environ.get("PUSH22_DSN", "")
    if not address.startswith(("postgresql://", "postgres://")):
        raise Failure("serve", "give --dsn or PUSH22_DSN: postgresql://...", 2)
    telemetry.configure(json=True)
    try:
        asyncio.run(_serve(found, address, (host, port)))
    except (ValueError, LogError, KafkaError, OSError) as error:
        raise Failure(f"serve {service}", str(error)) from error
    return 0


async def _serve(service: Service, dsn: str, place: tuple[str, int]) -> None:
    kafka = KafkaSettings.from_environment()
    log = await PostgresLog.open(dsn, service.name)
    topic = event_topic(service.name).name
    await check_tail(log, topic, kafka)
    holder = f"{socket.gethostname()}-{os.getpid()}"
    secret = token()
    app = application(
        DistributedHost(
            service,
            log,
            Ambient(SystemClock(), SystemEntropy(), _keys()),
            relay=Relay(log, topic, kafka.producer, holder),
            puller=Puller(addresses(), secret),
        ),
        kafka,
        secret,
    )
    config = uvicorn.Config(
        app,
        host=place[0],
        port=place[1],
        log_level="warning",
        lifespan="on",
        timeout_graceful_shutdown=5,
    )
    await uvicorn.Server(config).serve()


def _keys() -> KeyRing:
    """Only the environment holds keys here: a container's files are not kept."""
    return KeyRing.from_environment()
