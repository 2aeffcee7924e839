"""A log record on Kafka: the value is the record's bytes, headers repeat what it says.

The value is never encoded again, so the hash chain verifies on the bus as in the log.
Headers are the CloudEvents attributes of the Kafka binding, and what a reader needs
to see a fork: the hash of the record before. They are few, for every reader of every
record pays for each.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple, Protocol

import msgspec

from contracts import catalog
from contracts.envelope import Envelope
from contracts.identities import routing_key
from contracts.strict import check_nesting
from runtime.log import Record, record_of
from runtime.trace_ids import span_of, trace_of

Headers = list[tuple[str, bytes]]

PREVIOUS = "x-prev-hash"
BEACON = "x-beacon"
"""Marks a message that is no record: the head of a partition that fell silent."""


BEACON_AHEAD_MAX = 10_000
"""So far may a head be ahead of its topic: every record was sent there once.

A broker that loses what it acknowledged loses a few, and its topic takes their offsets
again. Topics that are lost whole are filled again before anybody goes on.
"""


class KafkaMessage(Protocol):
    """What is used of a consumed message."""

    @property
    def topic(self) -> str: ...
    @property
    def partition(self) -> int: ...
    @property
    def offset(self) -> int: ...
    @property
    def value(self) -> bytes | None: ...
    @property
    def headers(self) -> Sequence[tuple[str, bytes | None]]: ...


class Beacon(msgspec.Struct, frozen=True):
    """How far a partition of a log goes: its last record's offset and hash."""

    service: str
    log: str
    partition: int
    offset: int
    hash: bytes


class Arrived(NamedTuple):
    """A record as it came, with its envelope; `incarnation` names its log."""

    record: Record
    envelope: Envelope

    @property
    def incarnation(self) -> str:
        return self.envelope.log


class Misfit(NamedTuple):
    """A message on an event topic that is no record of its log."""

    reason: str
    body: bytes


def key_of(record: Record) -> bytes:
    """Return the routing key (H8)."""
    return routing_key(record.stream).encode()


def headers_of(record: Record, envelope: Envelope) -> Headers:
    """Return the headers of a record: UTF-8 values, none empty, no name twice."""
    time = datetime.fromtimestamp(envelope.recorded_at / 1_000_000, UTC)
    found = {
        PREVIOUS: record.previous.hex(),
        "ce_specversion": "1.0",
        "ce_type": record.type,
        "ce_source": f"/{record.service}/{record.stream}",
        "ce_id": envelope.id,
        "ce_time": time.isoformat(timespec="microseconds"),
        "ce_subject": record.round_id or record.stream,
        "content-type": "application/json",
        "traceparent": traceparent(envelope),
    }
    return [(name, value.encode()) for name, value in found.items()]


def traceparent(envelope: Envelope) -> str:
    """Return a W3C trace context that follows from the record alone.

    All records of one correlation share a trace; so a record that is sent again
    after a crash carries the same one.
    """
    return f"00-{trace_of(envelope.correlation)}-{span_of(envelope.id)}-01"


def read(message: KafkaMessage, service: str) -> Arrived | Beacon | Misfit:
    """Read a message of a service's event topic; it never raises."""
    body = message.value or b""
    headers = message.headers
    # The link stands first in what the relay sends: then it is no beacon.
    link = headers[0][1] if headers and headers[0][0] == PREVIOUS else None
    try:
        if link is None:
            found = _first(headers)
            if BEACON in found:
                check_nesting(body)
                beacon = msgspec.json.decode(body, type=Beacon)
                return _beacon(beacon, message, service)
            link = found.get(PREVIOUS, b"")
        envelope = catalog.decode_envelope(body)
        previous = bytes.fromhex(link.decode("ascii"))
    except (ValueError, UnicodeDecodeError, msgspec.MsgspecError) as error:
        return Misfit(f"{type(error).__name__}: {error}", body)
    if envelope.service != service or envelope.partition != message.partition:
        place = f"{envelope.service} partition {envelope.partition}"
        return Misfit(f"it belongs to {place}", body)
    if len(previous) != sha256().digest_size:
        return Misfit(f"{PREVIOUS} is no hash", body)
    return Arrived(record_of(envelope, previous, body), envelope)


def _beacon(beacon: Beacon, message: KafkaMessage, service: str) -> Beacon | Misfit:
    """Whose head it names must be the one whose topic partition it came in.

    It is believed as far as that topic may go: whoever could write there once would
    else keep all its readers waiting for what will never be (CO2).
    """
    if not 0 <= beacon.offset <= message.offset + BEACON_AHEAD_MAX:
        text = f"it is a beacon of offset {beacon.offset}, message {message.offset}"
        return Misfit(text, message.value or b"")
    if (beacon.service, beacon.partition) != (service, message.partition):
        place = f"{beacon.service} partition {beacon.partition}"
        return Misfit(f"it is a beacon of {place}", message.value or b"")
    return beacon


def _first(headers: Sequence[tuple[str, bytes | None]]) -> Mapping[str, bytes]:
    """Return headers by name; of a name given twice the first counts."""
    found: dict[str, bytes] = {}
    for name, value in headers:
        found.setdefault(name, value or b"")
    return found
