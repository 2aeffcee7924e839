"""The checkpoints that a log is held to: those kept with it, and a lodged copy.

Whoever can write the data can write keys there, too. So a lodged copy is worth most
with a lodged document of keys.
"""

from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path

import msgspec

from contracts.checkpoints import PublicKey, Statement
from push22.checkpoints.keys import PUBLIC_NAME, read_public
from push22.checkpoints.store import kept
from push22.errors import Failure
from push22.given import given_bytes
from push22.inspect.reader import LogName, Reader
from runtime.mirror_mark import is_mirrored
from services.archive.chain import Fault, Row
from services.archive.checkpoints import CheckpointFault, Keys, keys_of
from services.archive.series import (
    NO_SERIES,
    Comparison,
    Series,
    lines_of,
    missing_from,
    series_of,
)


class Witness(msgspec.Struct, frozen=True):
    """`faults` are of the checkpoints themselves.

    `lost_keys` were replaced when nobody had their private half any more.
    """

    kept: Series = NO_SERIES
    lodged: Series = NO_SERIES
    faults: tuple[CheckpointFault, ...] = ()
    lost_keys: tuple[PublicKey, ...] = ()

    @property
    def compared(self) -> int:
        """How many of a lodged copy the log is held to."""
        return len(self.lodged.statements)

    def about(self, log: LogName) -> tuple[Statement, ...]:
        name = (log.service, log.partition)
        return (*self.kept.of(*name), *self.lodged.of(*name))


NO_WITNESS = Witness()

_NO_CHECKPOINT = "holds no checkpoint; nothing was compared"


def witness_of(
    reader: Reader, lodged: Iterable[bytes] | None = None, keys: Path | None = None
) -> Witness:
    """Judge all checkpoints, and the lines of a lodged copy. Raises KeyMissing.

    The copy is read before the reader is opened: of a running casino it would know more
    than the reader sees.
    """
    known = keys_for(reader, keys)
    lost = tuple(key for key in known.values() if key.lost)
    ours = _series(kept(reader.file), known)
    if lodged is None:
        return Witness(ours, NO_SERIES, ours.faults, lost)
    theirs = _series(lodged, known)
    # A mirror that was copied by a command keeps none: nobody signs there.
    is_kept = bool(ours.statements or ours.faults) or not is_mirrored(reader.file)
    gone = missing_from(ours, theirs) if is_kept else []
    faults = dict.fromkeys((*ours.faults, *theirs.faults, *gone))
    return Witness(ours, theirs, tuple(faults), lost)


def lines_in(path: Path) -> list[bytes]:
    """Read lodged checkpoints. Raises Failure, also where there is none: no witness."""
    lines = list(BytesIO(given_bytes(path)))
    if not any(line.strip() for line in lines):
        raise Failure(str(path), _NO_CHECKPOINT, exit_code=2)
    return lines


def _series(lines: Iterable[bytes], keys: Keys) -> Series:
    checkpoints, unreadable = lines_of(lines)
    series = series_of(checkpoints, keys)
    return Series(series.statements, (*unreadable, *series.faults))


def keys_for(reader: Reader, given: Path | None = None) -> dict[str, PublicKey]:
    """Return the keys to believe: given, or in the data. Raises KeyMissing."""
    path = given or Path(reader.file.path).parent / PUBLIC_NAME
    if given is None and not path.exists():
        return {}
    return keys_of(read_public(path))


class Held:
    """Passes a log's rows on and compares them with what was signed of them."""

    def __init__(self, log: LogName, witness: Witness) -> None:
        self._comparison = Comparison(
            f"{log.service}/{log.partition}", log.incarnation, witness.about(log)
        )
        self.count = self._comparison.count
        self.covered = self._comparison.covered

    def passing(self, rows: Iterable[Row]) -> Iterator[Row]:
        if not self.count:
            yield from rows
            return
        see = self._comparison.see
        for row in rows:
            yield row
            # What is no bytes is no record that anybody signed; the chain names it.
            if isinstance(row.offset, int):
                see(row.offset, _bytes(row.hash), _bytes(row.body))

    def faults(self, *, is_whole: bool) -> tuple[Fault, ...]:
        """Return what differs; of a log not read to its end, what did so far."""
        found = self._comparison
        faults = found.finish() if is_whole else found.faults
        return tuple(Fault(fault.kind, fault.offset, fault.text) for fault in faults)


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else b""
