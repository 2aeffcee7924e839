"""Each batch that came from Kafka is counted once, and nothing that brought none."""

import asyncio
from typing import Any

from toys import ambient

from push22.remote import RemoteHost
from runtime.archive_host import ArchiveHost
from runtime.distributed import DistributedHost
from runtime.kafka_records import Beacon
from runtime.kafka_settings import KafkaSettings
from runtime.mirror import Mirror
from runtime.sqlite_file import MEMORY, SqliteFile
from services.settlement import SERVICE as SETTLEMENT
from tests.measured import measured
from tests.runtime.test_service_app import Log

_BEACON = Beacon("shoe", "first", 0, 0, b"")


def counted(service: str) -> float:
    return measured("push22_batches_total", service=service)


async def test_a_service_counts_what_it_takes_at_once() -> None:
    """However many messages are in it."""
    log: Any = Log()
    nobody: Any = None
    host = DistributedHost(
        SETTLEMENT, log, ambient(), relay=nobody, puller=nobody, guard=nobody
    )
    await asyncio.wait_for(host.stop(), 1)
    before = counted("settlement")
    for _ in range(2):
        await host.on_batch([])

    assert counted("settlement") == before + 2


async def test_the_archive_counts_no_poll_that_found_nothing() -> None:
    """It polls whether anything came or not."""
    file = SqliteFile.open(MEMORY)
    nobody: Any = None
    host = ArchiveHost(Mirror(file), [], KafkaSettings("nowhere:1"), nobody)
    before = counted("archive")
    await host.take([])
    await host.take([_BEACON, _BEACON])
    file.close()

    assert counted("archive") == before + 1


class Consumer:
    """Has one batch of no messages of ours, and nothing after it."""

    def __init__(self) -> None:
        self._batches: list[dict[str, list[Any]]] = [{"a place": []}]

    async def getmany(self, *, timeout_ms: int) -> dict[str, list[Any]]:
        assert timeout_ms > 0
        return self._batches.pop() if self._batches else {}


async def test_a_gateway_counts_no_poll_that_found_nothing_either() -> None:
    """It hears of all that is played, and of nothing while nobody plays."""
    host = RemoteHost(KafkaSettings("127.0.0.1:1"))
    await host.stop()
    consumer: Any = Consumer()
    host._consumer = consumer
    before = counted("gateway")
    for _ in range(3):
        await host._take()

    assert counted("gateway") == before + 1
