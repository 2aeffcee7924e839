"""Makes every recorded decision again from its recorded input, and compares (H11).

Services are handed in. Each stream's records come in order; a stream whose secrets
are not revealed yet waits for them. The first record that differs ends its stream.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from contracts import catalog
from contracts.base import tag_of
from contracts.envelope import Cause, Envelope
from contracts.identities import category_of
from runtime.service import Context, Decider, Rejected, Service

DifferenceKind = Literal["other_event", "missing_event", "extra_event", "no_input"]


class Difference(msgspec.Struct, frozen=True):
    """The first record of a stream that is not what its input leads to.

    `expected` and `recorded` are a type and its data; `None` where there is none.
    """

    kind: DifferenceKind
    record: str
    service: str
    offset: int
    text: str
    expected: tuple[str, msgspec.Raw] | None = None
    recorded: tuple[str, msgspec.Raw] | None = None


@dataclass(frozen=True, slots=True)
class Secrets:
    """Impure values of a stream, as they were revealed or recorded."""

    ambient: Mapping[str, bytes]
    key_id: str = ""
    sealed: bytes = b""
    demonstration: bool = False


NO_SECRETS = Secrets({})

Reveal = Callable[[list[Any]], Secrets | None]
"""From a stream's events to its secrets; `None` while they are not revealed."""

Find = Callable[[str], Envelope | None]
"""From a record's id to the record."""

History = Callable[[str], Iterable[Envelope]]
"""From a stream's name to its records, oldest first."""


class NoInput(Exception):
    """A recorded input cannot be had: the text says which and why."""


class _Stream:
    """One stream under re-execution."""

    __slots__ = ("decider", "expected", "is_over", "secrets", "service", "state")

    def __init__(self, service: Service, decider: Decider, name: str) -> None:
        self.service = service
        self.decider = decider
        self.state = decider.initial(name)
        self.expected: deque[Any] = deque()
        self.secrets = NO_SECRETS
        self.is_over = False
