"""What reaches the topic of checkpoints: each once and in order, whatever breaks."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from aiokafka.errors import KafkaConnectionError

from runtime.checkpoint_relay import TOPIC, CheckpointRelay
from runtime.sqlite_file import MEMORY, SqliteFile

INSERT = "INSERT INTO checkpoints VALUES (?, 'wallet', 0, ?, ?, ?)"


class Topic:
    """Takes messages, and fails after so many; with `is_mute` it took the last one."""

    def __init__(self) -> None:
        self.values: list[bytes] = []
        self.fails_at = -1
        self.is_mute = False
        self.asked: list[int] = []

    async def start(self) -> None:
        pass

    async def stop(self) -> None:
        pass

    async def send_and_wait(self, topic: str, value: bytes, *, key: bytes) -> Any:
        assert (topic, key) == (TOPIC, b"wallet/0")
        if len(self.values) == self.fails_at:
            self.fails_at = -1
            if self.is_mute:
                self.values.append(value)
            raise KafkaConnectionError
        self.values.append(value)

    async def tail(self, count: int) -> list[bytes]:
        self.asked.append(count)
        return self.values[-count:]


@pytest.fixture
def file() -> Iterator[SqliteFile]:
    opened = SqliteFile.open(MEMORY)
    yield opened
    opened.close()


def fill(file: SqliteFile, first: int, last: int) -> list[bytes]:
    numbers = range(first, last + 1)
    with file.transaction():
        file.executemany(INSERT, [(n, n - 1, n, b"c%d" % n) for n in numbers])
    return [b"c%d" % n for n in range(1, last + 1)]


def relay(file: SqliteFile, topic: Topic) -> CheckpointRelay:
    return CheckpointRelay(file, lambda: topic, topic.tail)


async def test_what_is_signed_is_sent_once(file: SqliteFile) -> None:
    """And nothing again by one who comes later."""
    topic = Topic()
    expected = fill(file, 1, 5)
    assert await relay(file, topic).send(topic) == 5
    assert await relay(file, topic).send(topic) == 0
    expected = fill(file, 6, 7)
    assert await relay(file, topic).send(topic) == 2
    assert topic.values == expected


@pytest.mark.parametrize("taken", ["lost", "taken"])
@pytest.mark.parametrize("fails_at", range(6))
async def test_a_broken_send_doubles_and_loses_nothing(
    fails_at: int, taken: str, file: SqliteFile
) -> None:
    """Also where the broker had taken it and only its answer was lost."""
    topic = Topic()
    expected = fill(file, 1, 6)
    topic.fails_at, topic.is_mute = fails_at, taken == "taken"
    with pytest.raises(KafkaConnectionError):
        await relay(file, topic).send(topic)
    await relay(file, topic).send(topic)
    assert topic.values == expected
    assert topic.asked[-1] == 6 - fails_at


async def test_it_goes_on_by_itself_after_a_failure(file: SqliteFile) -> None:
    """A broker that is away is tried again, until it is told to stop."""
    topic = Topic()
    expected = fill(file, 1, 3)
    topic.fails_at, topic.is_mute = 1, True
    made = relay(file, topic)
    running = asyncio.create_task(made.run())
    async with asyncio.timeout(30):
        while topic.values != expected:
            await asyncio.sleep(0.05)
    made.stop()
    async with asyncio.timeout(30):
        await running
    assert topic.values == expected
