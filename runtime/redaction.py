"""What no log line may say: cards, keys, tokens, passwords. Taken out of every line.

Our lines name facts and never hold any of it; this is the second lock. A value that is
no plain text or number is named by its type alone: its fields might be anything.
"""

import re
from collections.abc import Iterable, Mapping, MutableMapping
from pathlib import PurePath
from typing import Any

HIDDEN = "[redacted]"

_NAMES = re.compile(
    r"authorization|cookie|token|secret|passw|dsn|credential|salt|seal|signature"
    r"|hmac|nonce|cards?$|^hole|seed|(^|[_-])keys?$",
    re.IGNORECASE,
)
"""Whatever stands under such a name is hidden, whatever it looks like."""

_LOOKS = (
    (re.compile(r"\b(Bearer|Basic)\s+[\w.~+/=-]+", re.IGNORECASE), rf"\1 {HIDDEN}"),
    (re.compile(r"(://[^\s/:@]*:)[^\s@]+@"), rf"\1{HIDDEN}@"),
    (
        re.compile(
            r"\b(\w*(?:token|secret|passw(?:or)?d|signature|launch|salt|key))"
            r"([\"']?\s*[=:]\s*[\"']?)[^\s\"'&;,}]+",
            re.IGNORECASE,
        ),
        rf"\1\2{HIDDEN}",
    ),
    (re.compile(r"\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*"), HIDDEN),
    (re.compile(r"\b[0-9a-fA-F]{64,}\b"), HIDDEN),
    (re.compile(r"[A-Za-z0-9+/_-]{43,}=+"), HIDDEN),
)
"""What tells a secret wherever it stands: credentials, addresses with a password,
`name=value`, tokens, and 32 bytes or more in hexadecimal or base64."""

_KNOWN_LENGTH_MIN = 8
_DEPTH_MAX = 4

Line = MutableMapping[str, Any]


class Redactor:
    """A processor of structlog; `known` are secrets of this process, word for word."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._known = [word for word in known if len(word) >= _KNOWN_LENGTH_MIN]

    def __call__(self, logger: Any, method: str, line: Line) -> Line:
        del logger, method
        for name, value in line.items():
            line[name] = self._of(name, value, 0)
        return line

    def _of(self, name: str, value: Any, depth: int) -> Any:
        if _NAMES.search(name):
            return HIDDEN
        match value:
            case None | bool() | int() | float():
                return value
            case str():
                return self.text(value)
            case PurePath():
                return self.text(str(value))
            case BaseException():
                return self.text(repr(value))
            case bytes() | bytearray() | memoryview():
                return f"<{len(value)} bytes>"
        return self._of_many(value, depth)

    def _of_many(self, value: Any, depth: int) -> Any:
        if depth < _DEPTH_MAX and isinstance(value, Mapping):
            return {str(k): self._of(str(k), v, depth + 1) for k, v in value.items()}
        if depth < _DEPTH_MAX and type(value) in (list, tuple, set, frozenset):
            return [self._of("", item, depth + 1) for item in value]
        return f"<{type(value).__name__}>"

    def text(self, text: str) -> str:
        """Return a text without what is known, or looks, to be secret."""
        for word in self._known:
            text = text.replace(word, HIDDEN)
        for look, instead in _LOOKS:
            text = look.sub(instead, text)
        return text
