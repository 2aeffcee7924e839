"""Tells a copy that is still catching up from one in which something differs.

Who writes a log commits all events of an input at once, one after the other. A copy of
it takes in records as they come: it may end between two of them. Where a partition of
a copy ends so, the rest is not there yet; where anything follows, it was left out.
"""

import msgspec

from push22.inspect.reader import LogName, Reader
from runtime.mirror_mark import is_mirrored
from services.archive.reexecute import Difference


class Awaited(msgspec.Struct, frozen=True):
    """The record that a copy ends before: its partition holds so many now."""

    record: str
    service: str
    partition: int
    offset: int


def told_apart(
    reader: Reader, differences: list[Difference]
) -> tuple[list[Difference], list[Awaited]]:
    """Return what differs, and what a copy waits for. A casino's own file waits not."""
    if not is_mirrored(reader.file):
        return differences, []
    wrong: list[Difference] = []
    awaited: list[Awaited] = []
    for item in differences:
        found = _awaited(reader, item)
        if found is None:
            wrong.append(item)
        else:
            awaited.append(found)
    return wrong, awaited


def _awaited(reader: Reader, item: Difference) -> Awaited | None:
    """Return what is awaited if the record before it is its partition's last."""
    if item.kind != "missing_event" or item.offset:
        return None
    stream, _, version = item.record.rpartition("@")
    before = reader.find(f"{stream}@{int(version) - 1}")
    if before is None or reader.place_of(item.record) is not None:
        return None
    head = reader.head(LogName(before.service, before.partition, before.log))
    if head is None or head.offset != before.offset:
        return None
    return Awaited(item.record, before.service, before.partition, before.offset)
