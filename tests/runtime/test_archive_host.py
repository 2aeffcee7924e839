"""What the archive does about records that did not come."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from test_bus_kafka import arrived

from runtime.archive_host import ArchiveHost
from runtime.kafka_records import Arrived, Beacon
from runtime.kafka_settings import KafkaSettings
from runtime.log import LogUnavailable
from runtime.mirror import Mirror
from runtime.sqlite_file import MEMORY, SqliteFile


class Services:
    """Answer for their logs, or are away."""

    def __init__(self, items: list[Arrived]) -> None:
        self.items = items
        self.is_away = False
        self.asked = 0

    async def pull(self, service: str, part: int, after: int, to: int) -> Any:
        self.asked += 1
        if self.is_away:
            raise LogUnavailable("away")
        return self.items[after:to]


@pytest.fixture
def file() -> Iterator[SqliteFile]:
    opened = SqliteFile.open(MEMORY)
    yield opened
    opened.close()


def host(file: SqliteFile, services: Any) -> ArchiveHost:
    return ArchiveHost(Mirror(file), [], KafkaSettings("nowhere:1"), services)


def stored(file: SqliteFile) -> int:
    return int(file.query("SELECT count(*) FROM records")[0][0])


async def test_re5_a_last_record_that_left_the_topic_is_asked_for(
    file: SqliteFile,
) -> None:
    """A beacon shows it: no successor may ever come (case 42)."""
    items = arrived(4)
    last = items[-1].record
    made = host(file, Services(items))
    await made.take(items[:1])
    await made.take([Beacon("toy", "first", 0, last.offset, last.hash)])

    assert stored(file) == 4


async def test_a_service_that_is_away_is_not_asked_all_the_time(
    file: SqliteFile,
) -> None:
    """The archive goes on with all others, and asks again after a while (H5)."""
    items = arrived(4)
    services = Services(items)
    services.is_away = True
    made = host(file, services)
    await made.take([items[0], items[2]])
    await made.take(items[3:])
    assert (stored(file), services.asked) == (1, 1)
    services.is_away = False
    made._not_before.clear()
    await made.take([])

    assert stored(file) == 4


class Consumer:
    """As much of a consumer as is begun and ended."""

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


async def test_a_full_disk_is_tried_again_until_there_is_room(
    file: SqliteFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must not end unheard: what the copy has, it has; the rest is read again."""
    made = host(file, Services([]))
    tried: list[int] = []

    async def follow(consumer: Any) -> None:
        tried.append(consumer)
        if len(tried) < 3:
            raise LogUnavailable("database or disk is full")
        made.stop()

    monkeypatch.setattr("runtime.archive_host._RETRY_S", 0.0)
    monkeypatch.setattr(made, "_follow", follow)
    monkeypatch.setattr(KafkaSettings, "reader", lambda *_, **__: Consumer())
    await asyncio.wait_for(made.run(), 10)

    assert len(tried) == 3


async def test_it_is_not_ready_before_it_follows_and_while_it_misses_something(
    file: SqliteFile,
) -> None:
    """Beacons come all the time, and are no reason to say that it is behind."""
    items = arrived(4)
    services = Services(items)
    services.is_away = True
    made = host(file, services)
    assert not made.is_caught_up
    made._is_following = True
    await made.take([Beacon("toy", "first", 0, 0, b"")])
    assert made.is_caught_up
    await made.take([items[0], items[2]])

    assert not made.is_caught_up
