"""An operator who means us harm costs one attempt, and memory up to a limit."""

import asyncio
import base64
import gzip
import time
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from contracts import catalog
from contracts import operator_wallet as ow
from contracts.wallet_calls import CallKind, CallOutcome, OperatorCall, RecordCall
from push22.operator.client import Misunderstood, OperatorClient, told_by
from push22.operator.settings import OperatorSettings
from runtime.commands import COMMAND_BYTES_MAX
from runtime.effects import Attempt
from services.wallet.state import OwedCall

DEBIT = OwedCall(OperatorCall("d1", CallKind.DEBIT, 1000, "s-1"), "round-t1-1")
ENTRY = OwedCall(OperatorCall("d1", CallKind.AUTHENTICATE))
RECORD = RecordCall("acme.bob", "EUR", "d1", 1, CallOutcome.UNCERTAIN)
SECRET = base64.b64encode(b"x" * 32).decode()
ZEROS = gzip.compress(bytes(1 << 26), mtime=0)
"""64 MiB in a few of ours: within the limit of what may come."""


def headed(body: bytes, *lines: str) -> bytes:
    head = "\r\n".join(("HTTP/1.1 200 OK", *lines, "", ""))
    return head.encode() + body


def chunked(body: bytes) -> bytes:
    return headed(b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body), CHUNKED)


CHUNKED = "transfer-encoding: chunked"


class Answering:
    """Says the same bytes to whoever asks, then nothing more, and does not hang up."""

    def __init__(self, said: bytes) -> None:
        self.said = said
        self.asked = b""
        self.left = asyncio.Event()

    async def __call__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.asked = await reader.readuntil(b"\r\n\r\n")
        writer.write(self.said)
        with suppress(ConnectionError):
            await reader.read()
        writer.close()
        self.left.set()


async def called(said: bytes, timeout_ms: int = 5000) -> tuple[RecordCall, bytes]:
    """Make one call; return what is recorded of it, and the head of the request."""
    answering = Answering(said)
    server = await asyncio.start_server(answering, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    settings = OperatorSettings(url, "k1", SECRET, timeout_ms=timeout_ms)
    client = OperatorClient({"acme": settings})
    try:
        attempt = Attempt("wallet-acme.bob.EUR", DEBIT, was_tried=False)
        return await client.perform(attempt), answering.asked
    finally:
        await client.close()
        await answering.left.wait()
        server.close()


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (headed(ZEROS, "content-encoding: gzip", CHUNKED), "malformed"),
        (
            headed(b"{}", "content-encoding: gzip, gzip", "content-length: 2"),
            "malformed",
        ),
        (headed(b"{}", "content-encoding: br", "content-length: 2"), "malformed"),
        (headed(b"", "content-length: 65537"), "too_long"),
        (headed(b"", "content-length: 9" + "9" * 18), "too_long"),
        (chunked(b" " * (ow.BODY_BYTES_MAX + 1)), "too_long"),
        (chunked(ZEROS[: ow.BODY_BYTES_MAX]), "unsigned"),
    ],
)
async def test_a_packed_or_an_endless_answer_is_not_read(
    said: bytes, reason: str
) -> None:
    """Packed is refused unread; a long one as soon as it is seen to be one."""
    started = time.monotonic()
    record, asked = await called(said)

    assert (record.outcome, record.reason) == (CallOutcome.UNCERTAIN, reason)
    assert b"accept-encoding: identity\r\n" in asked.lower()
    assert time.monotonic() - started < 4


async def test_an_answer_that_stops_half_way_ends_in_time() -> None:
    """The time is of the whole call, not of each of its parts."""
    record, _ = await called(headed(b"{", "content-length: 2"), timeout_ms=200)

    assert (record.outcome, record.reason) == (CallOutcome.UNCERTAIN, "timeout")


NAMED = ("session_id", "wallet_transaction_id", "transaction_id", "currency", "status")


def answer(**changed: Any) -> tuple[int, bytes]:
    good = {"status": "ok", "transaction_id": "d1", "currency": "EUR"}
    said = {**good, "balance_minor": 5, "session_id": "s", **changed}
    return 200, msgspec.json.encode(said)


@pytest.mark.parametrize("name", NAMED)
def test_a_name_that_cannot_be_recorded_is_malformed(name: str) -> None:
    """The attempt counts as an uncertain one: it must not be made again for ever."""
    with pytest.raises(Misunderstood, match="malformed"):
        told_by(ENTRY, RECORD, answer(**{name: "n" * 257}))


def test_the_longest_names_can_be_recorded() -> None:
    """Whatever characters they are of, as a command of the wallet's own."""
    longest = "\x01" * ow.NAME_CHARACTERS_MAX
    names = {"session_id": longest, "wallet_transaction_id": longest}
    record = told_by(ENTRY, RECORD, answer(**names))

    assert (record.session, record.operator_transaction) == (longest, longest)
    assert len(catalog.encode(record)) < COMMAND_BYTES_MAX // 8
