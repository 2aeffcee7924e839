"""A command that was sent and is not answered yet: for log lines and traces."""

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from contracts.base import tag_of
from contracts.envelope import Answer
from runtime.at_hand import AT_HAND, Doing
from runtime.tracing import CURRENT, Took


class Told:
    """What came of it; None while, or because, nobody knows."""

    answer: Answer | None = None


@contextmanager
def under_way(command: msgspec.Struct, command_id: str) -> Iterator[Told]:
    """Name a command in every log line until its answer, and trace it."""
    token = AT_HAND.set(Doing("", command_id, command))
    began = Took.now().began
    told = Told()
    try:
        yield told
    finally:
        AT_HAND.reset(token)
        if (tracer := CURRENT.tracer) is not None:
            outcome = _outcome(told.answer)
            took = Took.since(began)
            tracer.commanded(command_id, tag_of(command), outcome, took)


def _outcome(answer: Answer | None) -> str:
    if answer is None:
        return "no_answer"
    return "accepted" if answer.accepted else answer.reason
