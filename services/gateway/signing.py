"""An operator's signature: HMAC-SHA256 over all that a request says.

The idempotency key is signed too: a copy of a request is the same command, whatever
this process remembers.
"""

import base64
import binascii
import hmac
import re

import msgspec

from contracts.envelope import Micros
from contracts.identities import is_currency, is_player_id
from contracts.signature import Signed, signature_of
from contracts.toml import read_toml
from services.gateway.once import Once, OnceHere
from services.gateway.problems import DoorReason, Refused

WINDOW_S = 300
KEY_BYTES_MIN = 32
KEYS_MAX = 2
HOUSE = "push22"
"""Who opens the house's tables: no operator has this name."""

_SECOND_US = 1_000_000
_NONCE = re.compile(r"[A-Za-z0-9_-]{8,64}")
_TIME = re.compile(r"[0-9]{1,12}")


class Operator(msgspec.Struct, frozen=True):
    """An operator: its currencies, and one or two active keys by id."""

    name: str
    currencies: tuple[str, ...]
    keys: dict[str, bytes]


class OperatorsError(ValueError):
    """The file of operators is not what it should be; the text names the place."""


def read_operators(text: str | bytes) -> dict[str, Operator]:
    """Read the operators' names, currencies and keys from TOML. OperatorsError."""
    try:
        document = read_toml(text.encode() if isinstance(text, str) else text)
    except ValueError as error:
        raise OperatorsError(str(error)) from error
    return {name: _operator(name, entry) for name, entry in document.items()}


def _operator(name: str, entry: object) -> Operator:
    if name == HOUSE or not is_player_id(f"{name}.x"):
        raise OperatorsError(f"{name!r} is no name of an operator")
    try:
        read = msgspec.convert(entry, _Entry)
    except msgspec.ValidationError as error:
        raise OperatorsError(f"{name}: {error}") from error
    if not read.currencies:
        raise OperatorsError(f"{name}: currencies: none is named")
    if not all(map(is_currency, read.currencies)):
        raise OperatorsError(f"{name}: currencies are three capital letters")
    if not 1 <= len(read.keys) <= KEYS_MAX:
        raise OperatorsError(f"{name}: one or two keys are active")
    keys = {key: _key(name, key, text) for key, text in read.keys.items()}
    return Operator(name, tuple(read.currencies), keys)


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    currencies: list[str]
    keys: dict[str, str]


def _key(name: str, key: str, text: str) -> bytes:
    try:
        value = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise OperatorsError(f"{name}: key {key} is not base64") from error
    if len(value) < KEY_BYTES_MIN:
        raise OperatorsError(f"{name}: key {key} has less than {KEY_BYTES_MIN} bytes")
    if not any(value):
        raise OperatorsError(f"{name}: key {key} is nothing but zeros: no secret")
    return value


class Signatures:
    """Knows the operators' keys, and each nonce for as long as its time is good."""

    def __init__(
        self, operators: dict[str, Operator], once: Once | None = None
    ) -> None:
        self.operators = operators
        self._keys = {
            f"{operator.name}.{name}": (operator, key)
            for operator in operators.values()
            for name, key in operator.keys.items()
        }
        self._once = once or OnceHere()

    def check(self, signed: Signed, now: Micros) -> Operator:
        """Return who signed. Raises Refused with the first reason that applies."""
        operator, key = self._keys.get(signed.key, (None, b""))
        well_formed = _NONCE.fullmatch(signed.nonce) and _TIME.fullmatch(signed.time)
        if operator is None or not well_formed:
            raise Refused(DoorReason.UNAUTHENTICATED, "no such key, nonce or time")
        expected = signature_of(signed, key)
        if not hmac.compare_digest(expected.encode(), signed.signature.encode()):
            raise Refused(DoorReason.UNAUTHENTICATED, "the signature does not fit")
        if abs(int(signed.time) * _SECOND_US - now) > WINDOW_S * _SECOND_US:
            raise Refused(DoorReason.CLOCK_SKEW, f"our clock says {now // _SECOND_US}")
        # A nonce is remembered until its time lies outside the window for sure.
        until = now + 2 * WINDOW_S * _SECOND_US
        if not self._once.take("nonce", f"{operator.name}.{signed.nonce}", until, now):
            raise Refused(DoorReason.NONCE_USED, signed.nonce)
        return operator
