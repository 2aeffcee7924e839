"""What is being handled: log lines name it, whoever writes them.

To note it costs one assignment; what it is called is found out only for a line that is
written.
"""

from contextvars import ContextVar
from typing import Any, NamedTuple, Protocol

from runtime.redaction import Line


class AtHand(Protocol):
    """An input, a command under way, or an effect."""

    @property
    def stream(self) -> str: ...

    @property
    def correlation(self) -> str: ...

    @property
    def message(self) -> Any: ...


class Doing(NamedTuple):
    """What is done outside the handling loop."""

    stream: str
    correlation: str
    message: Any = None


AT_HAND: ContextVar[AtHand | None] = ContextVar("at_hand", default=None)

_ROUND = "round-"


def name_what_is_at_hand(logger: Any, method: str, line: Line) -> Line:
    """Add what a line is about, where it does not say so itself."""
    del logger, method
    item = AT_HAND.get()
    if item is not None:
        for name, value in named(item).items():
            line.setdefault(name, value)
    return line


def named(item: AtHand) -> dict[str, str]:
    """Return what is known of it; a name that is not known is left out."""
    found = {
        "stream": item.stream,
        "correlation": item.correlation,
        "round_id": round_of(item),
    }
    return {name: value for name, value in found.items() if value}


def round_of(item: AtHand) -> str:
    told = getattr(item.message, "round_id", "")
    if isinstance(told, str) and told:
        return told
    return item.stream if item.stream.startswith(_ROUND) else ""
