"""Progress of a long verification, kept in a directory: it survives a kill at any time.

Each part of the work has a file of its own, replaced whole. A file that is not what was
written there is refused; whoever can write to the directory can write what was found.
"""

import os
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from contracts import ENGINE_VERSION
from push22.errors import Failure
from push22.inspect.reader import Reader
from push22.inspect.verify import Stretch
from push22.inspect.witness import Witness

T = TypeVar("T")

KEEP_EVERY = 100_000
"""So many records are made again, at most, by each process after a kill."""

_SUFFIX = ".progress"
_SUBJECT = "job"


class Subject(msgspec.Struct, frozen=True):
    """What is verified, and how it was cut into parts when the work began."""

    path: str
    engine: str
    last_place: int
    last_record: str
    witness: str
    stretches: tuple[Stretch, ...]


class Job:
    """The progress in one directory."""

    def __init__(self, folder: Path, keep_every: int = KEEP_EVERY) -> None:
        self.folder = folder
        self.keep_every = keep_every

    def begin(
        self, reader: Reader, witness: Witness, stretches: list[Stretch]
    ) -> tuple[Stretch, ...]:
        """Begin with these stretches, or go on with those of the work begun before.

        Raises Failure if it was begun on another log, by another engine, or with other
        checkpoints.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        begun = self.load(_SUBJECT, Subject)
        if begun is None:
            self.end()
            begun = _subject(reader, reader.last_place(), witness, stretches)
            self.save(_SUBJECT, begun)
        elif begun != _subject(reader, begun.last_place, witness, begun.stretches):
            reason = "it holds progress on another log, engine or copy of checkpoints"
            raise Failure(str(self.folder), f"{reason}: give another one", exit_code=2)
        return begun.stretches

    def load(self, name: str, kind: type[T]) -> T | None:
        """Return what was saved; `None` if nothing was. Raises Failure."""
        path = self._path(name)
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            return None
        digest, _, body = text.partition(b"\n")
        if sha256(body).hexdigest().encode() != digest:
            raise Failure(str(path), "it was changed: remove it, to do its part again")
        return msgspec.json.decode(body, type=kind, dec_hook=_counter)

    def save(self, name: str, value: object) -> None:
        """Save durably: after a kill there is the old or the new, whole."""
        body = msgspec.json.encode(value)
        path = self._path(name)
        draft = path.with_suffix(f".{os.getpid()}")
        with draft.open("wb") as file:
            file.write(sha256(body).hexdigest().encode() + b"\n" + body)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)

    def end(self) -> None:
        """Remove the progress: the next verification looks at everything again.

        The subject goes last: after a kill the parts that are gone are done again.
        """
        for path in sorted(self.folder.glob(f"*{_SUFFIX}")):
            if path != self._path(_SUBJECT):
                path.unlink()
        self._path(_SUBJECT).unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}{_SUFFIX}"


def _subject(
    reader: Reader, last: int, witness: Witness, stretches: Iterable[Stretch]
) -> Subject:
    return Subject(
        str(Path(reader.file.path).resolve()),
        ENGINE_VERSION,
        last,
        reader.hash_at(last),
        sha256(msgspec.json.encode(witness)).hexdigest(),
        tuple(stretches),
    )


def _counter(kind: type[Any], value: Any) -> Any:
    """Read the one kind of value that JSON does not know."""
    assert getattr(kind, "__origin__", kind) is Counter, f"unknown kind {kind}"
    return Counter(value)
