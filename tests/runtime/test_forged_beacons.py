"""A beacon is believed as far as it can be true: a forged one holds up no reader."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from kafka_toys import Message, message, records
from msgspec.json import encode
from postgres_place import Place
from test_archive_host import Services, host
from test_bus_kafka import KEY, arrived, at, bus
from test_gaps import Sources, made, turns
from test_shared_deadlines import Nobody
from toys import ECHO, ambient

from contracts.topics import Kind
from push22.hearing import Hearing
from runtime import distributed
from runtime.distributed import DistributedHost
from runtime.kafka_records import (
    BEACON,
    BEACON_AHEAD_MAX,
    Arrived,
    Beacon,
    Misfit,
    read,
)
from runtime.log import LogUnavailable
from runtime.sqlite_file import MEMORY, SqliteFile
from tests.measured import measured

FAR = 2**62
AT = 57


def sent(offset: int, at_message: int = AT) -> Message:
    """Return a beacon of that head, as the message of that number in its topic."""
    beacon = Beacon("toy", "first", 0, offset, b"")
    headers = [(BEACON, b"1")]
    record = records(1)[0]
    return message(record, offset=at_message, value=encode(beacon), headers=headers)


def misfits(service: str) -> float:
    return measured("push22_misfits_total", service=service, source="toy")


@pytest.mark.parametrize("offset", [FAR, AT + BEACON_AHEAD_MAX + 1, -1])
def test_a_beacon_beyond_its_topic_is_no_beacon(offset: int) -> None:
    """Each record was sent there once: it says what it names and where it came."""
    found = read(sent(offset), "toy")
    assert isinstance(found, Misfit)
    assert f"offset {offset}, message {AT}" in found.reason


@pytest.mark.parametrize("offset", [0, 7, AT, AT + 1, AT + BEACON_AHEAD_MAX])
def test_a_beacon_within_its_topic_is_one(offset: int) -> None:
    """A broker may have lost some of what it acknowledged: so it may be ahead."""
    assert read(sent(offset), "toy") == Beacon("toy", "first", 0, offset, b"")


async def test_a_service_stays_ready_whatever_a_beacon_says(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It asks nobody, and counts what it did not believe."""
    monkeypatch.setattr(distributed, "topics_of", lambda _: ())
    monkeypatch.setattr(DistributedHost, "_is_foreign", lambda *_: False)
    nobody: Any = Nobody()
    topic: Any = SimpleNamespace(kind=Kind.EVENTS, service="toy")
    async with place.log() as log:
        service = DistributedHost(
            ECHO, log, ambient(), relay=nobody, puller=nobody, guard=nobody
        )
        service._topics["toy"] = topic
        await service.start()
        service.hold(frozenset(range(8)))
        await service.tick()
        before = misfits("echo")
        assert await service.on_batch([sent(FAR), sent(FAR - 1)])
        assert service.is_ready
        assert service.bus.waiting("toy") == 0
        assert misfits("echo") == before + 2


async def test_a_source_that_has_no_more_is_believed_before_a_beacon() -> None:
    """Where it may be true it is asked once; then the reader is ready and says it."""
    items = arrived(3)
    sources = Sources(items)
    sources.may_answer.set()
    found, filling = made(sources)
    before = misfits("echo")
    found.note_beacon(Beacon("toy", "first", 0, 900, b""))
    for _ in range(3):
        filling.fill([at(0)])
        await turns()
    waiting = await found.after("toy", 0, 0, 9)
    assert [delivery.record.offset for delivery in waiting] == [1, 2, 3]
    assert found.missing(at(0)) is None

    for _ in range(3):
        filling.fill([at(3)])
        await turns()
    assert sources.asked == [(0, 900), (3, 900)]
    assert found.missing(at(3)) is None
    assert found.waiting("toy") == 0
    assert misfits("echo") == before + 1


async def test_a_record_that_came_is_no_beacon_and_stays_missed() -> None:
    """A source that does not have what was before it is another matter (H5)."""
    items = arrived(3)
    sources = Sources(items[:0])
    sources.may_answer.set()
    found, filling = made(sources)
    before = misfits("echo")
    found.offer(items[2])
    for _ in range(3):
        filling.fill([at(0)])
        await turns()
    gap = found.missing(at(0))
    assert gap is not None and (gap.after, gap.to) == (0, 2)
    assert misfits("echo") == before


async def test_an_old_answer_takes_nothing_back() -> None:
    """While it was under way records came and were handled."""
    found = bus()
    for item in arrived(2):
        found.offer(item)
    await found.after("toy", 0, 2, 9)
    found.note_beacon(Beacon("toy", "first", 0, 3, b""))
    found.refute(KEY, 1)
    gap = found.missing(at(2))
    assert gap is not None and (gap.after, gap.to) == (2, 3)


async def test_a_source_that_is_away_refutes_nothing() -> None:
    """A lost last record looks like that: it is asked for again (case 42)."""
    sources = Sources([])
    sources.is_away = True
    sources.may_answer.set()
    found, filling = made(sources)
    found.note_beacon(Beacon("toy", "first", 0, 3, b""))
    for _ in range(3):
        filling.fill([at(0)])
        await turns()
    assert found.missing(at(0)) is not None


async def test_an_archive_is_caught_up_whatever_a_beacon_says() -> None:
    """It asks, hears that there is no more, and goes on."""
    items = arrived(4)
    file = SqliteFile.open(MEMORY)
    services = Services(items)
    archive = host(file, services)
    archive._is_following = True
    before = misfits("archive")
    await archive.take(items)
    await archive.take([Beacon("toy", "first", 0, 900, b"")])
    assert archive.is_caught_up
    assert services.asked == 1
    assert misfits("archive") == before + 1
    file.close()


async def test_an_archive_that_lacks_what_a_record_shows_is_not_caught_up() -> None:
    """Neither beacon nor source makes that good."""
    items = arrived(4)
    file = SqliteFile.open(MEMORY)
    archive = host(file, Services(items[:1]))
    archive._is_following = True
    await archive.take([items[0], items[3]])
    await archive.take([Beacon("toy", "first", 0, 4, b"")])
    assert not archive.is_caught_up
    file.close()


class Answering:
    """A service that has so many records, or is away."""

    def __init__(self, items: list[Arrived], *, is_away: bool = False) -> None:
        self.items, self.is_away = items, is_away

    async def pull(self, service: str, part: int, after: int, to: int) -> Any:
        if self.is_away:
            raise LogUnavailable("away")
        return self.items[after:to]


@pytest.mark.parametrize("is_away", [False, True])
def test_who_hears_all_logs_hears_all_of_them(*, is_away: bool) -> None:
    """Once the service has answered; while it is away, more may be there."""
    items = arrived(2)
    heard: list[int] = []
    puller: Any = Answering(items, is_away=is_away)
    hearing = Hearing(lambda item: heard.append(item.record.offset), puller)
    hearing.take(items[0])
    hearing.take(Beacon("toy", "first", 0, 900, b""))
    assert hearing.missing() == [KEY]
    asyncio.run(hearing.fill())
    assert heard == ([1] if is_away else [1, 2])
    assert hearing.missing() == ([KEY] if is_away else [])
