"""Reads house options from the command line: `--option name=value`."""

from collections.abc import Iterable

import msgspec

from push22.errors import Failure


def options_of(words: Iterable[str] | None) -> dict[str, object]:
    """Read values as in JSON: a number, true, false or a list; else it is a word.

    Raises Failure for what is not `name=value`, and for a name given twice.
    """
    options: dict[str, object] = {}
    for word in words or ():
        name, equals, text = word.partition("=")
        if not (name and equals and text):
            raise Failure("--option", f"{word!r} is not name=value", exit_code=2)
        if name in options:
            raise Failure("--option", f"{name} is given twice", exit_code=2)
        options[name] = _value(text)
    return options


def _value(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
