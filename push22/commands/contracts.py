"""`push22 contracts`: write the schemas of all messages, or check them."""

import sys
from pathlib import Path

from contracts.schemas import broken_promises, documents
from push22.errors import Failure

FOLDER = Path(__file__).parents[2] / "contracts" / "schemas"


def contracts(*, check: bool = False, out: Path = FOLDER) -> int:
    """Write JSON Schemas and AsyncAPI document of all messages, or check them.

    Exit 0: written, or as they should be; 1: checked, and some file differs, or a
    message is no longer what its file has promised: that needs a new version, and
    nothing is written. A file that is not there promises nothing.

    Parameters
    ----------
    check
        Write nothing; name the files that differ from the catalog.
    out
        The folder, by default the one inside the package.

    """
    due = documents()
    if check:
        return _check(due, out)
    _keep_promises(due, out)
    out.mkdir(parents=True, exist_ok=True)
    for stray in _there(out) - due.keys():
        (out / stray).unlink()
    for name, text in due.items():
        (out / name).write_bytes(text)
    sys.stdout.write(f"{len(due)} files written to {out}\n")
    return 0


def _check(due: dict[str, bytes], out: Path) -> int:
    wrong = sorted(
        name
        for name in due.keys() | _there(out)
        if name not in due or _bytes_of(out / name) != due[name]
    )
    if wrong:
        raise Failure("contracts", f"differs from the catalog: {', '.join(wrong)}")
    sys.stdout.write(f"{len(due)} files are as the catalog says\n")
    return 0


def _keep_promises(due: dict[str, bytes], out: Path) -> None:
    broken = [
        promise
        for name, text in due.items()
        for promise in broken_promises(_bytes_of(out / name), text)
    ]
    if broken:
        raise Failure("contracts", f"a new version is due: {', '.join(broken)}")


def _there(out: Path) -> set[str]:
    return {file.name for file in out.glob("*.json")}


def _bytes_of(file: Path) -> bytes:
    return file.read_bytes() if file.exists() else b""
