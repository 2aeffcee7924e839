"""What the subscriber notes as handled, and what it says of a loop that failed."""

import asyncio
from typing import Any

import pytest
from aiokafka import TopicPartition
from aiokafka.errors import ConsumerStoppedError, NodeNotReadyError
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


class Lost:
    """A client whose broker went away while a batch was handled."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.asked = 0

    async def getmany(self, **how: Any) -> Any:
        self.asked += 1
        raise self.error

    def assignment(self) -> set[TopicPartition]:
        return set()


@pytest.mark.parametrize("error", [NodeNotReadyError(), ConsumerStoppedError()])
async def test_what_ails_the_client_is_no_fault_of_the_batch_in_hand(
    error: Exception,
) -> None:
    """It is handled; the subscriber's loop meets the same next, and tries again."""
    _, feed = fed()
    feed._subscriber.consumer = lost = Lost(error)
    feed._done_at = asyncio.get_running_loop().time()

    await feed._on_batch(batch(4))

    assert lost.asked == 1
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
