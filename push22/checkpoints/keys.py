"""The keys that sign checkpoints: one signs, all that ever did are known.

The file is readable by its owner alone. At a rotation the private key of the old one is
gone for good; its public key stays, with the time from which it signs nothing any more.
"""

import base64
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from contracts.checkpoints import Checkpoint, KeyDocument, PublicKey, Statement
from contracts.envelope import Micros
from contracts.strict import check_nesting
from push22.checkpoints.earlier import last_signature
from push22.given import why
from runtime.ambient import Clock, KeyMissing
from services.archive.checkpoints import key_id_of, signed

KEYS = "PUSH22_CHECKPOINT_KEYS"
KEYS_NAME = "checkpoint-keys.json"
PUBLIC_NAME = "checkpoint-keys-public.json"


_LOST = (
    "the key that signed this log is missing: copy it here from the directory that the"
    " log came from; if nobody has it any more: push22 checkpoints rotate --lost"
)


_Kind = TypeVar("_Kind")


class _File(msgspec.Struct, frozen=True):
    """`private` is base64 of the 32 bytes that the last key of `public` belongs to."""

    private: str
    public: KeyDocument


class SigningKeys:
    """The keys of a data directory, or of the file that $PUSH22_CHECKPOINT_KEYS names.

    The file is read for each signature: what was rotated meanwhile signs no more. No
    key is made, and none used, where another one signed before that it doesn't know.
    """

    def __init__(self, data: Path) -> None:
        given = os.environ.get(KEYS)
        self._data = data
        self._path = Path(given) if given else data / KEYS_NAME
        self._public_path = data / PUBLIC_NAME

    def sign(self, statements: list[Statement], clock: Clock) -> list[Checkpoint]:
        """Date statements and sign them with the present key."""
        with self._locked():
            now = clock.now()
            file = self._read_or_make(now)
        key = file.public.keys[-1]
        private = Ed25519PrivateKey.from_private_bytes(base64.b64decode(file.private))
        # A clock that was set back dates nothing before the key's own begin.
        made_at = max(now, key.since)
        dated = [replace(item, made_at=made_at) for item in statements]
        return [signed(item, key.key_id, private.sign) for item in dated]

    def sign_text(self, key_id: str, text: bytes, clock: Clock) -> bytes:
        """Sign anything else with the present key. Raises KeyMissing if it is another.

        Whoever calls puts a domain of its own before the text.
        """
        with self._locked():
            file = self._read_or_make(clock.now())
        if file.public.keys[-1].key_id != key_id:
            raise KeyMissing(f"{self._path}: key {key_id} signs no more: try again")
        private = Ed25519PrivateKey.from_private_bytes(base64.b64decode(file.private))
        return private.sign(text)

    def are_there(self) -> bool:
        """Whether a key signs here already, or the next signature would make one."""
        return self._path.is_file()

    def check(self) -> None:
        """Raise KeyMissing if the next signature would not go on from the last."""
        with self._locked():
            self._read()

    def public(self, clock: Clock) -> KeyDocument:
        """Return the public keys; make the first where there is none."""
        with self._locked():
            return self._read_or_make(clock.now()).public

    def rotate(self, clock: Clock) -> KeyDocument:
        """Sign with a new key from now on."""
        with self._locked():
            known = self._read_or_make(clock.now()).public.keys
            now = max(clock.now(), known[-1].since)
            ended = replace(known[-1], until=now)
            return self._write(_fresh((*known[:-1], ended), now)).public

    def replace_lost(self) -> KeyDocument:
        """Sign with a new key from where the lost one ended. Raises KeyMissing.

        All public keys stay: what was signed before still verifies.
        """
        with self._locked():
            if self._path.exists():
                raise KeyMissing(f"{self._path} is there: only a missing key is lost")
            if not self._public_path.exists():
                raise KeyMissing(
                    f"{self._public_path}: no public keys: bring back the lodged copy"
                )
            last = last_signature(self._data)
            *before, lost = read_public(self._public_path).keys
            if last and last.key_id not in {key.key_id for key in (*before, lost)}:
                raise KeyMissing(_is_unknown(self._public_path, last.key_id))
            is_its = last is not None and last.key_id == lost.key_id
            until = max(last.made_at, lost.since) if is_its and last else lost.since
            ended = replace(lost, until=until, lost=True)
            return self._write(_fresh((*before, ended), until)).public

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Who signs knows that his key is the present one at the time he dates it."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _read_or_make(self, now: Micros) -> _File:
        return self._read() or self._write(_fresh((), now))

    def _read(self) -> _File | None:
        """Return the keys; None: there are none yet. Raises KeyMissing."""
        if not self._path.exists():
            if self._public_path.exists() or last_signature(self._data) is not None:
                raise KeyMissing(f"{self._path}: {_LOST}")
            return None
        file = self._decoded()
        self._hold_to_earlier(file.public)
        return file

    def _decoded(self) -> _File:
        try:
            file = _read_strictly(self._path, _File)
            private = base64.b64decode(file.private, validate=True)
            raw = _public_of(private)
        except (OSError, ValueError) as error:
            raise KeyMissing(f"{self._path}: no usable signing key: {error}") from error
        if not file.public.keys or file.public.keys[-1].key_id != key_id_of(raw):
            raise KeyMissing(
                f"{self._path}: the private key is not the last public one"
            )
        return file

    def _hold_to_earlier(self, due: KeyDocument) -> None:
        """The public keys must go on from those known, and know the last signer.

        A kill at a rotation may have kept the newest from being public: it becomes so.
        """
        ids = [key.key_id for key in due.keys]
        last = last_signature(self._data)
        if last is not None and last.key_id not in ids:
            raise KeyMissing(_is_unknown(self._path, last.key_id))
        if not self._public_path.exists():
            self._publish(due)
            return
        known = [key.key_id for key in read_public(self._public_path).keys]
        if known != ids[: len(known)]:
            raise KeyMissing(_is_unknown(self._path, known[-1]))
        if len(known) < len(ids):
            self._publish(due)

    def _write(self, file: _File) -> _File:
        _put(self._path, msgspec.json.encode(file), 0o600)
        self._publish(file.public)
        return file

    def _publish(self, document: KeyDocument) -> None:
        text = msgspec.json.format(msgspec.json.encode(document), indent=2)
        _put(self._public_path, text + b"\n", 0o644)


def _is_unknown(path: Path, key_id: str) -> str:
    return (
        f"{path}: this is not the file that signed this log last: it does not know key"
        f" {key_id}; bring back the newest copy of the right one. If nobody has it:"
        f" move {KEYS_NAME} away, then push22 checkpoints rotate --lost"
    )


def _fresh(before: tuple[PublicKey, ...], now: Micros) -> _File:
    private = Ed25519PrivateKey.generate().private_bytes_raw()
    public = _public_of(private)
    key = PublicKey(key_id_of(public), base64.b64encode(public).decode(), now)
    return _File(base64.b64encode(private).decode(), KeyDocument((*before, key)))


def _public_of(private: bytes) -> bytes:
    key = Ed25519PrivateKey.from_private_bytes(private)
    return key.public_key().public_bytes_raw()


def _put(path: Path, text: bytes, mode: int) -> None:
    """Write a file whole or not at all, durably."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(handle, "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def read_public(path: Path) -> KeyDocument:
    """Read a document of public keys. Raises KeyMissing."""
    try:
        document = _read_strictly(path, KeyDocument)
    except OSError as error:
        raise KeyMissing(f"{path}: {why(error)}") from error
    except ValueError as error:
        raise KeyMissing(f"{path}: no public keys: {error}") from error
    if not document.keys:
        raise KeyMissing(f"{path}: holds no key")
    return document


def _read_strictly(path: Path, kind: type[_Kind]) -> _Kind:
    """Raises OSError or ValueError."""
    data = path.read_bytes()
    check_nesting(data)
    return msgspec.json.decode(data, type=kind)
