"""`push22 topics`: make the topics of the casino in Kafka, or fill them again."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

from aiokafka.errors import KafkaError

from push22.casino import LOG_NAME, SERVICES
from push22.errors import Failure
from push22.kafka_rights import commands, rights
from runtime.distributed import event_topic
from runtime.kafka_reach import check_reach
from runtime.kafka_settings import KafkaSettings
from runtime.log import LogError
from runtime.log_postgres import PostgresLog
from runtime.refill import FileLog, Filled, refill
from runtime.sqlite_file import SqliteFile
from runtime.topics_admin import Told, make_topics

_NAMES = [service.name for service in SERVICES]


def topics(  # noqa: PLR0913 - each says what, or where
    action: Literal["make", "refill", "rights"] = "make",
    /,
    *,
    replicas: int = 1,
    alter: bool = False,
    service: list[str] | None = None,
    dsn: str = "",
    data: Path | None = None,
    prefix: str = "push22-",
) -> int:
    """Make the topics that are missing in Kafka and check the others; or refill them.

    A topic that is there is told apart from what it should be, and is UNSAFE where it
    may lose or refuse records: then the exit code is 1. Nothing of it is changed.

    rights: print the commands that give each service's account of Kafka what its work
    needs, and nothing else.

    refill: send all records of the logs to the event topics again, in order and as
    they were, when Kafka has lost them. Readers drop what they have already.

    Kafka is found by $PUSH22_KAFKA, host:port[,host:port...], and the variables
    _USERNAME, _PASSWORD and _CA of the same name.

    Parameters
    ----------
    action
        make, refill or rights.
    replicas
        On how many brokers each new topic is kept, and each other one at least.
    alter
        Set right what is unsafe of a topic that is there, where a setting does so: it
        keeps more and takes more, never less. Partitions and copies stay as they are.
    service
        Refill only this service's topic, and again for more of them.
    dsn
        Where the logs are, as a role that may read them all: postgresql://...; else
        $PUSH22_DSN.
    data
        Instead: the archive's directory, to refill from its file.
    prefix
        For rights: what an account's name has before the service's.

    """
    if action == "rights":
        sys.stdout.writelines(f"{x}\n" for x in commands(rights(SERVICES), prefix))
        return 0
    chosen = service or _NAMES
    if unknown := sorted(set(chosen) - set(_NAMES)):
        raise Failure("topics", f"no service {', '.join(unknown)}", 2)
    address = dsn or os.environ.get("PUSH22_DSN", "")
    if action == "refill" and data is None and not address:
        raise Failure("topics", "give --dsn, PUSH22_DSN or the archive's --data", 2)
    try:
        settings = KafkaSettings.from_environment()
        asyncio.run(check_reach(settings))
        if action == "make":
            made = make_topics(settings, replicas=replicas, alter=alter)
            return _shown(asyncio.run(made))
        lines = asyncio.run(_refill(settings, chosen, data or address))
    except (ValueError, LogError, KafkaError, OSError) as error:
        raise Failure("topics", str(error) or "no answer in time") from error
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return 0


def _shown(told: list[Told]) -> int:
    sys.stdout.writelines(f"{x.line}\n" for x in told)
    return 1 if any(x.is_unsafe for x in told) else 0


async def _refill(
    kafka: KafkaSettings, services: list[str], where: Path | str
) -> list[str]:
    producer = kafka.producer()
    lines = []
    try:
        await producer.start()
        for name in services:
            topic = event_topic(name)
            async with _opened(where, name) as log:
                sent = await refill(log, topic, producer)
            lines.append(f"{topic.name}: {sent:,} records sent")
    finally:
        await producer.stop()
    return lines


@asynccontextmanager
async def _opened(where: Path | str, service: str) -> AsyncIterator[Filled]:
    if isinstance(where, Path):
        file = SqliteFile.open(where / LOG_NAME, read_only=True)
        try:
            yield FileLog(file, service)
        finally:
            file.close()
        return
    log = await PostgresLog.open(where, service, connections=1)
    try:
        yield log
    finally:
        await log.close()
