"""Sends commands to Kafka; whatever goes wrong with a send, the next one is made anew.

A producer that failed or does not answer is given up: an idempotent one may be dead for
good, or wait without end while the broker is away.
"""

import asyncio
from typing import NamedTuple

from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaError

from contracts.identities import partition_of, routing_key
from contracts.topics import Topic
from runtime.kafka_settings import KafkaSettings
from runtime.telemetry import get_logger

_log = get_logger("push22.command_sender")

SEND_S = 5.0
"""A command not acknowledged after so long: the producer is given up."""

_STOP_S = 5.0


class Sent(NamedTuple):
    """A command as it goes out: always these bytes, to the same place."""

    topic: Topic
    stream: str
    body: bytes


class CommandSender:
    """One producer at a time, replaced when it fails."""

    def __init__(self, kafka: KafkaSettings) -> None:
        self._kafka = kafka
        self._producer: AIOKafkaProducer | None = None
        self._lock = asyncio.Lock()

    async def start(self) -> None:
        """Connect; raises KafkaError where no broker answers."""
        await self._connected()

    async def send(self, command: Sent) -> bool:
        """Send once; false: whether it arrived is not known."""
        producer: AIOKafkaProducer | None = None
        try:
            async with asyncio.timeout(SEND_S):
                producer = await self._connected()
                await producer.send_and_wait(
                    command.topic.name,
                    command.body,
                    key=routing_key(command.stream).encode(),
                    partition=partition_of(command.stream, command.topic.partitions),
                )
        except (KafkaError, OSError) as error:
            _log.warning("a command was not acknowledged", error=repr(error))
            await self._give_up(producer)
            return False
        return True

    async def _connected(self) -> AIOKafkaProducer:
        async with self._lock:
            if self._producer is None:
                producer = self._kafka.producer()
                try:
                    await producer.start()
                except BaseException:
                    await _stopped(producer)
                    raise
                self._producer = producer
            return self._producer

    async def _give_up(self, producer: AIOKafkaProducer | None) -> None:
        """Only the one that failed: another command may have made a new one."""
        if producer is None or producer is not self._producer:
            return
        self._producer = None
        await _stopped(producer)

    async def stop(self) -> None:
        await self._give_up(self._producer)


async def _stopped(producer: AIOKafkaProducer) -> None:
    """Its flush may wait for a broker that is away: not for ever."""
    try:
        async with asyncio.timeout(_STOP_S):
            await producer.stop()
    except (KafkaError, OSError) as error:
        _log.warning("a producer did not stop", error=repr(error))
