"""`push22 export`: write all logs of a casino into one file."""

import asyncio
import os
import sys
from pathlib import Path
from typing import IO, Annotated

from cyclopts import Parameter

from push22.backup.checking import unlisted
from push22.backup.content import Manifest
from push22.backup.frames import FrameWriter
from push22.backup.from_file import export_file
from push22.errors import Failure
from push22.inspect.elsewhere import database
from push22.inspect.opening import data_directory, opened
from runtime.log import LogError


def export(
    data: Path | None = None,
    /,
    *,
    output: Annotated[Path, Parameter(name=("--output", "-o"))],
    dsn: str = "",
) -> int:
    """Write the logs of all services into one compressed file.

    Of a casino that runs it holds one moment. It holds no secret: back up the keys
    apart (docs/backup.md). `push22 import` takes it in.

    Parameters
    ----------
    data
        A casino's data directory, or a mirror's; else $PUSH22_DATA, else
        ./push22-data.
    output
        The file to write; it must not be there yet.
    dsn
        Instead of a directory: the database, as a role that may read all logs,
        postgresql://...; where no directory is named, else $PUSH22_DSN.

    """
    address = database(data, dsn)
    draft = output.with_name(f".{output.name}.{os.getpid()}")
    if output.exists():
        raise Failure(str(output), "it is there already", exit_code=2)
    try:
        with draft.open("xb") as file:
            manifest, digest = _written(address, data, file)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, output)
    except LogError as error:
        raise Failure("export", str(error)) from error
    finally:
        draft.unlink(missing_ok=True)
    show(manifest)
    size = output.stat().st_size
    sys.stdout.write(f"{output}: {size:,} bytes, content SHA-256 {digest}\n")
    return 0


def _written(dsn: str, data: Path | None, file: IO[bytes]) -> tuple[Manifest, str]:
    writer = FrameWriter(file)
    if dsn:
        # The drivers take a while to load, and most exports are of a file.
        from push22.backup.from_postgres import export_postgres  # noqa: PLC0415
        from push22.casino import SERVICES  # noqa: PLC0415

        names = [service.name for service in SERVICES]
        manifest = asyncio.run(export_postgres(dsn, names, writer))
    else:
        with opened(data_directory(data)) as reader:
            manifest = export_file(reader, writer)
        _refuse_half(manifest)
    return manifest, writer.close()


def _refuse_half(manifest: Manifest) -> None:
    """What nobody would take in again is no backup."""
    if missing := unlisted(manifest):
        text = "is older than this software, or damaged: open it once, or copy the file"
        names = ", ".join(missing)
        raise Failure("export", f"there is no log of {names}: the casino {text}")


def show(manifest: Manifest) -> None:
    """Say of each partition what there is of it."""
    for log in manifest.logs:
        for part in log.partitions:
            if part.count:
                sys.stdout.write(
                    f"{log.service}/{part.partition} of {log.incarnation}:"
                    f" {part.first} to {part.last}, head {part.hash.hex()}\n"
                )
    sys.stdout.write(f"{manifest.records:,} records\n")
