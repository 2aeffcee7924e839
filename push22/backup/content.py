"""What an export holds: a manifest, then records, checkpoints and rows.

Records are the truth. Rows are what a service needs to go on and no log says: how far
it has read, what it answered, what is due and what was set aside. What follows from the
records, indices and snapshots, is left out, and so is every secret.
"""

from typing import Any

import msgspec

from contracts.checkpoints import KeyDocument
from contracts.envelope import Micros
from runtime.log import Record


class PartExport(msgspec.Struct, frozen=True):
    """One partition: `hash` is the link at `last`; both are 0 and zeros if empty."""

    partition: int
    first: int
    last: int
    count: int
    hash: bytes
    alive_at: Micros


class LogExport(msgspec.Struct, frozen=True):
    service: str
    incarnation: str
    partitions: tuple[PartExport, ...]


class Manifest(msgspec.Struct, frozen=True):
    """`origin`: file, mirror or postgres. `keys`: what checkpoints verify with."""

    origin: str
    logs: tuple[LogExport, ...]
    keys: KeyDocument | None = None

    @property
    def records(self) -> int:
        return sum(part.count for log in self.logs for part in log.partitions)


COLUMNS = {
    "positions": ("source", "part", "incarnation", "offset", "hash"),
    "answers": ("actor", "command_id", "digest", "outcome", "answered_at"),
    "agenda": ("stream", "decision", "kind", "due_at"),
    "parked": (
        "id",
        "stream",
        "kind",
        "source",
        "reason",
        "body",
        "parked_at",
        "verdict",
        "decided_by",
        "why",
    ),
    "published": ("part", "offset"),
}
"""The tables beside the records that both databases have, without their service."""

POSTGRES_COLUMNS = COLUMNS | {
    "incarnations": ("incarnation", "began_at", "ends", "decided_by", "why"),
    "accepted": (
        "source",
        "incarnation",
        "accepted_at",
        "positions",
        "decided_by",
        "why",
    ),
}
"""There are decisions about lost records besides: who ordered what, and why."""

CASTS = {
    "began_at": "timestamptz",
    "accepted_at": "timestamptz",
    "ends": "jsonb",
    "positions": "jsonb",
}
"""Columns that leave and enter PostgreSQL as text."""

ORDER = {
    "positions": ("source", "part"),
    "answers": ("command_id", "actor"),
    "agenda": ("stream", "decision", "kind"),
    "parked": ("id",),
    "published": ("part",),
    "incarnations": ("incarnation",),
    "accepted": ("source", "incarnation"),
}


class Row(msgspec.Struct, frozen=True, array_like=True):
    """A row of a table that belongs to a service."""

    table: str
    service: str
    values: tuple[Any, ...]


encode = msgspec.msgpack.Encoder().encode
_RECORD = msgspec.msgpack.Decoder(Record)
_ROW = msgspec.msgpack.Decoder(Row)


def decode_record(payload: bytes) -> Record:
    """Raises ValueError."""
    return _RECORD.decode(payload)


def decode_row(payload: bytes) -> Row:
    """Raises ValueError."""
    return _ROW.decode(payload)


def decode_manifest(payload: bytes) -> Manifest:
    """Raises ValueError."""
    return msgspec.json.decode(payload, type=Manifest)


def encode_manifest(manifest: Manifest) -> bytes:
    return msgspec.json.encode(manifest)
