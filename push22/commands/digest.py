"""`push22 digest`: digests of logs and indices, to be compared with another copy's."""

import sys
from pathlib import Path

import msgspec

from push22.backup.digests import digests_of
from push22.inspect.elsewhere import readable
from push22.inspect.opening import opened


def digest(*, json: bool = False, data: Path | None = None, dsn: str = "") -> int:
    """Print a SHA-256 of each partition's records and of each table of the indices.

    Two copies of a casino with equal logs print equal lines, and so does one whose
    indices were filled again from zero (`push22 rounds --rebuild`).

    Parameters
    ----------
    json
        Print one JSON object a line.
    data
        The casino's data directory; else $PUSH22_DATA, else ./push22-data.
    dsn
        Instead: the logs of a distributed casino, postgresql://...; without `--data`
        else $PUSH22_DSN. What is new in them is copied first.

    """
    with opened(readable(data, dsn)) as reader:
        for item in digests_of(reader):
            if json:
                sys.stdout.write(msgspec.json.encode(item._asdict()).decode() + "\n")
            else:
                sys.stdout.write(f"{item.sha256}  {item.rows:,} {item.name}\n")
    return 0
