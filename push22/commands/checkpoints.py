"""`push22 checkpoints`: what was signed about the logs, and by which keys."""

import sys
from pathlib import Path
from typing import Literal

import msgspec
from rich.table import Table

from contracts.checkpoints import Checkpoint
from push22.checkpoints.keys import PUBLIC_NAME, SigningKeys
from push22.checkpoints.store import kept
from push22.errors import Failure
from push22.inspect.money import moment
from push22.inspect.opening import console, data_directory, opened
from runtime.ambient import SystemClock
from runtime.log import LogError
from runtime.mirror_mark import is_mirrored
from services.archive.checkpoints import encode, fingerprint, said
from services.archive.series import lines_of

Action = Literal["show", "keys", "rotate"]


def checkpoints(
    action: Action = "show",
    /,
    *,
    all: bool = False,  # noqa: A002 - the option's name
    json: bool = False,
    lost: bool = False,
    data: Path | None = None,
) -> int:
    """Show what was signed about the logs last, to be printed or noted.

    keys: print the public keys as the JSON document to lodge with checkpoints.
    rotate: sign with a new key from now on; the old private key is gone for good.
    `push22 verify` checks the logs against checkpoints.

    Parameters
    ----------
    action
        show, keys or rotate.
    all
        Show every checkpoint, not only the last of each log.
    json
        Print checkpoints as they are lodged, one JSON document a line.
    lost
        With rotate: nobody has the private key any more. Its public key stays, ended
        at the last checkpoint that it signed.
    data
        The casino's data directory, or the archive's; else $PUSH22_DATA, else
        ./push22-data.

    """
    if lost and action != "rotate":
        raise Failure("--lost", "it goes with rotate", exit_code=2)
    if action == "show":
        return _show(data, every=all, json=json)
    directory = data_directory(data)
    if not directory.is_dir():
        raise Failure(str(directory), "there is no such data directory", exit_code=2)
    keys = SigningKeys(directory)
    try:
        if action == "rotate":
            _rotate(keys, directory, lost=lost)
        else:
            document = msgspec.json.encode(keys.public(SystemClock()))
            sys.stdout.write(msgspec.json.format(document, indent=2).decode() + "\n")
    except LogError as error:
        raise Failure("checkpoints", str(error)) from error
    return 0


def _rotate(keys: SigningKeys, directory: Path, *, lost: bool) -> None:
    document = keys.replace_lost() if lost else keys.rotate(SystemClock())
    if lost:
        ended = document.keys[-2]
        at = moment(ended.until)
        sys.stdout.write(f"key {ended.key_id} is lost: it signed until {at}\n")
    sys.stdout.write(f"{document.keys[-1].key_id} signs from now on\n")
    sys.stdout.write(f"lodge {directory / PUBLIC_NAME} with the checkpoints\n")


def _show(data: Path | None, *, every: bool, json: bool) -> int:
    with opened(data) as reader:
        found, faults = lines_of(kept(reader.file))
        is_copy = is_mirrored(reader.file)
    shown = found if every else _newest(found)
    if json:
        for checkpoint in shown:
            sys.stdout.write(encode(checkpoint).decode() + "\n")
    elif shown:
        console().print(_table(shown))
        keys = ", ".join(dict.fromkeys(item.key_id for item in shown))
        console().print(f"\nsigned by {keys}")
    else:
        where = "this copy: the archive signs" if is_copy else "this directory"
        sys.stdout.write(f"no checkpoints in {where}\n")
    if faults:
        text = f"{len(faults)} can't be read, see push22 verify --all"
        raise Failure("checkpoints", text)
    return 0


def _newest(found: list[Checkpoint]) -> list[Checkpoint]:
    newest: dict[tuple[str, int], Checkpoint] = {}
    for checkpoint in found:
        at = said(checkpoint)
        newest[at.service, at.partition] = checkpoint
    return [newest[name] for name in sorted(newest)]


def _table(shown: list[Checkpoint]) -> Table:
    table = Table(box=None, padding=(0, 1), pad_edge=False)
    for name in ("log", "up to", "signed at"):
        table.add_column(name, no_wrap=True)
    table.add_column("fingerprint")
    for checkpoint in shown:
        at = said(checkpoint)
        table.add_row(
            f"{at.service}/{at.partition}",
            f"{at.offset:,}",
            moment(at.made_at),
            fingerprint(checkpoint),
        )
    return table
