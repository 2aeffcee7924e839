"""An embedded casino's records, as logs of eight partitions would hold them."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from contracts import catalog
from contracts.envelope import Envelope
from contracts.identities import partition_of
from contracts.topics import PARTITIONS
from runtime.log import NO_HASH, Draft, Head, Record, chain
from runtime.sqlite_file import SqliteFile

Logs = dict[tuple[str, int], list[Record]]
"""The records of each partition of each service's log, in order."""


class Committed(NamedTuple):
    """What was once appended to a service's log, and when."""

    service: str
    at: int
    draft: Draft


def committed(file: SqliteFile) -> Iterator[Committed]:
    """Return what a casino appended, in the order of its commits."""
    for (body,) in file.query("SELECT body FROM records ORDER BY place"):
        envelope = catalog.decode_envelope(body)
        yield Committed(envelope.service, envelope.recorded_at, _draft(envelope))


def _draft(envelope: Envelope) -> Draft:
    return Draft(
        envelope.stream,
        envelope.version,
        envelope.type,
        bytes(envelope.data),
        envelope.caused_by,
        envelope.correlation,
        envelope.actor,
        envelope.round_id,
        envelope.cause,
    )


def split(items: Iterable[Committed], count: int = PARTITIONS) -> Logs:
    """Append the same drafts to logs of `count` partitions."""
    logs: Logs = {}
    for service, at, draft in items:
        part = partition_of(draft.stream, count)
        records = logs.setdefault((service, part), [])
        end = (records[-1].offset, records[-1].hash) if records else (0, NO_HASH)
        records += chain(service, Head(f"log-of-{service}", part, *end), [draft], at)
    return logs
