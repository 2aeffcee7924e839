"""How asking can fail: a problem that the door names, no answer at all, or an end.

A problem is a value with a reason; calls that cannot return it raise it as `Refused`.
"""

import msgspec


class Problem(msgspec.Struct, frozen=True):
    """Why the door said no. Programs look at `reason`; `detail` is for people."""

    reason: str
    status: int
    detail: str = ""


class Refused(Exception):
    """The door said no."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(f"{problem.reason} ({problem.status}) {problem.detail}")

    @property
    def reason(self) -> str:
        return self.problem.reason


class Unreachable(Exception):
    """No answer came, however often it was asked.

    What was asked may have been done: ask again with the same idempotency key.
    """


class Garbled(Exception):
    """An answer that is none of the door's."""


class Ended(Exception):
    """A live session is over; the text says why."""
