"""Takes lost records back, byte for byte, from where others still have them (H3).

What is offered is believed only as far as it goes on from the log's own end: each link,
each place and each version is checked, and the first that does not fit ends it.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from contracts import catalog
from contracts.base import is_refusal
from contracts.envelope import Answer, Envelope
from contracts.identities import partition_of
from runtime.commands import actor_key, digest_of
from runtime.log import Head, Record, StoredAnswer


class Found(NamedTuple):
    """Of one partition: what goes on from its end, and why it goes no further."""

    head: Head
    records: tuple[Record, ...]
    misfit: str = ""


def going_on(
    head: Head, partitions: int, offered: Iterable[Record], versions: Mapping[str, int]
) -> Found:
    """Return the records that go on from a partition's head, in order, each once.

    `versions` are those of the streams at the head.
    """
    by_offset: dict[int, list[Record]] = {}
    for record in offered:
        by_offset.setdefault(record.offset, []).append(record)
    at = {record.hash for record in by_offset.get(head.offset, ())} - {head.hash}
    if head.offset and at:
        return Found(head, (), f"offset {head.offset} is another record there: a fork")
    taken: list[Record] = []
    newest = dict(versions)
    offset, link = head.offset, head.hash
    while found := by_offset.get(offset + 1):
        if len({record.hash for record in found}) > 1:
            return Found(head, tuple(taken), f"offset {offset + 1} is there twice")
        record = found[0]
        if wrong := _misfit(record, head, link, newest.get(record.stream, 0)):
            return Found(head, tuple(taken), f"offset {offset + 1}: {wrong}")
        if partition_of(record.stream, partitions) != head.partition:
            where = f"{record.stream} belongs to another partition"
            return Found(head, tuple(taken), f"offset {offset + 1}: {where}")
        taken.append(record)
        newest[record.stream] = record.version
        offset, link = record.offset, record.hash
    beyond = [number for number in by_offset if number > offset]
    misfit = f"offset {offset + 1} is nowhere, {max(beyond)} is" if beyond else ""
    return Found(head, tuple(taken), misfit)


def _misfit(record: Record, head: Head, link: bytes, newest: int) -> str:
    """Say why a record does not go on from the one before it; empty if it does."""
    if record.previous != link:
        return "it follows on another record"
    if sha256(link + sha256(record.body).digest()).digest() != record.hash:
        return "its bytes are not those that were chained"
    try:
        place = catalog.decode_envelope(record.body)
    except catalog.Undecodable as error:
        return f"it is no record: {error}"
    if (place.log, place.partition, place.offset) != (head.log, *record[1:3]):
        return f"it is offset {place.offset} of log {place.log}"
    if (place.stream, place.version) != (record.stream, newest + 1):
        return f"it is {place.id}, its stream is at {newest}"
    return ""


def answers_of(records: Sequence[Record]) -> list[StoredAnswer]:
    """Return the answers that the records gave, so that a repeat gets them too (H4)."""
    last: dict[tuple[str, str], Envelope] = {}
    first: dict[tuple[str, str], Envelope] = {}
    for record in records:
        envelope = catalog.decode_envelope(record.body)
        key = envelope.stream, envelope.caused_by
        if envelope.cause is not None and envelope.cause.kind == "command":
            first[key] = envelope
        if key in first:
            last[key] = envelope
    return [_answer(first[key], last[key]) for key in first]


def _answer(first: Envelope, last: Envelope) -> StoredAnswer:
    assert first.cause is not None
    command = catalog.decode_command_envelope(bytes(first.cause.command))
    refused = is_refusal(last.type)
    reason = str(catalog.decode_event(last).reason) if refused else ""
    answer = Answer(command.id, not refused, last.stream, last.version, reason)
    return StoredAnswer(
        actor_key(command.actor),
        command.id,
        digest_of(command),
        catalog.encode(answer),
        last.recorded_at,
    )
