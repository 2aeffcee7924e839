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

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from contracts.checkpoints import Checkpoint, KeyDocument, PublicKey, Statement
from contracts.envelope import Micros
from push22.given import why
from runtime.ambient import Clock, KeyMissing
from services.archive.checkpoints import key_id_of, signed

KEYS = "PUSH22_CHECKPOINT_KEYS"
KEYS_NAME = "checkpoint-keys.json"
PUBLIC_NAME = "checkpoint-keys-public.json"


class _File(msgspec.Struct, frozen=True):
    """`private` is base64 of the 32 bytes that the last key of `public` belongs to."""

    private: str
    public: KeyDocument


class SigningKeys:
    """The keys of a data directory, or of the file that $PUSH22_CHECKPOINT_KEYS names.

    The file is read for each signature: what was rotated meanwhile signs no more.
    """

    def __init__(self, data: Path) -> None:
        given = os.environ.get(KEYS)
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

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Who signs knows that his key is the present one at the time he dates it."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _read_or_make(self, now: Micros) -> _File:
        if not self._path.exists():
            return self._write(_fresh((), now))
        try:
            file = msgspec.json.decode(self._path.read_bytes(), type=_File)
            private = base64.b64decode(file.private, validate=True)
            raw = _public_of(private)
        except (OSError, ValueError) as error:
            raise KeyMissing(f"{self._path}: no usable signing key: {error}") from error
        if not file.public.keys or file.public.keys[-1].key_id != key_id_of(raw):
            raise KeyMissing(
                f"{self._path}: the private key is not the last public one"
            )
        if self._is_behind(file.public):
            self._publish(file)
        return file

    def _is_behind(self, due: KeyDocument) -> bool:
        """Tell whether a kill at a rotation kept the newest keys from being public."""
        if not self._public_path.exists():
            return True
        try:
            known = read_public(self._public_path).keys
        except KeyMissing:
            return False
        ids = [key.key_id for key in due.keys[: len(known)]]
        return len(known) < len(due.keys) and ids == [key.key_id for key in known]

    def _write(self, file: _File) -> _File:
        _put(self._path, msgspec.json.encode(file), 0o600)
        self._publish(file)
        return file

    def _publish(self, file: _File) -> None:
        text = msgspec.json.format(msgspec.json.encode(file.public), indent=2)
        _put(self._public_path, text + b"\n", 0o644)


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
        return msgspec.json.decode(path.read_bytes(), type=KeyDocument)
    except OSError as error:
        raise KeyMissing(f"{path}: {why(error)}") from error
    except ValueError as error:
        raise KeyMissing(f"{path}: no public keys: {error}") from error
