"""What the subscriber notes as handled, and what it says of a loop that failed."""

import asyncio
from typing import Any

import pytest
from aiokafka import TopicPartition
from aiokafka.errors import (
    ConsumerStoppedError,
    CorruptRecordException,
    KafkaError,
    NoOffsetForPartitionError,
    TopicAuthorizationFailedError,
)
from kafka_toys import Message
from toys import ambient

from runtime.distributed import DistributedHost
from runtime.kafka_settings import KafkaSettings
from runtime.service_app import Feed
from services import settlement

TOPIC = "push22.table.events.v1"
PLACE = TopicPartition(TOPIC, 3)


class Host:
    """A loop that handles everything, fails, or is told to stop."""

    service = settlement.SERVICE

    def __init__(self) -> None:
        self.outcome: bool | Exception = True

    async def on_batch(self, messages: Any) -> bool:
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


def fed() -> tuple[Host, Any]:
    host: Any = Host()
    return host, Feed(host, KafkaSettings("nowhere:1"))


def batch(offset: int) -> list[Message]:
    return [Message(TOPIC, 3, offset, b"", [])]


async def test_what_failed_is_never_noted_as_handled() -> None:
    """The failure ends liveness, so that the record is read again (case 10)."""
    host, feed = fed()
    await feed._on_batch(batch(4))
    host.outcome = RuntimeError("a bug")
    with pytest.raises(RuntimeError):
        await feed._on_batch(batch(5))

    assert feed._handled == {PLACE: 5}
    assert feed.failure is host.outcome


async def test_what_a_stop_cut_short_is_never_noted_as_handled() -> None:
    """Commands have no other position: they would be skipped for good (case 10)."""
    host, feed = fed()
    await feed._on_batch(batch(4))
    host.outcome = False
    await feed._on_batch(batch(5))

    assert feed._handled == {PLACE: 5}
    assert feed.failure is None


class Log:
    """As much of a log as a host asks for before it works."""

    service = "settlement"
    partitions = 8
    incarnation = "first"
    is_shared = True


async def test_a_host_that_stops_does_not_claim_its_batch() -> None:
    """Whoever was told to stop leaves what waits to the next start."""
    log: Any = Log()
    nobody: Any = None
    host = DistributedHost(
        settlement.SERVICE, log, ambient(), relay=nobody, puller=nobody, guard=nobody
    )
    await asyncio.wait_for(host.stop(), 1)

    assert not await host.on_batch([])


class Consumer:
    """Says what goes wrong instead of what came, once; then what came."""

    def __init__(self, error: Exception) -> None:
        self._left: list[Exception] = [error]

    def assignment(self) -> set[TopicPartition]:
        return set()

    async def getmany(self, **how: Any) -> dict[TopicPartition, list[Message]]:
        del how
        if self._left:
            raise self._left.pop()
        return {PLACE: batch(5)}

    async def commit(self, offsets: Any) -> None:
        del offsets


@pytest.mark.parametrize(
    "error",
    [
        KafkaError("Unexpected error during data retrieval"),
        TopicAuthorizationFailedError(TOPIC),
        NoOffsetForPartitionError(PLACE),
        ConsumerStoppedError(),
    ],
)
async def test_what_fetching_more_raises_is_left_to_faststreams_loop(
    error: Exception,
) -> None:
    """The batch in hand is handled; the loop that asks next tries again or ends."""
    _, feed = fed()
    feed._subscriber.consumer = Consumer(error)
    feed._done_at = asyncio.get_running_loop().time() + 60
    await feed._on_batch(batch(4))

    assert feed.failure is None
    assert feed._handled == {PLACE: 5}

    feed._done_at = asyncio.get_running_loop().time() + 60
    await feed._on_batch([])
    assert feed._handled == {PLACE: 6}


@pytest.mark.parametrize(
    "error", [ValueError("a bug"), CorruptRecordException("Invalid CRC")]
)
async def test_what_may_have_lost_records_still_ends_liveness(error: Exception) -> None:
    """Of bytes that are wrong the client tells after it took other partitions'."""
    _, feed = fed()
    feed._subscriber.consumer = Consumer(error)
    feed._done_at = asyncio.get_running_loop().time() + 60
    with pytest.raises(type(error)):
        await feed._on_batch(batch(4))

    assert feed.failure is error
