"""Lines that anybody may cause at will are logged once a minute, with their number.

They come from what serves HTTP and knows of a stranger's bytes only that they are no
request. How many there were in all, a metric says.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

EVERY_S = 60.0

LOGGERS = ("uvicorn.error", "asyncio")
"""Uvicorn's sockets and the library beneath them write under its name too."""

KINDS_MAX = 256
"""Some lines name an object. What goes beyond is one kind, whatever it says."""

_Kind = tuple[int, str, str]
_OTHERS: _Kind = (0, "", "")


@dataclass(slots=True)
class _Told:
    at: float
    untold: int = 0


class Quiet(logging.Filter):
    """Lets a line of each kind through once a minute.

    A kind is what is written in the code, not what a client said, and what was raised.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._told: dict[_Kind, _Told] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        kind, now = self._kind_of(record), self._clock()
        last = self._told.get(kind)
        if last is not None and now - last.at < EVERY_S:
            last.untold += 1
            return False
        self._told[kind] = _Told(now)
        if last is not None and last.untold:
            seconds = round(now - last.at)
            more = f"and {last.untold} times more in the last {seconds} s"
            record.msg, record.args = f"{record.getMessage()} ({more})", ()
        return True

    def _kind_of(self, record: logging.LogRecord) -> _Kind:
        raised = record.exc_info[0] if record.exc_info else None
        # Further lines of the event loop's say which connection it was.
        said = str(record.msg).partition("\n")[0]
        kind = record.levelno, said, raised.__name__ if raised else ""
        is_new = kind not in self._told and len(self._told) >= KINDS_MAX
        return _OTHERS if is_new else kind


def keep_quiet() -> None:
    """Begin anew: one process serves one door after another only in tests."""
    quiet = Quiet()
    for name in LOGGERS:
        logger = logging.getLogger(name)
        for older in [f for f in logger.filters if isinstance(f, Quiet)]:
            logger.removeFilter(older)
        logger.addFilter(quiet)
