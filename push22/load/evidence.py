"""Keeps what a run left behind whose books are not sound: it can't be had again."""

import shutil
from collections.abc import Iterable
from pathlib import Path

FOLDER = "evidence"
_NOT_FILES = (OSError, shutil.Error)


def kept(sources: Iterable[str], out: Path) -> Path:
    """Copy files and directories beside the report; return where they are.

    What can't be copied is named in a file there: the rest is kept all the same.
    """
    folder = _fresh(out)
    missed = []
    for source in map(Path, sources):
        try:
            _copy(source, folder / source.name)
        except _NOT_FILES as error:
            missed.append(f"{source}: {error}")
    if missed:
        (folder / "not-kept.txt").write_text("\n".join(missed) + "\n")
    return folder


def _fresh(out: Path) -> Path:
    """Make a folder of its own: evidence of an earlier run is not written over."""
    number = 1
    while True:
        folder = out / (FOLDER if number == 1 else f"{FOLDER}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            number += 1
        else:
            return folder


def _copy(source: Path, to: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, to)
    else:
        shutil.copy2(source, to)
