"""The servers that fixtures lend are real, can be broken, and keep what they had."""

import asyncio
import uuid
from typing import Any

import asyncpg
import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import KafkaConnectionError, UnknownTopicOrPartitionError

from tests.e2e import images
from tests.e2e.conftest import chosen
from tests.e2e.images import AnyKafka, AnyPostgres
from tests.e2e.marks import WHOLE_MACHINE

pytestmark = [*WHOLE_MACHINE, pytest.mark.timeout(300)]
"""A broker needs the whole machine to come up."""

PAUSE_S = 3


async def create(bootstrap: str) -> str:
    """Create a topic that no other test knows; return its name."""
    topic = f"push22.test.{uuid.uuid4().hex}"
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    try:
        await admin.create_topics([NewTopic(topic, 1, 1)])
    finally:
        await admin.close()
    return topic


async def send(bootstrap: str, topic: str, value: bytes) -> None:
    producer = AIOKafkaProducer(
        bootstrap_servers=bootstrap, acks="all", enable_idempotence=True
    )
    try:
        await producer.start()
        await producer.send_and_wait(topic, value)
    finally:
        await producer.stop()


async def receive(bootstrap: str, topic: str) -> bytes | None:
    consumer = AIOKafkaConsumer(
        topic, bootstrap_servers=bootstrap, auto_offset_reset="earliest"
    )
    await consumer.start()
    try:
        return (await asyncio.wait_for(consumer.getone(), 30)).value
    finally:
        await consumer.stop()


async def fetch(dsn: str, sql: str) -> object:
    connection = await asyncpg.connect(dsn, timeout=10)
    try:
        return await connection.fetchval(sql)
    finally:
        await connection.close(timeout=10)


async def comes_within(pending: asyncio.Future[Any], seconds: float) -> bool:
    done, _ = await asyncio.wait([pending], timeout=seconds)
    return bool(done)


async def test_a_record_goes_through_the_shared_broker(kafka: str) -> None:
    """What is produced to a created topic is consumed."""
    topic = await create(kafka)

    await send(kafka, topic, b"carried")

    assert await receive(kafka, topic) == b"carried"


async def test_no_topic_comes_from_a_misspelt_name(kafka: str) -> None:
    """A producer that names an unknown topic is refused; the topic stays unknown."""
    with pytest.raises((UnknownTopicOrPartitionError, KafkaConnectionError)):
        await send_once(kafka, "push22.test.misspelt")

    assert "push22.test.misspelt" not in await topics(kafka)


async def test_the_shared_database_answers(postgres: str) -> None:
    """The dsn leads to an empty database of a server whose commits are durable."""
    assert await fetch(postgres, "SELECT current_database()") == "push22"
    assert await fetch(postgres, "SHOW synchronous_commit") == "on"
    assert await fetch(postgres, "SHOW fsync") == "on"


async def test_a_broker_survives_what_is_done_to_it(own_kafka: AnyKafka) -> None:
    """Killed, paused or stopped, it comes back with its address, topic and record."""
    bootstrap = own_kafka.bootstrap
    topic = await create(bootstrap)
    await send(bootstrap, topic, b"kept")

    own_kafka.kill()
    with pytest.raises(KafkaConnectionError):
        await send(bootstrap, topic, b"lost")
    await asyncio.to_thread(own_kafka.start)
    assert await receive(bootstrap, topic) == b"kept"

    own_kafka.pause()
    asked = asyncio.ensure_future(receive(bootstrap, topic))
    assert not await comes_within(asked, PAUSE_S)
    own_kafka.resume()
    assert await asyncio.wait_for(asked, 60) == b"kept"

    own_kafka.stop()
    await asyncio.to_thread(own_kafka.start)
    assert await receive(bootstrap, topic) == b"kept"


async def test_a_killed_server_keeps_what_was_committed(
    own_postgres: AnyPostgres,
) -> None:
    """Every process of the server is killed at once, and a commit survives."""
    dsn = own_postgres.dsn()
    await fetch(dsn, "CREATE TABLE kept AS SELECT 22 AS value")

    own_postgres.kill()
    with pytest.raises((OSError, asyncpg.PostgresError)):
        await fetch(dsn, "SELECT 1")
    await asyncio.to_thread(own_postgres.start)

    assert await fetch(dsn, "SELECT value FROM kept") == 22


async def test_a_paused_server_answers_when_it_is_resumed(
    own_postgres: AnyPostgres,
) -> None:
    """A session that is open already waits through the pause, too."""
    connection = await asyncpg.connect(own_postgres.dsn(), timeout=10)
    try:
        own_postgres.pause()
        asked = asyncio.ensure_future(connection.fetchval("SELECT 22"))
        assert not await comes_within(asked, PAUSE_S)
        own_postgres.resume()

        assert await asyncio.wait_for(asked, 30) == 22
    finally:
        await connection.close(timeout=10)


def test_skipping_must_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only PUSH22_E2E=skip skips; an engine that is missing is a failure."""
    monkeypatch.setattr(images, "missing", lambda: "no engine")

    monkeypatch.setenv("PUSH22_E2E", "skip")
    with pytest.raises(pytest.skip.Exception):
        chosen()
    monkeypatch.setenv("PUSH22_E2E", "docker")
    with pytest.raises(pytest.fail.Exception, match="no engine"):
        chosen()
    monkeypatch.setenv("PUSH22_E2E", "")
    assert chosen() == "local"


async def send_once(bootstrap: str, topic: str) -> None:
    """Send to a topic that may not exist, without retrying for the usual 40 s."""
    async with AIOKafkaProducer(
        bootstrap_servers=bootstrap, request_timeout_ms=2_000
    ) as producer:
        await producer.send_and_wait(topic, b"misled")


async def topics(bootstrap: str) -> list[str]:
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    try:
        return list(await admin.list_topics())
    finally:
        await admin.close()
