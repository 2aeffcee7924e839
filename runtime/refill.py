"""Fills topics again from the logs, for a Kafka that has lost them (law 1).

Every record in log order, byte for byte with the same headers, each batch acknowledged
before the next. What a reader has already, it drops by offset.
"""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from contracts import catalog
from contracts.topics import Topic
from runtime.kafka_records import headers_of, key_of
from runtime.log import LogError, Record
from runtime.relay import SEND_S, Producer
from runtime.sqlite_file import SqliteFile

BATCH_MAX = 500


class OtherPartitions(LogError):
    """A log has not as many partitions as its topic: a record has no place there."""


class Filled(Protocol):
    """A log that is read from its beginning."""

    @property
    def service(self) -> str: ...
    @property
    def partitions(self) -> int: ...

    async def read(self, partition: int, after: int, limit: int) -> list[Record]: ...


class FileLog:
    """A service's log as a mirror's file has it."""

    def __init__(self, file: SqliteFile, service: str) -> None:
        query = "SELECT count(*) FROM heads WHERE service = ?"
        self._file = file
        self.service = service
        self.partitions = int(file.query(query, (service,))[0][0])

    async def read(self, partition: int, after: int, limit: int) -> list[Record]:
        return self._file.records_of_log(self.service, partition, after, limit)


async def refill(log: Filled, topic: Topic, producer: Producer) -> int:
    """Send all records of a log to its topic; return how many there were."""
    if log.partitions != topic.partitions:
        raise OtherPartitions(
            f"{log.service} has {log.partitions} partitions,"
            f" {topic.name} {topic.partitions}"
        )
    sent = 0
    for part in range(log.partitions):
        after = 0
        while records := await log.read(part, after, BATCH_MAX):
            await _send(producer, topic.name, records)
            after = records[-1].offset
            sent += len(records)
    return sent


async def _send(producer: Producer, topic: str, records: Sequence[Record]) -> None:
    async with asyncio.timeout(SEND_S):
        waiting = [
            await producer.send(
                topic,
                record.body,
                key=key_of(record),
                partition=record.partition,
                headers=headers_of(record, catalog.decode_envelope(record.body)),
            )
            for record in records
        ]
        for acknowledged in waiting:
            await acknowledged
