"""Exports under test: made, taken apart, changed, and taken in."""

import gzip
import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from push22.__main__ import run
from push22.backup.frames import END, MAGIC, Frame, FrameWriter, frames
from push22.bot import Wagers

WAGERS = Wagers((1,), (1000, 1000))
Told = pytest.CaptureFixture[str]
Change = Callable[[list[Frame]], list[Frame]]


def export(data: Path, file: Path) -> None:
    assert run(["export", str(data), "-o", str(file)]) == 0


def digest(data: Path, capsys: Told) -> str:
    capsys.readouterr()
    assert run(["digest", "--data", str(data)]) == 0
    return capsys.readouterr().out


def refused(file: Path, target: Path, capsys: Told, *more: str) -> str:
    """Taking it in fails, with one line, and leaves nothing behind."""
    before = sorted(target.parent.iterdir())
    assert run(["import", str(file), "-o", str(target), *more]) == 1
    assert sorted(target.parent.iterdir()) == before
    told = capsys.readouterr().err
    assert told.count("\n") == 1, told
    return told


def frames_of(file: Path) -> list[Frame]:
    with file.open("rb") as source:
        return list(frames(source))


def forged(file: Path, change: Change) -> Path:
    """Change frames and close the file rightly again, as a forger would."""
    target = file.with_name("forged.p22")
    with target.open("wb") as out:
        writer = FrameWriter(out)
        for frame in change(frames_of(file)):
            writer.write(*frame)
        writer.close()
    return target


def raw(file: Path) -> bytes:
    return gzip.decompress(file.read_bytes())


def ends_rightly(data: bytes) -> bool:
    """Tell by the format's own description whether the digest at the end holds."""
    tail = END + (32).to_bytes(4, "big")
    body, found = data[: -len(tail) - 32], data[-32:]
    return (
        data.startswith(MAGIC)
        and data[-len(tail) - 32 : -32] == tail
        and hashlib.sha256(body).digest() == found
    )
