"""Players without their names, for those of support who only look (V8).

A stand-in is the same on every route and in every life of the door, and another one in
each round: rounds of one player cannot be told to be.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import msgspec

from contracts.named import players_named
from runtime.bus_memory import Delivery

T = TypeVar("T", bound=msgspec.Struct)

Pseudonym = Callable[[str], str]
"""From a text to a short one that does not tell it."""


class Masks:
    """Puts stand-ins for the players of one round, wherever they are named.

    With `words`, also for what people call them: their names without the operator.
    """

    def __init__(
        self,
        pseudonym: Pseudonym,
        round_id: str,
        names: Iterable[str],
        *,
        words: bool = False,
    ) -> None:
        found: dict[str, str] = {}
        for name in sorted(set(names) - {""}):
            stand_in = f"player_{pseudonym(f'{round_id} {name}')}"
            found[name] = stand_in
            if words:
                found.setdefault(name.partition(".")[2], stand_in)
        self._stand_ins = found
        longest = sorted(filter(None, found), key=len, reverse=True)
        names_in = "|".join(map(re.escape, longest))
        self._names = (
            re.compile(rf"(?<![\w.])(?:{names_in})(?!\w)") if longest else None
        )

    def text(self, text: str) -> str:
        if self._names is None:
            return text
        return self._names.sub(lambda match: self._stand_ins[match[0]], text)

    def script(self, script: str) -> str:
        """Name nobody in a round script, which leaves operators out (as_script.py)."""
        for name, stand_in in self._stand_ins.items():
            for short in (name.partition(".")[2], name.replace(".", "_")):
                script = script.replace(_player(short), _player(stand_in))
        return script

    def of(self, found: T) -> T:
        """Return the same answer without names, in whichever member they stand."""
        hidden: T = self._hidden(found)
        return hidden

    def _hidden(self, value: Any) -> Any:
        match value:
            case str():
                return self.text(value)
            case msgspec.Raw():
                return msgspec.Raw(self.text(bytes(value).decode()).encode())
            case msgspec.Struct():
                members = msgspec.structs.asdict(value)
                return msgspec.structs.replace(value, **self._hidden(members))
            case dict():
                return {self._hidden(k): self._hidden(v) for k, v in value.items()}
            case list() | tuple():
                return type(value)(map(self._hidden, value))
        return value


def _player(name: str) -> str:
    return f'player = "{name}"'


def players_of(records: Iterable[Delivery]) -> set[str]:
    """Return all that a round's records name."""
    return {
        name
        for delivery in records
        for name in players_named(delivery.event, delivery.envelope.actor)
    }
