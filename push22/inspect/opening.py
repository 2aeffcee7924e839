"""Opens what a command was pointed at, or says in one line why it can't."""

import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeRemainingColumn,
)

from push22.errors import Failure
from push22.inspect.reader import Reader
from push22.inspect.verify import Tick
from runtime.log import LogError

DATA = "PUSH22_DATA"
DEFAULT_DATA = Path("push22-data")
_SAY_EVERY_S = 30.0
_LONG = 100_000
"""From so many records on a person is told how far the work is."""


def data_directory(given: Path | None) -> Path:
    """Return what `--data` or the environment names, else the default."""
    if given is not None:
        return given
    return Path(os.environ.get(DATA, DEFAULT_DATA))


@contextmanager
def opened(given: Path | None) -> Iterator[Reader]:
    """Open a casino's log to read, running or not."""
    data = data_directory(given)
    if not data.is_dir():
        raise Failure(str(data), "there is no such data directory", exit_code=2)
    try:
        reader = Reader.open(data)
    except LogError as error:
        raise Failure(str(data), str(error), exit_code=2) from error
    except sqlite3.Error as error:
        raise Failure(str(data), f"this is no casino's log: {error}") from error
    try:
        yield reader
    except LogError as error:
        raise Failure(str(data), str(error)) from error
    except (sqlite3.Error, TypeError) as error:
        # Rows that no casino writes: somebody has changed the file.
        raise Failure(str(data), f"a record can't be read: {error}") from error
    finally:
        reader.close()


def console() -> Console:
    """Return a console for standard output: plain where nobody watches."""
    return Console(highlight=False, emoji=False, markup=False)


@contextmanager
def progress(what: str, total: int) -> Iterator[Tick]:
    """Say on standard error how far long work is: by a bar if somebody looks."""
    if total < _LONG:
        yield _silent
        return
    if not sys.stderr.isatty():
        yield Lines(what, total).tick
        return
    bar = Progress(
        SpinnerColumn(),
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)


class Lines:
    """Says for a log file now and then how far the work is, and how fast it goes."""

    def __init__(
        self, what: str, total: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._what = what
        self._total = total
        self._clock = clock
        self._done = self._told = 0
        self._told_at = clock()

    def tick(self, done: int) -> None:
        self._done += done
        now = self._clock()
        if now - self._told_at < _SAY_EVERY_S:
            return
        rate = (self._done - self._told) / (now - self._told_at)
        share = min(self._done / self._total, 1)
        sys.stderr.write(
            f"push22: {self._what}: {self._done:,} of {self._total:,},"
            f" {share:.0%}, {rate:,.0f}/s\n"
        )
        sys.stderr.flush()
        self._told, self._told_at = self._done, now


def _silent(done: int) -> None:
    del done
