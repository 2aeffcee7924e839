"""Pages of metrics that are none: such a process is missing, and that is told."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import httpx
import pytest

from push22.load.places import Place
from push22.load.report import Second, unmeasured
from push22.load.sampling import Sampler

_WHOLE = "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n"
_GOOD = b"process_cpu_seconds_total 1\npush22_consumer_lag_seconds 7\n"

BODIES = {
    "a number that is none": b"process_cpu_seconds_total 1.5.2\n",
    "memory that is none": b"process_resident_memory_bytes NaN\n",
    "endless batches": b"push22_batches_total +Inf\n",
    "a bucket without its end": b'push22_hop_duration_seconds_bucket{x="1"} 3\n',
    "an open quote": b'push22_consumer_lag_seconds{a="b 1\n',
    "no text": b"\xff\xfe\x00process_cpu_seconds_total 1\n",
    "another page": b"<html>502 Bad gateway</html>",
}


def answer(body: bytes) -> bytes:
    return _WHOLE.format(len(body)).encode() + body


ANSWERS = {
    **{name: answer(body) for name, body in BODIES.items()},
    "no gzip": b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n"
    b"content-length: 5\r\n\r\nhello",
    "no address": b"HTTP/1.1 302 Found\r\nlocation: http://[bad\r\n"
    b"content-length: 0\r\n\r\n",
    "no HTTP": b"\x00\x01garbage\r\n\r\n",
    "too long": answer(b"#" * (1 << 23)),
}


@asynccontextmanager
async def answering(said: bytes, *, drips: bool = False) -> AsyncIterator[str]:
    """Serve one answer to all; `drips`: and after it a byte now and then."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(said)
            await writer.drain()
            while drips:
                writer.write(b"#")
                await writer.drain()
                await asyncio.sleep(0.1)
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
        ended.set()

    ended = asyncio.Event()
    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}/metrics"
        await ended.wait()


async def sampled(said: bytes, *, drips: bool = False) -> tuple[set[str], float]:
    """Return who was heard of in a sample, beside one that answers, and the lag."""
    async with (
        answering(said, drips=drips) as bad,
        answering(answer(_GOOD)) as good,
        httpx.AsyncClient() as http,
    ):
        place = Place(door="", operators="", metrics={"bad": bad, "good": good})
        sample = await Sampler(place).sample(http)
    return {"bad", "good"} & set(sample.uses), sample.lag_s


@pytest.mark.parametrize("name", ANSWERS)
async def test_a_page_that_cannot_be_read_is_missing_from_its_sample(name: str) -> None:
    """The others' figures are there; the sampler goes on."""
    assert await sampled(ANSWERS[name]) == ({"good"}, 7.0)


async def test_an_answer_that_drips_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The bound is on all of it, not on each byte."""
    monkeypatch.setattr("push22.load.sampling._HEARD_S", 2.0)
    begun = b"HTTP/1.1 200 OK\r\n\r\n"
    assert await sampled(begun, drips=True) == ({"good"}, 7.0)


def test_a_process_that_was_seldom_heard_of_is_named() -> None:
    """A few seconds are a restart; half of them are a report without its figures."""
    seconds = [Second(cpu={"shoe": 0.1}), *[Second(cpu={"wallet": 0.1})] * 3]

    assert unmeasured(["wallet"], seconds) == ""
    assert unmeasured(["wallet", "shoe", "desk"], seconds) == (
        "not measured: shoe in 3 of 4 seconds, desk in 4 of 4 seconds"
    )
    assert unmeasured(["shoe"], []) == ""
