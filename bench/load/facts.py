"""What a casino under load runs on, asked of the servers that were started for it."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import asyncpg
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType

from contracts.topics import TOPICS, Kind
from runtime.kafka_settings import SENDING, KafkaSettings
from tests.e2e import images
from tests.e2e.brokers import ROOT
from tests.e2e.distributed import Casino

_BOUND_S = 30
_EVENTS = tuple(topic.name for topic in TOPICS if topic.kind is Kind.EVENTS)
_IN_STEP = "min.insync.replicas"
_DURABLE = ("fsync", "synchronous_commit", "full_page_writes")


def facts(casino: Casino) -> dict[str, str]:
    """Return them in words; what can't be asked raises, and is never made up."""
    return {
        "kafka": _kafka(casino.kafka),
        "postgres": asyncio.run(asked(casino.dsn, ("server_version",))),
        "delivery": asyncio.run(_delivery(casino.settings)),
        "durability": f"PostgreSQL: {asyncio.run(asked(casino.dsn, _DURABLE))}",
    }


def _kafka(server: object) -> str:
    """Name the container's image, or the jars that the local broker was started by."""
    if isinstance(server, images.Kafka):
        return f"image {images.image_of('KAFKA_IMAGE')}"
    libs = ROOT / (os.environ.get("PUSH22_KAFKA_LIBS") or "build/kafka/libs")
    return jars_in(libs)


def jars_in(libs: Path) -> str:
    """A broker ran from there, so its jar is there."""
    return ", ".join(sorted(jar.stem for jar in libs.glob("kafka_*.jar")))


async def asked(dsn: str, settings: Sequence[str]) -> str:
    """Return what the server says of its settings."""
    connection = await asyncpg.connect(dsn, timeout=_BOUND_S)
    try:
        found = [
            (name, await connection.fetchval("SELECT current_setting($1)", name))
            for name in settings
        ]
    finally:
        await connection.close()
    return ", ".join(f"{name} {value}" for name, value in found)


async def _delivery(kafka: KafkaSettings) -> str:
    admin = AIOKafkaAdminClient(**kafka.client())
    try:
        await admin.start()
        return await delivery(admin)
    finally:
        await admin.close()


async def delivery(admin: Any) -> str:
    """Tell of brokers, of the fewest copies, and of what records are sent with."""
    brokers = len((await admin.describe_cluster())["brokers"])
    copies = min(
        len(part["replicas"])
        for topic in await admin.describe_topics(list(_EVENTS))
        for part in topic["partitions"]
    )
    wanted = [ConfigResource(ConfigResourceType.TOPIC, name) for name in _EVENTS]
    in_step = min(
        int(entry[1])
        for response in await admin.describe_configs(wanted)
        for resource in response.resources
        for entry in resource[4]
        if entry[0] == _IN_STEP
    )
    sent = ", ".join(f"{name}={SENDING[name]}" for name in _SENT_WITH)
    return f"brokers {brokers}, replicas {copies}, {_IN_STEP} {in_step}; {sent}"


_SENT_WITH = ("acks", "enable_idempotence", "linger_ms")
