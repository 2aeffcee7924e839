"""What is good once: a launch token, and the nonce of a signed request."""

from collections import deque
from typing import Literal, Protocol

from contracts.envelope import Micros

Kind = Literal["launch", "nonce"]


class Once(Protocol):
    """Remembers what was used for as long as it could be used again."""

    def take(self, kind: Kind, name: str, until: Micros, now: Micros) -> bool:
        """Use something up; tell whether it was unused. Raises NotAvailable."""
        ...


class OnceHere:
    """Remembers it in this process alone."""

    def __init__(self) -> None:
        self._used: set[tuple[Kind, str]] = set()
        self._by_age: deque[tuple[Micros, tuple[Kind, str]]] = deque()

    def take(self, kind: Kind, name: str, until: Micros, now: Micros) -> bool:
        while self._by_age and self._by_age[0][0] < now:
            self._used.discard(self._by_age.popleft()[1])
        if (kind, name) in self._used:
            return False
        self._used.add((kind, name))
        self._by_age.append((until, (kind, name)))
        return True
