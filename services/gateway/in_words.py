"""How a text has to be written, in words: who asks reads no regular expressions."""

import ast
import re

_NAME_32 = "[a-z0-9][a-z0-9_]{0,31}"
_NAME_64 = "[A-Za-z0-9][A-Za-z0-9_]{0,63}"
_CASE = "[a-z0-9_]{1,32}-[1-9][0-9]{0,11}-[a-z0-9]{1,32}"
_ROUND = "write a round as round-table-number, such as round-t1-7"

_CASE_WORDS = "write a case as table-number-name, such as t1-7-ab12"
_KEY_WORDS = "8 to 64 letters, digits, - and _"

NO_CASE = f"case: {_CASE_WORDS}"
NO_KEY = f"Idempotency-Key: {_KEY_WORDS}"

_WORDS = {
    _NAME_32: "at most 32 lower-case letters, digits and _, and no _ first",
    _NAME_64: (
        "write the player's name alone, such as alice: "
        "at most 64 letters, digits and _, and no _ first"
    ),
    rf"{_NAME_32}\.{_NAME_64}": (
        "write the player as operator.name, such as local.demo"
    ),
    "round-[a-z0-9_]{1,32}-[0-9]{1,12}": _ROUND,
    "round-[a-z0-9_]{1,32}-[1-9][0-9]{0,11}": _ROUND,
    "shoe-[a-z0-9_]{1,32}-[0-9]{1,12}": (
        "write a shoe as shoe-table-number, such as shoe-t1-3"
    ),
    _CASE: _CASE_WORDS,
    "[a-z0-9_-]{0,90}": _CASE_WORDS,
    "[A-Z]{3}": "write a currency in three capitals, such as EUR",
    "[a-z0-9-]{0,64}": "write a rule set by its name, such as ny-switch-6d",
    "[a-z0-9_]{1,32}": "at most 32 lower-case letters, digits and _",
    "[0-9a-f-]{36}": "write the call's id as it was given: 36 digits, a to f, and -",
    "[A-Za-z0-9_-]{8,64}": _KEY_WORDS,
    r"[0-9]{1,2}(\.[0-9]){0,8}": (
        "write a box as its number, such as 1, and a hand as box.hand, such as 1.1"
    ),
}

_MESSAGE = re.compile(
    r"Expected `str` matching regex ('.*'|\".*\")(?: - at (?:key in )?`\$\.?(.*)`)?",
    re.DOTALL,
)
"""How msgspec words it: a pattern as Python writes it, and where in a body."""


def words_for(pattern: str) -> str | None:
    """Say what a pattern asks for; `None` for one that nobody put in words.

    Where nothing may be given too, that is not said: something was given.
    """
    core = pattern.removeprefix("^").removesuffix("$")
    if core.startswith("(") and core.endswith(")?"):
        core = core[1:-2]
    return _WORDS.get(core)


def in_words(message: str, field: str = "") -> str:
    """Return what msgspec says of a field, or of a whole body, without patterns."""
    told = _MESSAGE.fullmatch(message)
    if told is None:
        return f"{field}: {message}" if field else message
    words = words_for(ast.literal_eval(told[1]))
    named = field or told[2] or "body"
    return f"{named}: {words or 'not written as it has to be'}"
