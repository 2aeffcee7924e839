"""Orders that wait for their answers: the same id over as many tries as it takes."""

import asyncio
from uuid import uuid4

from push22.client.answers import Accepted
from push22.client.messages import Command, write
from push22.client.orders import AnyOrder
from push22.client.problems import Problem

Outcome = Accepted | Problem


class Pending:
    """One order, its text, and how often it was put off."""

    def __init__(self, order: AnyOrder, name: str) -> None:
        self.text = write(Command(name, order))
        self.answer: asyncio.Future[Outcome] = (
            asyncio.get_running_loop().create_future()
        )
        self.put_off = 0


class Unanswered:
    """All orders without an answer, oldest first."""

    def __init__(self) -> None:
        self._pending: dict[str, Pending] = {}

    def add(self, order: AnyOrder, name: str = "") -> tuple[str, Pending]:
        """Note an order under its id; without one it gets a fresh one."""
        name = name or uuid4().hex
        pending = self._pending.setdefault(name, Pending(order, name))
        return name, pending

    def get(self, name: str) -> Pending | None:
        return self._pending.get(name)

    def drop(self, name: str) -> None:
        self._pending.pop(name, None)

    def settle(self, name: str, outcome: Outcome) -> None:
        """Tell whoever waits; a second answer is nobody's."""
        pending = self._pending.pop(name, None)
        if pending is not None and not pending.answer.done():
            pending.answer.set_result(outcome)

    def oldest(self) -> str:
        """Return the id of the order sent first, which the door answers first."""
        return next(iter(self._pending), "")

    def texts(self) -> tuple[str, ...]:
        return tuple(pending.text for pending in self._pending.values())

    def cancel(self) -> None:
        """No answer will come any more."""
        for pending in self._pending.values():
            pending.answer.cancel()
        self._pending.clear()
