"""Bytes that anyone may send stop nobody, and mean one thing only (laws 6, 8; H9)."""

import pytest
from toys import command, envelopes, memory, send, started

DEEP = b"[" * 1000 + b"]" * 1000


@pytest.mark.parametrize(
    "body",
    [
        DEEP,
        command("c1", 5)[:-1] + b',"more":' + DEEP + b"}",
        command("c1", 5).replace(b'"data":', b'"data":' + DEEP + b',"data":'),
    ],
)
async def test_h9_deep_bytes_are_answered_and_parked(body: bytes) -> None:
    """Law 8, H9: whoever sent them gets an answer, and the others go on."""
    host = await started(memory())
    future = host.submit_nowait(body)
    await host.settle()

    assert (await future).reason.startswith("undecodable")
    (item,) = await host.worker("toy").log.parked()
    assert (item.kind, item.body) == ("undecodable", body)
    assert (await send(host, "c2", 5)).accepted


async def test_law_6_a_command_with_two_data_is_not_recorded() -> None:
    """Law 6: its digest and its reader would take different ones."""
    host = await started(memory())
    good = command("c1", 5)
    twice = good.replace(b'"data":', b'"data":{},"data":')

    assert (await host.submit(twice)).reason.startswith("undecodable")
    assert await envelopes(host, "toy") == []
    assert (await host.submit(good)).accepted
