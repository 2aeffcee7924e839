"""Exports a casino's file, running or not, as it stood at one moment.

Records leave in the order of commits, so that causes come before effects.
"""

from collections.abc import Iterator
from pathlib import Path

from push22.backup.content import (
    COLUMNS,
    ORDER,
    LogExport,
    Manifest,
    PartExport,
    Row,
    encode,
    encode_manifest,
)
from push22.backup.frames import CHECKPOINT, MANIFEST, RECORD, ROW, FrameWriter
from push22.checkpoints.keys import PUBLIC_NAME, read_public
from push22.checkpoints.store import kept
from push22.inspect.reader import Reader
from runtime.log import Record
from runtime.mirror_mark import is_mirrored

_PARTS = """
    SELECT h.part, min(r.offset), max(r.offset), count(r.offset), h.hash, h.alive_at
    FROM heads h LEFT JOIN records r ON r.service = h.service AND r.part = h.part
    WHERE h.service = ? GROUP BY h.part ORDER BY h.part
"""
_LOGS = "SELECT service, incarnation FROM incarnations ORDER BY service"
_RECORDS = """
    SELECT r.service, r.part, r.offset, r.stream, r.version, r.type, r.round_id,
           coalesce(p.hash, zeroblob(32)), r.hash, r.body
    FROM records r LEFT JOIN records p
    ON p.service = r.service AND p.part = r.part AND p.offset = r.offset - 1
    ORDER BY r.place
"""


def export_file(reader: Reader, writer: FrameWriter) -> Manifest:
    """Write everything that the reader sees. Its transaction holds the moment."""
    manifest = _manifest(reader)
    writer.write(MANIFEST, encode_manifest(manifest))
    for record in reader.sql.execute(_RECORDS):
        writer.write(RECORD, encode(Record._make(record)))
    for line in kept(reader.file):
        writer.write(CHECKPOINT, line.rstrip(b"\n"))
    for row in _rows(reader, manifest):
        writer.write(ROW, encode(row))
    return manifest


def _manifest(reader: Reader) -> Manifest:
    logs = []
    for service, incarnation in reader.sql.execute(_LOGS).fetchall():
        parts = [
            PartExport(part, first or 0, last or 0, count, link, alive_at)
            for part, first, last, count, link, alive_at in reader.sql.execute(
                _PARTS, (service,)
            )
        ]
        logs.append(LogExport(service, incarnation, tuple(parts)))
    origin = "mirror" if is_mirrored(reader.file) else "file"
    public = Path(reader.file.path).parent / PUBLIC_NAME
    keys = read_public(public) if public.exists() else None
    return Manifest(origin, tuple(logs), keys)


def _rows(reader: Reader, manifest: Manifest) -> Iterator[Row]:
    for log in manifest.logs:
        for table, columns in COLUMNS.items():
            listed, order = ", ".join(columns), ", ".join(ORDER[table])
            query = f"SELECT {listed} FROM {table}"  # noqa: S608
            query += f" WHERE service = ? ORDER BY {order}"
            for values in reader.sql.execute(query, (log.service,)):
                yield Row(table, log.service, values)
