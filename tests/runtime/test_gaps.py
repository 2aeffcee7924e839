"""Gaps are filled beside the loop: a source that is away holds up nothing else (H5)."""

import asyncio
from typing import Any

from test_bus_kafka import arrived, at, bus

from runtime import gaps
from runtime.gaps import Gaps
from runtime.kafka_records import Arrived
from runtime.log import LogUnavailable


class Sources:
    """Answers a pull when it is told to, or not at all."""

    def __init__(self, items: list[Arrived]) -> None:
        self.items = items
        self.asked: list[tuple[int, int]] = []
        self.may_answer = asyncio.Event()
        self.is_away = False

    async def pull(self, service: str, part: int, first: int, to: int) -> list[Arrived]:
        self.asked.append((first, to))
        await self.may_answer.wait()
        if self.is_away:
            raise LogUnavailable("away")
        return self.items[first:to]


def made(sources: Any) -> tuple[Any, Gaps]:
    found = bus()
    return found, Gaps(found, sources)


async def turns() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_h5_a_slow_source_is_not_waited_for() -> None:
    """The loop goes on; what was asked for is taken in when it has come."""
    items = arrived(3)
    sources = Sources(items)
    found, filling = made(sources)
    found.offer(items[2])
    filling.fill([at(0)])
    await turns()
    filling.fill([at(0)])
    assert sources.asked == [(0, 2)]
    sources.may_answer.set()
    await turns()
    filling.fill([at(0)])

    waiting = await found.after("toy", 0, 0, 9)
    assert [delivery.record.offset for delivery in waiting] == [1, 2, 3]
    assert sources.asked == [(0, 2)]


async def test_a_source_that_is_away_is_asked_again_later(monkeypatch: Any) -> None:
    """Not in a hot loop, and nothing is raised: all other work goes on (case 31)."""
    items = arrived(3)
    sources = Sources(items)
    sources.is_away = True
    sources.may_answer.set()
    found, filling = made(sources)
    found.offer(items[2])
    for _ in range(3):
        filling.fill([at(0)])
        await turns()
    assert len(sources.asked) == 1
    sources.is_away = False
    monkeypatch.setattr(gaps, "RETRY_S", 0.0)
    filling._not_before.clear()
    filling.fill([at(0)])
    await turns()
    filling.fill([at(0)])

    assert found.missing(at(0)) is None


async def test_what_is_under_way_is_given_up_at_the_end() -> None:
    """A stop waits for no source."""
    items = arrived(3)
    found, filling = made(Sources(items))
    found.offer(items[2])
    filling.fill([at(0)])
    await turns()
    await asyncio.wait_for(filling.stop(), 1)

    assert filling._pulls == {}
