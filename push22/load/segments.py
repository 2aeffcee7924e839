"""What lies in Kafka's own files: bytes, batches and records of each topic.

The broker is not asked: its segments are a row of batches, each of whose heads says how
long it is and how many records it holds (record format 2).
"""

import struct
from pathlib import Path

import msgspec

_HEAD = struct.Struct(">q i i b I h i")
"""Base offset, length of what follows, leader epoch, magic, CRC, attributes, last
offset's delta."""

_BEFORE_LENGTH_ENDS = 12
_FORMAT = 2


class Lain(msgspec.Struct, frozen=True):
    """What one topic holds, all partitions together, one copy."""

    bytes: int = 0
    batches: int = 0
    records: int = 0

    def __add__(self, other: "Lain") -> "Lain":
        return Lain(
            self.bytes + other.bytes,
            self.batches + other.batches,
            self.records + other.records,
        )

    def __sub__(self, other: "Lain") -> "Lain":
        return self + Lain(-other.bytes, -other.batches, -other.records)


def topics_in(folder: Path) -> dict[str, Lain]:
    """Read a broker's data directory; topics of Kafka's own are left out."""
    found: dict[str, Lain] = {}
    for segment in sorted(folder.glob("*/*.log")):
        topic = segment.parent.name.rpartition("-")[0]
        if topic and not topic.startswith("__"):
            found[topic] = found.get(topic, Lain()) + lain_in(segment)
    return found


def lain_in(segment: Path) -> Lain:
    """Count one segment; a batch that is still being written ends it."""
    size = segment.stat().st_size
    at = batches = records = 0
    with segment.open("rb") as file:
        while at + _HEAD.size <= size:
            file.seek(at)
            _, length, _, magic, _, _, last_delta = _HEAD.unpack(file.read(_HEAD.size))
            end = at + _BEFORE_LENGTH_ENDS + length
            if magic != _FORMAT or length <= 0 or end > size:
                break
            at, batches, records = end, batches + 1, records + last_delta + 1
    return Lain(at, batches, records)
