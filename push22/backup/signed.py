"""How much of what was taken in is under a signature, and that all of it holds."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from push22.backup.content import Manifest
from push22.backup.frames import Damaged
from push22.inspect.reader import Reader
from push22.inspect.witness import Held, Witness, witness_of


class Covered(NamedTuple):
    """A partition that has records, and up to where signed checkpoints cover them."""

    name: str
    records: int
    covered: int


class NothingSigned(Exception):
    """Keys were named to hold the logs to, and nothing signed covers one of them."""


def check_signed(draft: Path, keys: Path | None) -> tuple[Covered, ...]:
    """Hold what was taken in to all that was ever signed of it.

    Where `keys` are named, each log that has records must be covered by them. Raises
    Damaged, NothingSigned or KeyMissing.
    """
    reader = Reader.open(draft)
    try:
        witness = witness_of(reader, keys=keys)
        for fault in witness.faults:
            raise Damaged(f"checkpoints: {fault.kind} {fault.log}: {fault.text}")
        found = tuple(_held(reader, witness))
    finally:
        reader.close()
    if keys is not None:
        check_covered(found, keys)
    return found


def _held(reader: Reader, witness: Witness) -> Iterator[Covered]:
    for log in reader.logs():
        held = Held(log, witness)
        name, records = f"{log.service}/{log.partition}", 0
        for _ in held.passing(reader.chain(log)):
            records += 1
        for found in held.faults(is_whole=True):
            raise Damaged(f"{name} offset {found.offset}: {found.kind}: {found.text}")
        if records:
            yield Covered(name, records, min(held.covered, records))


def uncovered(manifest: Manifest) -> tuple[Covered, ...]:
    """Return what there is where no checkpoints are kept."""
    return tuple(
        Covered(f"{log.service}/{part.partition}", part.count, 0)
        for log in manifest.logs
        for part in log.partitions
        if part.count
    )


def check_covered(found: tuple[Covered, ...], keys: Path) -> None:
    """Raises NothingSigned naming the first log that these keys say nothing about."""
    for log in found:
        if not log.covered:
            text = f"nothing signed by the keys of {keys} covers its"
            raise NothingSigned(f"{log.name}: {text} {log.records:,} records")


def told(found: tuple[Covered, ...], keys: Path | None) -> str:
    """Say what the signatures are worth: lines, the verdict last."""
    records = sum(log.records for log in found)
    covered = sum(log.covered for log in found)
    if not covered:
        return (
            "chains, heads and digest hold; nothing signed covers these logs:\n"
            "compare them with a lodged copy (docs/backup.md)\n"
        )
    source = f"of {keys}" if keys is not None else "that came with it"
    signed = f"{covered:,} of {records:,} records are signed, by the keys {source}\n"
    bare = ", ".join(log.name for log in found if not log.covered)
    if bare:
        open_ = f"nothing signed covers {bare}: compare with a lodged copy\n"
        return f"{signed}{open_}all else holds\n"
    return f"{signed}everything holds\n"
