"""Sends the checkpoints of a mirror's file to their topic, in the order of signing.

Only the archive writes there, one process at a time. How far it got is noted after the
acknowledgement. What a crash left un-noted is looked for at the topic's end, so that
nothing is sent twice and nothing is missing.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from contracts.topics import TOPICS, Kind
from runtime.kafka_settings import KafkaSettings, end
from runtime.log import LogUnavailable
from runtime.sqlite_file import SqliteFile
from runtime.telemetry import get_logger

_log = get_logger("runtime.checkpoint_relay")

TOPIC = next(topic.name for topic in TOPICS if topic.kind is Kind.CHECKPOINTS)
LOOK_S = 1.0
_SENT = "checkpoints_sent"
_PAGE = 500
_SEND_S = 30.0
_LAST_S = 3.0
_NEXT = """
    SELECT number, service || '/' || part, body FROM checkpoints
    WHERE number > ? ORDER BY number LIMIT ?
"""


class Sender(Protocol):
    """What is needed of an idempotent producer with `acks=all`."""

    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    async def send_and_wait(self, topic: str, value: bytes, *, key: bytes) -> Any: ...


Tail = Callable[[int], Awaitable[list[bytes]]]
"""Returns the last messages of the topic, at least so many if there are."""


class CheckpointRelay:
    """Runs beside what signs; a broker that is away is tried again."""

    def __init__(
        self, file: SqliteFile, make: Callable[[], Sender], tail: Tail
    ) -> None:
        self._file = file
        self._make = make
        self._tail = tail
        self._is_stopping = False
        self._there: set[bytes] | None = None

    async def run(self) -> None:
        """Send what is new until `stop`."""
        while not self._is_stopping:
            sender = self._make()
            try:
                await sender.start()
                await self._follow(sender)
            except (KafkaError, LogUnavailable, OSError) as error:
                _log.warning("checkpoints wait to be sent", error=repr(error))
                self._there = None
                await asyncio.sleep(LOOK_S)
            finally:
                await sender.stop()

    async def _follow(self, sender: Sender) -> None:
        while not self._is_stopping:
            if not await self.send(sender):
                await asyncio.sleep(LOOK_S)

    async def send(self, sender: Sender) -> int:
        """Send what is signed and not sent, in order; return how many that were."""
        rows = self._file.query(_NEXT, (self._sent(), _PAGE))
        if rows and self._there is None:
            self._there = set(await self._tail(self._unsent()))
        for number, log, body in rows:
            assert self._there is not None
            if body not in self._there:
                async with asyncio.timeout(_SEND_S):
                    await sender.send_and_wait(TOPIC, body, key=log.encode())
            self._note(number)
        return len(rows)

    async def send_last(self) -> None:
        """Send what was signed at the end; if it can't be, the next one does it."""
        sender = self._make()
        try:
            async with asyncio.timeout(_LAST_S):
                await sender.start()
                while await self.send(sender):
                    pass
        except (KafkaError, LogUnavailable, OSError) as error:
            _log.warning("checkpoints are left for the next start", error=repr(error))
        finally:
            await sender.stop()

    def _sent(self) -> int:
        query = "SELECT value FROM meta WHERE key = ?"
        rows = self._file.query(query, (_SENT,))
        return int(rows[0][0]) if rows else 0

    def _unsent(self) -> int:
        query = "SELECT count(*) FROM checkpoints WHERE number > ?"
        return int(self._file.query(query, (self._sent(),))[0][0])

    def _note(self, number: int) -> None:
        with self._file.transaction() as sql:
            sql.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_SENT, number))

    def stop(self) -> None:
        self._is_stopping = True


async def tail_of(kafka: KafkaSettings, count: int) -> list[bytes]:
    """Read the last messages of the checkpoints' topic. Raises LogUnavailable."""
    consumer = kafka.reader()
    try:
        async with asyncio.timeout(_SEND_S):
            await consumer.start()
            return await last_messages(consumer, count)
    except (KafkaError, OSError) as error:
        why = str(error) or f"no answer within {_SEND_S:.0f} s"
        raise LogUnavailable(f"the end of {TOPIC} can't be read: {why}") from error
    finally:
        await end(consumer)


async def last_messages(consumer: AIOKafkaConsumer, count: int) -> list[bytes]:
    place = TopicPartition(TOPIC, 0)
    consumer.assign([place])
    ends = await consumer.end_offsets([place])
    begins = await consumer.beginning_offsets([place])
    at = max(begins[place], ends[place] - count)
    consumer.seek(place, at)
    found: list[bytes] = []
    # The last offsets may be no messages: a marker of somebody's transaction is none.
    while await consumer.position(place) < ends[place]:
        messages = (await consumer.getmany(place, timeout_ms=1000)).get(place, [])
        found.extend(message.value for message in messages)
    return found
