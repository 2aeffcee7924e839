"""The impurities, in one place: clock, randomness, sealing keys.

A decision names what it needs; what it got is recorded with its events, secret
values only sealed.
"""

import base64
import hmac
import json
import os
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from contracts.envelope import Micros
from contracts.strict import check_nesting
from runtime.log import LogError
from runtime.service import AmbientRequest

_NONCE_BYTES = 12
_UNSEALED_KEPT = 4096


class KeyMissing(LogError):
    """A sealed value's key is not in the key ring, or does not open it."""


class Clock(Protocol):
    def now(self) -> Micros: ...


class SystemClock:
    """The machine's clock; it never goes back within a process."""

    def __init__(self) -> None:
        self._last = 0

    def now(self) -> Micros:
        self._last = max(self._last, time.time_ns() // 1000)
        return self._last


class ManualClock:
    """A clock that stands until it is told to move."""

    def __init__(self, now: Micros = 1_767_225_600_000_000) -> None:
        self._now = now

    def now(self) -> Micros:
        return self._now

    def advance(self, *, seconds: float) -> None:
        self._now += int(seconds * 1_000_000)

    def advance_to(self, now: Micros) -> None:
        self._now = max(self._now, now)


class Entropy(Protocol):
    """Where chance comes from. `is_demonstration`: not fit for money."""

    is_demonstration: bool

    def random(self, size: int) -> bytes: ...

    def shuffle(self, size: int) -> bytes: ...


class SystemEntropy:
    """The operating system's generator: what money is played with (R3, R4)."""

    is_demonstration = False

    def random(self, size: int) -> bytes:
        return secrets.token_bytes(size)

    def shuffle(self, size: int) -> bytes:
        return shuffled(size, secrets.randbelow)


class SeededEntropy:
    """The same chance again from a seed: for demonstration and tests only."""

    is_demonstration = True

    def __init__(self, seed: int) -> None:
        import random  # noqa: PLC0415 - nothing else here may use this generator

        self._random = random.Random(seed)  # noqa: S311 - marked as demonstration

    def random(self, size: int) -> bytes:
        return self._random.randbytes(size)

    def shuffle(self, size: int) -> bytes:
        return shuffled(size, self._random.randrange)


def shuffled(size: int, below: Callable[[int], int]) -> bytes:
    """Return 0 … size - 1 in an unbiased order, two bytes each, big-endian.

    Fisher-Yates; `below(n)` must be uniform in 0 … n - 1 (R2).
    """
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        other = below(last + 1)
        order[last], order[other] = order[other], order[last]
    return encode_order(order)


def encode_order(order: Sequence[int]) -> bytes:
    return b"".join(index.to_bytes(2, "big") for index in order)


_KEYS = "PUSH22_SEAL_KEYS"
_MAKE_KEYS = (
    'give {"active": ID, "keys": {ID: 32 bytes in Base64}}; deploy/secrets.sh makes '
    "it, or: export PUSH22_SEAL_KEYS=$(printf "
    """'{"active": "1", "keys": {"1": "%s"}}' "$(openssl rand -base64 32)")"""
)
_UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, AssertionError)
"""What a document of keys that is none raises."""


class KeyRing:
    """AES-GCM keys by id. New values are sealed under the active key.

    `lost` are keys that nobody has any more, as whoever runs the casino says.
    """

    def __init__(
        self, active: str, keys: dict[str, bytes], lost: frozenset[str] = frozenset()
    ) -> None:
        assert active in keys, "the active key is in the ring"
        self.active = active
        self.lost = lost
        self._ciphers = {name: AESGCM(key) for name, key in keys.items()}
        self._signing = {
            name: hmac.digest(key, b"push22 signing", "sha256")
            for name, key in keys.items()
        }

    @classmethod
    def in_memory(cls) -> "KeyRing":
        return cls("memory", {"memory": AESGCM.generate_key(256)})

    @classmethod
    def load(cls, path: Path) -> "KeyRing":
        """Read the key file, or make one (mode 0600) where there is none.

        `PUSH22_SEAL_KEYS` holds the same JSON and goes before the file.
        """
        if _KEYS in os.environ:
            return cls.from_environment()
        if not path.exists():
            _make_key_file(path)
        try:
            return cls._read(path.read_text())
        except (OSError, *_UNREADABLE) as error:
            raise KeyMissing(f"{path}: no usable sealing keys: {error}") from error

    @classmethod
    def from_environment(cls) -> "KeyRing":
        """Read `PUSH22_SEAL_KEYS` alone: {"active": id, "keys": {id: base64}}."""
        text = os.environ.get(_KEYS, "")
        if not text:
            raise KeyMissing(f"{_KEYS} is not set: {_MAKE_KEYS}")
        try:
            return cls._read(text)
        except _UNREADABLE as error:
            raise KeyMissing(f"{_KEYS} holds no usable keys: {_MAKE_KEYS}") from error

    @classmethod
    def _read(cls, text: str) -> "KeyRing":
        check_nesting(text.encode())
        document = json.loads(text)
        keys = {k: base64.b64decode(v) for k, v in document["keys"].items()}
        lost = document.get("lost", [])
        assert isinstance(lost, list), "lost keys are a list"
        return cls(document["active"], keys, frozenset(lost))

    def seal(self, plain: bytes, about: str) -> bytes:
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._ciphers[self.active].encrypt(nonce, plain, about.encode())

    def unseal(self, sealed: bytes, key_id: str, about: str) -> bytes:
        """Open a sealed value. Raises KeyMissing naming the key."""
        cipher = self._ciphers.get(key_id)
        if cipher is None:
            raise KeyMissing(f"key {key_id!r} is not in the key ring")
        nonce, text = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        try:
            return cipher.decrypt(nonce, text, about.encode())
        except InvalidTag as error:
            raise KeyMissing(f"key {key_id!r} does not open {about}") from error

    def sign(self, text: bytes) -> bytes:
        """Sign under the active key what is ours alone to write."""
        return hmac.digest(self._signing[self.active], text, "sha256")

    def has_signed(self, text: bytes, signature: bytes, key_id: str) -> bool:
        """Tell whether a key of the ring has made this signature."""
        key = self._signing.get(key_id)
        if key is None:
            return False
        return hmac.compare_digest(hmac.digest(key, text, "sha256"), signature)


def _make_key_file(path: Path) -> None:
    """Write a fresh key; the file is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    key = base64.b64encode(AESGCM.generate_key(256)).decode()
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as file:
        json.dump({"active": "k1", "keys": {"k1": key}}, file)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


class Ambient:
    """Fulfils what decisions ask for."""

    def __init__(self, clock: Clock, entropy: Entropy, keys: KeyRing) -> None:
        self.clock = clock
        self.entropy = entropy
        self.keys = keys
        self._unsealed: OrderedDict[bytes, bytes] = OrderedDict()

    def fulfil(
        self, requests: tuple[AmbientRequest, ...]
    ) -> tuple[dict[str, bytes], dict[str, str]]:
        """Return the values, and how the cause has them: `<key id>:<sealed>` (H11)."""
        values: dict[str, bytes] = {}
        recorded: dict[str, str] = {}
        for request in requests:
            value = self._value(request)
            values[request.name] = value
            if request.kind != "unseal":
                sealed = self.keys.seal(value, f"ambient:{request.name}")
                text = base64.b64encode(sealed).decode()
                recorded[request.name] = f"{self.keys.active}:{text}"
        return values, recorded

    def _value(self, request: AmbientRequest) -> bytes:
        match request.kind:
            case "random":
                return self.entropy.random(request.size)
            case "shuffle":
                return self.entropy.shuffle(request.size)
            case "unseal":
                return self._unseal(request)

    def _unseal(self, request: AmbientRequest) -> bytes:
        found = self._unsealed.get(request.sealed)
        if found is None:
            found = self.keys.unseal(request.sealed, request.key_id, request.about)
            self._unsealed[request.sealed] = found
            if len(self._unsealed) > _UNSEALED_KEPT:
                self._unsealed.popitem(last=False)
        return found
