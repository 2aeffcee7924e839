"""The answers of the viewer from a casino's file or a mirror of its logs."""

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from contracts.catalog import Undecodable
from push22.desk.checkpoints import last_number
from push22.desk.replaying import replayed
from push22.desk.trying import tried
from push22.desk.verdicts import judged
from push22.inspect.reader import Reader
from runtime.log import LogError
from services.archive.rebuild import NotRebuildable
from services.gateway.desk.replay import Replay
from services.gateway.desk.verdict import RoundVerdict
from services.gateway.desk.what_if import WhatIf
from services.gateway.ports import NotAvailable
from services.gateway.problems import DoorReason, Refused

_AT_ONCE = 2
_WAIT_S = 10.0
_VERDICTS_KEPT = 128

_Key = tuple[str, int, int]
"""A round, the last record, and the last checkpoint."""


class FileViewer:
    """Opens the file for each question. What takes long is done by few at once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turns = threading.Semaphore(_AT_ONCE)
        self._lock = threading.Lock()
        self._verdicts: OrderedDict[_Key, RoundVerdict] = OrderedDict()

    def replay(self, round_id: str) -> Replay | None:
        with self._opened(round_id) as reader:
            return replayed(reader, round_id)

    def verdict(self, round_id: str) -> RoundVerdict | None:
        """Judge a round; the same one again only once more is logged or signed."""
        with self._turn(), self._opened(round_id) as reader:
            key = round_id, reader.last_place(), last_number(reader)
            with self._lock:
                known = self._verdicts.get(key)
            found = known or judged(reader, round_id)
            if found is not None:
                self._keep(key, found)
            return found

    def _keep(self, key: _Key, found: RoundVerdict) -> None:
        with self._lock:
            self._verdicts[key] = found
            while len(self._verdicts) > _VERDICTS_KEPT:
                self._verdicts.popitem(last=False)

    def what_if(self, script: str) -> WhatIf:
        with self._turn():
            return tried(script)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if not self._turns.acquire(timeout=_WAIT_S):
            raise NotAvailable("others are being answered: try again")
        try:
            yield
        finally:
            self._turns.release()

    @contextmanager
    def _opened(self, round_id: str) -> Iterator[Reader]:
        try:
            reader = Reader.at(self._path)
        except (LogError, sqlite3.Error) as error:
            raise NotAvailable(f"the logs: {error}") from error
        try:
            yield reader
        except (NotRebuildable, Undecodable, TypeError) as error:
            raise Refused(DoorReason.DAMAGED, f"{round_id}: {error}"[:300]) from error
        except (LogError, sqlite3.Error) as error:
            raise NotAvailable(f"the logs: {error}") from error
        finally:
            reader.close()
