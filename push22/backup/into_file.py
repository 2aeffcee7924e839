"""Takes an export in as a new data directory, or leaves nothing behind.

Everything is written beside the target and checked; only then it gets its name.
"""

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from push22.backup.content import COLUMNS, Manifest, PartExport, Row
from push22.backup.frames import Damaged
from push22.backup.reading import Export
from push22.backup.signed import Covered, check_signed
from push22.casino import LOG_NAME
from push22.checkpoints.keys import PUBLIC_NAME
from push22.inspect.rebuilding import fill_index
from runtime.log import Record
from runtime.mirror_mark import mark
from runtime.remembered import Remembered
from runtime.sqlite_file import SqliteFile
from runtime.sqlite_places import INSERT, Places
from services.archive.checkpoints import decode, said

_BATCH = 1000
_CHECKPOINT = (
    "INSERT INTO checkpoints (service, part, since, offset, body)"
    " VALUES (?, ?, ?, ?, ?)"
)


class NotEmpty(Exception):
    """Nothing is taken in where something is already."""


def import_file(
    export: Export, target: Path, *, as_mirror: bool, keys: Path | None = None
) -> tuple[Covered, ...]:
    """Make the directory. Raises NotEmpty, Damaged, NothingSigned or LogError.

    `keys` are the public keys to believe, instead of those in the export; they must
    cover each log. Returned is how much is signed.
    """
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise NotEmpty(f"{target} is not empty")
    target.parent.mkdir(parents=True, exist_ok=True)
    with _beside(target) as draft:
        _fill(export, draft, as_mirror=as_mirror)
        found = check_signed(draft, keys)
        draft.rename(target)
    _sync(target.parent)
    return found


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    parent = target.resolve().parent
    draft = Path(tempfile.mkdtemp(prefix=f".{target.name}.import-", dir=parent))
    try:
        yield draft
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _fill(export: Export, draft: Path, *, as_mirror: bool) -> None:
    with closing(SqliteFile.open(draft / LOG_NAME)) as file:
        manifest = export.manifest
        is_mirror = as_mirror or manifest.origin != "file"
        if is_mirror:
            mark(file)
        # The file has no name yet: it is durable when it gets one.
        file.execute("PRAGMA synchronous = OFF")
        _begin(file, manifest, is_mirror=is_mirror)
        places = _places(file, manifest)
        for records in batches(export.records()):
            with file.transaction():
                file.executemany(INSERT, _rows(file, places, records))
        for bodies in batches(export.checkpoints()):
            with file.transaction():
                file.executemany(_CHECKPOINT, [_checkpoint(body) for body in bodies])
        for rows in batches(export.rows()):
            if not is_mirror:
                _insert(file, rows)
        export.finish()
        fill_index(file)
        file.execute("PRAGMA synchronous = FULL")
    if manifest.keys is not None:
        text = msgspec.json.format(msgspec.json.encode(manifest.keys), indent=2)
        (draft / PUBLIC_NAME).write_bytes(text + b"\n")
    for item in draft.iterdir():
        _sync(item)
    _sync(draft)


def _begin(file: SqliteFile, manifest: Manifest, *, is_mirror: bool) -> None:
    """Put down names and heads; a mirror's service was never alive."""
    with file.transaction():
        for log in manifest.logs:
            values = (log.service, log.incarnation)
            file.execute("INSERT INTO incarnations VALUES (?, ?)", values)
            file.executemany(
                "INSERT INTO heads VALUES (?, ?, ?, ?, ?)",
                [
                    _head(log.service, part, is_mirror=is_mirror)
                    for part in log.partitions
                ],
            )


def _head(service: str, part: PartExport, *, is_mirror: bool) -> tuple[Any, ...]:
    alive_at = 0 if is_mirror else part.alive_at
    return service, part.partition, part.last + 1, part.hash, alive_at


def _places(file: SqliteFile, manifest: Manifest) -> dict[str, Places]:
    rounds: Remembered[int] = Remembered()
    return {log.service: Places(file, log.service, rounds) for log in manifest.logs}


def _rows(
    file: SqliteFile, places: Mapping[str, Places], records: Iterable[Record]
) -> Iterator[tuple[Any, ...]]:
    """Give records their places; a stream's versions must have no hole."""
    (place,) = file.query("SELECT coalesce(max(place), 0) FROM records")[0]
    for known in places.values():
        known.refresh()
    for record in records:
        place += 1
        known = places[record.service]
        if record.version != known.version(record.stream) + 1:
            where = f"{record.service}/{record.partition} offset {record.offset}"
            raise Damaged(f"{where}: {record.stream} skips to {record.version}")
        yield known.row(record, place)


def _checkpoint(body: bytes) -> tuple[Any, ...]:
    try:
        at = said(decode(body))
    except ValueError as error:
        raise Damaged(f"a checkpoint can't be read: {error}") from error
    return at.service, at.partition, at.since, at.offset, body


def _insert(file: SqliteFile, rows: list[Row]) -> None:
    with file.transaction():
        for row in rows:
            columns = ("service", *COLUMNS[row.table])
            listed, marks = ", ".join(columns), ", ".join("?" for _ in columns)
            insert = f"INSERT INTO {row.table} ({listed})"
            file.execute(f"{insert} VALUES ({marks})", (row.service, *row.values))


def batches(items: Iterable[Any]) -> Iterator[list[Any]]:
    source = iter(items)
    while batch := list(islice(source, _BATCH)):
        yield batch


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
