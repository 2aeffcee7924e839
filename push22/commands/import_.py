"""`push22 import`: take an export in, where nothing is yet."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Annotated, BinaryIO

from cyclopts import Parameter

from push22.backup.checking import absent
from push22.backup.frames import Damaged
from push22.backup.into_file import NotEmpty, import_file
from push22.backup.reading import Export
from push22.backup.signed import NothingSigned, told
from push22.commands.export import show
from push22.errors import Failure
from push22.given import unreadable
from push22.inspect.counting import counted
from runtime.ambient import KeyMissing
from runtime.log import LogError

_NEXT = """\
next: bring seal-keys.json and checkpoint-keys.json from the old directory to {}
before it is opened (docs/keys.md)
"""
_NEXT_OF_SERVICES = """\
next: give the services the PUSH22_SEAL_KEYS that they had before they are started, and
the archive's directory its checkpoint-keys.json (docs/keys.md)
"""


def import_(
    file: Path,
    /,
    *,
    output: Annotated[Path | None, Parameter(name=("--output", "-o"))] = None,
    mirror: bool = False,
    dsn: str = "",
    keys: Path | None = None,
) -> int:
    """Take an export in whole, or not at all.

    Every record is held to its chain, every chain to its head, every checkpoint to its
    signature and to the records, and all of it to the digest at the file's end. What
    does not hold is named, and nothing is left behind. The indices are filled again.
    The keys are brought back by hand (docs/backup.md).

    Parameters
    ----------
    file
        What `push22 export` wrote.
    output
        The directory to make: it is not there, or empty.
    mirror
        Make a copy to be read only, on which nobody plays. Of an export of PostgreSQL
        it always is one.
    dsn
        Instead of a directory: a database that `push22 migrate` has just made, as an
        administrator, postgresql://...; else $PUSH22_DSN, where --output is missing.
    keys
        The public keys that checkpoints must be signed with; else those in the export.
        A log that no checkpoint of theirs covers is refused then.

    """
    address = dsn or ("" if output is not None else os.environ.get("PUSH22_DSN", ""))
    if bool(address) == (output is not None):
        raise Failure("import", "give --output or --dsn", exit_code=2)
    try:
        with _opened(file) as source:
            export = Export(source)
            if output is not None:
                found = import_file(export, output, as_mirror=mirror, keys=keys)
            else:
                from push22.backup.into_postgres import import_postgres  # noqa: PLC0415

                found = asyncio.run(import_postgres(export, address, keys=keys))
    except KeyMissing as error:
        raise Failure("import", str(error), exit_code=2) from error
    except (Damaged, NothingSigned) as error:
        raise Failure(str(file), str(error)) from error
    except (NotEmpty, LogError) as error:
        raise Failure("import", str(error)) from error
    _tell(export, told(found, keys))
    if output is None:
        sys.stdout.write(_NEXT_OF_SERVICES)
    elif export.manifest.origin == "file" and not mirror:
        sys.stdout.write(_NEXT.format(output))
    return 0


def _tell(export: Export, verdict: str) -> None:
    show(export.manifest)
    if missing := absent(export.manifest):
        names = ", ".join(missing)
        sys.stdout.write(f"a mirror without a log of {names}\n")
    if export.orphans:
        records = counted(export.orphans, "record")
        sys.stdout.write(f"{records} answer what was lost: a log has a new name\n")
    sys.stdout.write(verdict)


def _opened(file: Path) -> BinaryIO:
    try:
        return file.open("rb")
    except OSError as error:
        raise unreadable(file, error) from error
