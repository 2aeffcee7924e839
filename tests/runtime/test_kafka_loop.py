"""Why no client of Kafka runs on uvloop, and that none can (decision 0022)."""

import asyncio
import socket
import struct
from collections.abc import Callable

import pytest
import uvloop
from aiokafka.conn import AIOKafkaConnection
from aiokafka.errors import KafkaError
from aiokafka.protocol.metadata import MetadataRequest

from runtime.kafka_settings import KafkaSettings

_NO_ERROR, _METADATA, _VERSIONS = 0, 3, 18
_KNOWN = struct.pack(">hi", _NO_ERROR, 2) + struct.pack(
    ">hhhhhh", _METADATA, 0, 1, _VERSIONS, 0, 0
)
_RESET = struct.pack("ii", 1, 0)
_WRITING_S = 0.5

Loops = Callable[[], asyncio.AbstractEventLoop]


async def broker_that_dies(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Say what it understands, as a broker does, and be gone."""
    (size,) = struct.unpack(">i", await reader.readexactly(4))
    asked = await reader.readexactly(size)
    answer = asked[4:8] + _KNOWN
    writer.write(struct.pack(">i", len(answer)) + answer)
    await writer.drain()
    await asyncio.sleep(_WRITING_S / 5)
    end = writer.get_extra_info("socket")
    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    writer.transport.abort()


async def errors_of_writing() -> set[type[BaseException]]:
    """Write to a broker all the time while it dies; return what that raised."""
    server = await asyncio.start_server(broker_that_dies, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    connection = AIOKafkaConnection("127.0.0.1", port, request_timeout_ms=10_000)
    await connection.connect()
    found: set[type[BaseException]] = set()
    waiting = []
    until = asyncio.get_running_loop().time() + _WRITING_S
    while asyncio.get_running_loop().time() < until:
        try:
            waiting.append(asyncio.ensure_future(connection.send(MetadataRequest([]))))
        except (KafkaError, RuntimeError) as error:
            found.add(type(error))
        await asyncio.sleep(0)
    connection.close()
    for answer in await asyncio.gather(*waiting, return_exceptions=True):
        assert isinstance(answer, KafkaError)
    server.close()
    return found


def on(loops: Loops) -> set[type[BaseException]]:
    """Write while a broker dies, on one kind of loop."""
    with asyncio.Runner(loop_factory=loops) as runner:
        return runner.run(errors_of_writing())


def test_the_plain_loop_says_what_the_client_expects() -> None:
    """Errors of Kafka, each of which it recovers from."""
    found = on(asyncio.new_event_loop)
    assert found
    assert all(issubclass(error, KafkaError) for error in found)


def test_uvloop_says_what_the_client_dies_of() -> None:
    """When this fails, the library or the loop has changed: look at 0022 again."""
    assert RuntimeError in on(uvloop.new_event_loop)


@pytest.mark.parametrize("make", ["producer", "reader"])
def test_no_client_is_made_on_uvloop(make: str) -> None:
    """It would work until its broker dies."""

    async def made() -> None:
        getattr(KafkaSettings("127.0.0.1:1"), make)()

    with (
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        pytest.raises(RuntimeError, match="die with its broker"),
    ):
        runner.run(made())
