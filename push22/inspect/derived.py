"""Compares what is kept beside the records with the records: snapshots, agenda."""

from collections.abc import Iterator

import msgspec

from contracts import round_events as e
from contracts.base import tag_of
from push22.casino import SERVICES
from push22.inspect.reader import Reader
from runtime.agenda import agenda_faults
from runtime.log import AgendaItem, Snapshot
from runtime.mirror_mark import is_mirrored
from runtime.service import Service, owes_nothing
from runtime.snapshots import snapshot_faults

_ENDS = tag_of(e.RoundClosed)
"""The last event of the only streams that have deadlines."""

_SNAPSHOTS = "SELECT stream, version, state FROM snapshots WHERE service = ?"
_AGENDA = "SELECT stream, decision, kind, due_at FROM agenda WHERE service = ?"
_STREAMS = """
    SELECT DISTINCT stream FROM records
    WHERE service = ? AND segment = place AND stream LIKE ? || '-%'
"""
_ENDED = "SELECT stream FROM records WHERE service = ? AND type = ?"


class DerivedFault(msgspec.Struct, frozen=True):
    """What is kept of a stream in `table` does not follow from its records."""

    service: str
    table: str
    stream: str
    text: str


def derived_faults(reader: Reader) -> tuple[DerivedFault, ...]:
    """Return every snapshot and every agenda row that the records don't lead to.

    A mirror keeps neither: a round that is open there owes what its own service plans.
    """
    if is_mirrored(reader.file):
        return tuple(_of_no_mirror(reader))
    return tuple(fault for service in SERVICES for fault in _faults(reader, service))


def _of_no_mirror(reader: Reader) -> Iterator[DerivedFault]:
    """A casino's own file is no mirror for being marked as one."""
    for table in ("snapshots", "agenda"):
        rows = reader.sql.execute(f"SELECT service, stream FROM {table}")  # noqa: S608
        for service, stream in rows:
            yield DerivedFault(service, table, stream, "a copy of logs keeps none")


def _faults(reader: Reader, service: Service) -> Iterator[DerivedFault]:
    rows = reader.sql.execute(_SNAPSHOTS, (service.name,))
    for found in snapshot_faults(service, map(Snapshot._make, rows), reader.of_stream):
        text = f"at {found.version}: {found.text}"
        yield DerivedFault(service.name, "snapshots", found.stream, text)
    items = map(AgendaItem._make, reader.sql.execute(_AGENDA, (service.name,)))
    streams = _open(reader, service)
    for fault in agenda_faults(service, streams, items, reader.of_stream):
        yield DerivedFault(service.name, "agenda", fault.stream, fault.text)


def _open(reader: Reader, service: Service) -> set[str]:
    """Return the streams that may owe something: no event has ended them."""
    found: set[str] = set()
    for category, decider in service.deciders.items():
        if decider.resume is not owes_nothing:
            rows = reader.sql.execute(_STREAMS, (service.name, category))
            found |= {row[0] for row in rows}
    if found:
        rows = reader.sql.execute(_ENDED, (service.name, _ENDS))
        found -= {row[0] for row in rows}
    return found
