"""A wallet's key is changed without a gap, and the kit reads no more than is due."""

import asyncio
import base64
from pathlib import Path
from typing import Any

import pytest

from contracts.wallet_calls import CallKind, CallOutcome, OperatorCall
from push22.operator import conformance
from push22.operator.cases import CASES
from push22.operator.client import OperatorClient
from push22.operator.conformance import Wallet, judged
from push22.operator.settings import OperatorSettings
from runtime.effects import Attempt
from services.wallet.state import OwedCall
from tests.operator.conftest import KEY_ID, PLAYER, SECRET, an_operator

NEW_ID, NEW_SECRET = "k2", b"another secret of thirty-two bytes"
LISTED = tuple(case for case in CASES if case.name == "debit")


def settings(url: str, key_id: str, secret: bytes) -> OperatorSettings:
    text = base64.b64encode(secret).decode()
    return OperatorSettings(url, key_id, text, timeout_ms=5000)


async def entered(number: int, used: OperatorSettings) -> tuple[CallOutcome, str]:
    """Let a player in with a key; return how that ended."""
    call = OperatorCall(f"entry-{number}", CallKind.AUTHENTICATE)
    owed = OwedCall(call, token=f"token:{PLAYER}")
    client = OperatorClient({"acme": used})
    try:
        record = await client.perform(Attempt(f"wallet-{PLAYER}.EUR", owed, False))
    finally:
        await client.close()
    return record.outcome, record.reason


async def test_a_key_is_changed_while_both_are_taken(tmp_path: Path) -> None:
    """Old, both, new: no call fails that is signed with a key the wallet has."""
    with an_operator(tmp_path) as (mock, url):
        old = settings(url, KEY_ID, SECRET)
        new = settings(url, NEW_ID, NEW_SECRET)
        swapped = settings(url, NEW_ID, SECRET)
        done = (CallOutcome.DONE, "")
        unheard = (CallOutcome.UNCERTAIN, "unsigned")

        assert await entered(1, old) == done
        refused_early = await entered(2, new)
        mock.keys[NEW_ID] = NEW_SECRET
        assert [await entered(n, x) for n, x in ((3, old), (4, new))] == [done, done]
        assert await entered(5, swapped) == unheard
        del mock.keys[KEY_ID]
        assert await entered(6, new) == done
        refused_late = await entered(7, old)

    # Nothing was looked at: such a call is made again, and no stake is lost by it.
    assert refused_early[0] is refused_late[0] is CallOutcome.UNCERTAIN


class Flood:
    """A wallet that answers without an end, or packs much into little."""

    def __init__(self, head: bytes, part: bytes) -> None:
        self._head = head
        self._part = part
        self.sent = 0

    async def __call__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\n" + self._head + b"\r\n\r\n")
        try:
            while True:
                writer.write(self._part)
                self.sent += len(self._part)
                await writer.drain()
        except (ConnectionError, asyncio.CancelledError):
            writer.close()


CHUNK = b"10000\r\n" + b" " * 0x10000 + b"\r\n"


@pytest.mark.parametrize(
    ("head", "part", "why"),
    [
        (b"transfer-encoding: chunked", CHUNK, "too_long"),
        (b"content-length: 99999999999", b" " * 65536, "too_long"),
        (b"content-encoding: gzip\r\ntransfer-encoding: chunked", CHUNK, "malformed"),
    ],
    ids=["endless", "long", "packed"],
)
async def test_the_kit_reads_an_answer_up_to_a_limit(
    head: bytes, part: bytes, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever tries a wallet does not run out of memory by it."""
    monkeypatch.setattr(conformance, "BYTES_MAX", 1 << 20)
    flood = Flood(head, part)
    server = await asyncio.start_server(flood, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    wallet = Wallet(url, KEY_ID, SECRET, PLAYER, "EUR", "x")
    [verdict] = await judged(LISTED, wallet)
    server.close()
    await server.wait_closed()

    assert not verdict.passed
    assert why in verdict.reason
    assert flood.sent < 1 << 25


async def test_the_kit_waits_for_an_answer_as_long_as_it_says() -> None:
    """The time is of the whole answer, not of each of its parts."""

    async def trickle(reader: asyncio.StreamReader, writer: Any) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n")
        try:
            while not reader.at_eof():
                writer.write(b" ")
                await asyncio.sleep(0.05)
        finally:
            writer.close()

    server = await asyncio.start_server(trickle, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    wallet = Wallet(url, KEY_ID, SECRET, PLAYER, "EUR", "x", timeout_s=0.5)
    async with asyncio.timeout(10):
        [verdict] = await judged(LISTED, wallet)
    server.close()

    assert "TimeoutError" in verdict.reason
