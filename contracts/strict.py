"""What JSON must keep to before it is decoded: how deep it nests, what it names twice.

Decoders disagree about both: one reads until its stack ends, one takes the last of two
values. A command is recorded as it came, so all its readers must see the same.
"""

import json
import re
from typing import Any

import msgspec

COMMAND_NESTING_MAX = 32
"""No command of ours nests deeper than a few levels."""

NESTING_MAX = 64
"""Of everything else: a record's envelope holds a whole command within its cause."""

_NO_BRACKET = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[^"\[\]{}]++', re.DOTALL)
_OPENING = frozenset(b"[{")


class NotStrict(ValueError):
    """Bytes that no decoder should be given."""


def check_nesting(body: bytes | memoryview, limit: int = NESTING_MAX) -> None:
    """Refuse what nests deeper than `limit`, whatever stack is left. NotStrict."""
    text = body if isinstance(body, bytes) else bytes(memoryview(body))
    if text.count(b"[") + text.count(b"{") <= limit:
        return
    depth = 0
    for byte in _NO_BRACKET.sub(b"", text):
        depth += 1 if byte in _OPENING else -1
        if depth > limit:
            raise NotStrict(f"nested deeper than {limit} levels")


def check_names(body: bytes | memoryview) -> None:
    """Refuse an object that gives a name two values, at any depth. NotStrict.

    To be called on what `check_nesting` has let through.
    """
    if _is_written_again(bytes(body)):
        return
    try:
        json.loads(str(body, "utf-8"), object_pairs_hook=_once_each)
    except ValueError as error:
        raise NotStrict(str(error)) from error


def _is_written_again(body: bytes) -> bool:
    """Tell whether decoding and encoding gives the same bytes.

    Then no name stands there twice, for a mapping holds each once. It is how all our
    clients write: a fifth of the time of looking at each object in Python.
    """
    try:
        return msgspec.json.encode(msgspec.json.decode(body)) == body
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False


def _once_each(pairs: list[tuple[str, Any]]) -> None:
    names = {name for name, _ in pairs}
    if len(names) != len(pairs):
        raise NotStrict("an object gives a name two values")
