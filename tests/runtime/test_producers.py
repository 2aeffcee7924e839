"""A producer ends in time, and completely, while its broker is away (case 39)."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from runtime import producers
from runtime.kafka_settings import KafkaSettings


class Sender:
    """A sender whose broker answers nothing."""

    def __init__(self) -> None:
        self.sender_task = asyncio.create_task(asyncio.sleep(3600))

    async def close(self) -> None:
        assert self.sender_task.done()


async def test_a_flush_that_gets_no_answer_ends_with_nothing_left_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its sender ends and its connections are closed, whoever waits for it."""
    monkeypatch.setattr(producers, "FLUSH_S", 0.05)
    producer: Any = KafkaSettings("127.0.0.1:1").producer()
    sender = producer._sender = Sender()
    closed: list[bool] = []

    async def close() -> None:
        closed.append(True)

    async def flush() -> None:
        await asyncio.wait((sender.sender_task,))

    monkeypatch.setattr(producer.client, "close", close)
    monkeypatch.setattr(producer._message_accumulator, "close", flush)
    await asyncio.wait_for(producer.stop(), 5)

    assert sender.sender_task.cancelled()
    assert closed == [True]


async def test_one_that_never_started_is_closed_as_well() -> None:
    """No broker was there: that leaves nothing open either."""
    producer = KafkaSettings("127.0.0.1:1").producer()
    await asyncio.wait_for(producer.stop(), 5)

    assert producer._closed


async def test_one_that_never_ends_is_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What cannot be closed, and does not hear of being cancelled, holds up nobody."""
    monkeypatch.setattr(producers, "FLUSH_S", 0.05)
    monkeypatch.setattr(producers, "CLOSE_S", 0.05)
    producer: Any = KafkaSettings("127.0.0.1:1").producer()
    is_let_go = asyncio.Event()

    async def close() -> None:
        while not is_let_go.is_set():
            with suppress(asyncio.CancelledError):
                await is_let_go.wait()

    monkeypatch.setattr(producer.client, "close", close)
    begun = asyncio.get_running_loop().time()
    await producer.stop()
    assert asyncio.get_running_loop().time() - begun < producers.FLUSH_S * 100
    is_let_go.set()
