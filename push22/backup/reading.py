"""Reads an export in its order, checking all that can be checked on the way."""

from collections.abc import Iterator
from typing import IO

from push22.backup.causes import Causes
from push22.backup.checking import Chains
from push22.backup.content import (
    COLUMNS,
    POSTGRES_COLUMNS,
    Manifest,
    Row,
    decode_manifest,
    decode_record,
    decode_row,
)
from push22.backup.frames import (
    CHECKPOINT,
    MANIFEST,
    RECORD,
    ROW,
    Damaged,
    Frame,
    frames,
)
from runtime.log import Record


class Export:
    """A manifest, then records, checkpoints and rows: to be read in this order.

    Every reading raises Damaged. What was read is believed when `finish` has passed.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._frames = frames(file)
        self._next = next(self._frames, None)
        if self._next is None or self._next.kind != MANIFEST:
            raise Damaged("it has no manifest")
        try:
            self.manifest: Manifest = decode_manifest(self._next.payload)
        except ValueError as error:
            raise Damaged(f"its manifest can't be read: {error}") from error
        self._chains = Chains(self.manifest)
        self._causes = Causes(self.manifest)
        self._last = "the manifest"
        self._advance()

    def _advance(self) -> None:
        try:
            self._next = next(self._frames, None)
        except Damaged as error:
            raise Damaged(f"after {self._last}: {error}") from error

    def _of(self, kind: bytes) -> Iterator[Frame]:
        while self._next is not None and self._next.kind == kind:
            yield self._next
            self._advance()

    def records(self) -> Iterator[Record]:
        for frame in self._of(RECORD):
            try:
                record = decode_record(frame.payload)
            except ValueError as error:
                raise Damaged(f"after {self._last}: no record: {error}") from error
            self._chains.take(record)
            self._causes.take(record)
            name = f"{record.service}/{record.partition}"
            self._last = f"{name} offset {record.offset}"
            yield record
        self._chains.finish()
        self._causes.finish()

    @property
    def orphans(self) -> int:
        """How many records answer one that nobody has any more."""
        return self._causes.orphans

    def checkpoints(self) -> Iterator[bytes]:
        for number, frame in enumerate(self._of(CHECKPOINT), 1):
            self._last = f"checkpoint {number}"
            yield frame.payload

    def rows(self) -> Iterator[Row]:
        is_postgres = self.manifest.origin == "postgres"
        known = POSTGRES_COLUMNS if is_postgres else COLUMNS
        services = {log.service for log in self.manifest.logs}
        for number, frame in enumerate(self._of(ROW), 1):
            self._last = f"row {number}"
            try:
                row = decode_row(frame.payload)
            except ValueError as error:
                raise Damaged(f"{self._last}: {error}") from error
            columns = known.get(row.table)
            is_known = columns is not None and row.service in services
            if not is_known or len(columns or ()) != len(row.values):
                raise Damaged(f"{self._last}: no row of {row.table}")
            yield row

    def finish(self) -> None:
        """Everything must have been read, and be what was written."""
        if self._next is not None:
            raise Damaged(f"after {self._last}: a frame of kind {self._next.kind!r}")
