"""`push22 evidence`: a round's evidence pack, to be checked without us."""

import getpass
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from push22.checkpoints.keys import SigningKeys
from push22.errors import Failure
from push22.inspect.cases import cases_of
from push22.inspect.elsewhere import readable
from push22.inspect.opening import opened
from push22.inspect.reader import Reader
from runtime.ambient import SystemClock


def evidence(  # noqa: PLR0913 - these are the command's options
    round_id: str,
    *,
    output: Annotated[Path, Parameter(name=("--output", "-o"))],
    case: str | None = None,
    note: str = "",
    by: str = "",
    player: str = "",
    data: Path | None = None,
    dsn: str = "",
) -> int:
    """Write the signed evidence pack of a round that has ended.

    It holds the records, the proofs, a report to read, and `verify.py`, which checks it
    all offline. Exit 1 if executing the round again differs: the pack says so.

    Parameters
    ----------
    round_id
        The round, `round-<table>-<number>`.
    output
        The zip to write.
    case
        The dispute that it is made for, by any name, or `''` for none; else the
        round's case.
    note
        What whoever reads it should know.
    by
        Who makes it; else the user of this machine.
    player
        Make it for this player, `<operator>.<player>`: others are not named.
    data
        The casino's data directory; else $PUSH22_DATA, else ./push22-data. Its key
        signs, or that of $PUSH22_CHECKPOINT_KEYS.
    dsn
        Instead: the logs of a distributed casino, as a role that may read them all,
        postgresql://...; without `--data` else $PUSH22_DSN. What is new in them is
        copied first.

    """
    # The drawing library takes a while to load.
    from push22.evidence.pack import Asked, make_pack  # noqa: PLC0415

    directory = readable(data, dsn)
    with opened(directory) as reader:
        which = _only_case(reader, round_id, player) if case is None else case
        asked = Asked(round_id, by or _user(), which, note, player)
        made = make_pack(reader, asked, SigningKeys(directory), SystemClock())
    try:
        output.write_bytes(made.zip)
    except OSError as error:
        raise Failure(str(output), error.strerror or str(error)) from error
    verdict = "MATCH" if made.is_match else "DIFFERS"
    size = f"{len(made.zip):,} bytes"
    about = f", for case {which}" if which else ""
    sys.stdout.write(f"{output}: {size}, executed again: {verdict}{about}\n")
    return 0 if made.is_match else 1


def _only_case(reader: Reader, round_id: str, player: str) -> str:
    """Return the round's case, if there is one. Raises Failure where there are more."""
    found = cases_of(reader, round_id, player)
    if len(found) > 1:
        text = f"there are several cases about it: {', '.join(found)}"
        reason = f"{text}; name one by --case, or none by --case ''"
        raise Failure(round_id, reason, exit_code=2)
    return found[0] if found else ""


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"
