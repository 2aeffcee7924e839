"""What the archive signs reaches its topic over a real broker, each once."""

import asyncio

import pytest
from aiokafka import AIOKafkaProducer

from runtime.checkpoint_relay import TOPIC, last_messages
from runtime.kafka_settings import KafkaSettings, end
from tests.e2e.distributed import ARCHIVE, Casino
from tests.e2e.marks import CASINO
from tests.e2e.players import play

pytestmark = [*CASINO, pytest.mark.timeout(600)]


async def sent(settings: KafkaSettings) -> list[bytes]:
    """Return all messages of the topic, in their order."""
    consumer = settings.reader()
    await consumer.start()
    try:
        return await last_messages(consumer, 10**9)
    finally:
        await end(consumer)


async def test_checkpoints_are_in_the_topic_as_in_the_archive(casino: Casino) -> None:
    """A kill and two stops lie between: none is twice there, and none is missing."""
    for number, leave in enumerate((casino.stop, casino.kill, casino.stop)):
        await play(casino, [f"c{number}"], 2)
        await asyncio.to_thread(casino.wait, ARCHIVE)
        await asyncio.to_thread(leave, ARCHIVE)
        if number < 2:
            casino.start(ARCHIVE)
    where = ("--data", casino.archive)
    shown = casino.run("checkpoints", "show", "--all", "--json", *where)
    messages = await sent(casino.settings)

    assert messages == shown.encode().splitlines()
    assert len(messages) == len(set(messages)) > 4
    lodged = casino.folder / "archive" / "checkpoints.jsonl"
    assert lodged.read_bytes().splitlines() == messages
    verdict = casino.run("verify", "--all", *where, "--checkpoints", str(lodged))
    assert "MATCH: all" in verdict

    await transaction(casino.settings)
    async with asyncio.timeout(60):
        assert await sent(casino.settings) == [*messages, b"{}"]


async def transaction(settings: KafkaSettings) -> None:
    """Whoever may write to the topic can end it with an offset that is no message."""
    producer = AIOKafkaProducer(transactional_id="somebody", **settings.client())
    await producer.start()
    async with producer.transaction():
        await producer.send_and_wait(TOPIC, b"{}", partition=0)
    await producer.stop()
