"""What was looked up or written last, within a bound; older things are asked for again.

Two generations: what is used moves into the young one, and when that is full, the old
one is dropped whole. So nothing is ordered, and what is in use is never forgotten.
"""

from typing import Generic, TypeVar

Known = TypeVar("Known")


class Remembered(Generic[Known]):
    """Values by name. Nothing is forgotten but by `tidy` and `clear`."""

    __slots__ = ("_old", "_young")

    generation = 2048
    """Twice as many are remembered at most, but for what one transaction adds."""

    def __init__(self) -> None:
        self._young: dict[str, Known] = {}
        self._old: dict[str, Known] = {}

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def get(self, name: str) -> Known | None:
        found = self._young.get(name)
        if found is None:
            found = self._old.pop(name, None)
            if found is not None:
                self._young[name] = found
        return found

    def put(self, name: str, value: Known) -> None:
        self._old.pop(name, None)
        self._young[name] = value

    def tidy(self) -> None:
        """Forget what was not used for long, if there is much.

        To be called between transactions: what one has only begun to write cannot be
        asked for.
        """
        if len(self._young) >= self.generation:
            self._old, self._young = self._young, {}

    def clear(self) -> None:
        self._young.clear()
        self._old.clear()
