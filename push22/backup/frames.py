"""The file of an export: frames under gzip, in one order, closed by their SHA-256.

A frame is one byte that names its kind, its length and its bytes. Both sides hold one
frame at a time, so the size of a casino doesn't matter.
"""

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from typing import IO, NamedTuple

MAGIC = b"push22.export.v1\n"
FRAME_MAX = 64 * 1024 * 1024
"""No record of ours comes near; a length above it is no length."""

MANIFEST, RECORD, CHECKPOINT, ROW, END = b"M", b"C", b"K", b"R", b"E"
_LEVEL = 6
_HEAD = 5


class Damaged(Exception):
    """The file is not what was written; the text says where, and how that shows."""


class Frame(NamedTuple):
    kind: bytes
    payload: bytes


class FrameWriter:
    """Writes frames; `close` adds the digest of all that came before."""

    def __init__(self, file: IO[bytes]) -> None:
        # No name and no time in the header: the same logs make the same bytes.
        self._zip = gzip.GzipFile("", "wb", _LEVEL, file, mtime=0)
        self._digest = hashlib.sha256()
        self._put(MAGIC)

    def _put(self, data: bytes) -> None:
        self._digest.update(data)
        self._zip.write(data)

    def write(self, kind: bytes, payload: bytes) -> None:
        assert len(payload) <= FRAME_MAX, kind
        self._put(kind + len(payload).to_bytes(4, "big"))
        self._put(payload)

    def close(self) -> str:
        """Finish the file; return the SHA-256 of what is in it."""
        digest = self._digest.digest()
        self.write(END, digest)
        self._zip.close()
        return digest.hex()


def frames(file: IO[bytes]) -> Iterator[Frame]:
    """Return the frames but the last, which is checked. Raises Damaged."""
    reader = _Reader(file)
    if reader.exactly(len(MAGIC)) != MAGIC:
        raise Damaged("this is no export of push22")
    while True:
        so_far = reader.digest.digest()
        head = reader.exactly(_HEAD)
        length = int.from_bytes(head[1:], "big")
        if length > FRAME_MAX:
            raise Damaged(f"a frame says that it has {length} bytes")
        frame = Frame(head[:1], reader.exactly(length))
        if frame.kind == END:
            break
        yield frame
    if frame.payload != so_far:
        raise Damaged("its SHA-256 is not the one at its end: something was changed")
    if reader.more():
        raise Damaged("something was added behind its end")


class _Reader:
    def __init__(self, file: IO[bytes]) -> None:
        self._zip = gzip.GzipFile("", "rb", fileobj=file)
        self.digest = hashlib.sha256()

    def exactly(self, size: int) -> bytes:
        data = self._read(size)
        if len(data) < size:
            raise Damaged("it ends too early: it was cut")
        self.digest.update(data)
        return data

    def more(self) -> bool:
        return bool(self._read(1))

    def _read(self, size: int) -> bytes:
        """A buffered reader gives as much as there is, up to `size`."""
        try:
            return self._zip.read(size)
        except gzip.BadGzipFile as error:
            raise Damaged("it is no export, or its first bytes were changed") from error
        except EOFError as error:
            raise Damaged("it ends too early: it was cut") from error
        except (OSError, zlib.error) as error:
            raise Damaged(f"its compressed bytes were changed: {error}") from error
