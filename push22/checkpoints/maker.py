"""Signs where the logs stand: every so many records, every so often, and at the end.

It reads what is stored and durable, and follows the chain through it. What does not
chain, or is not what an earlier checkpoint says, is never signed: it stops the host.
"""

import time
from pathlib import Path

from contracts.checkpoints import Statement
from push22.checkpoints.keys import SigningKeys
from push22.checkpoints.store import LODGED_NAME, Store
from runtime.ambient import Clock
from runtime.halts import chain_broken
from runtime.log import NO_HASH
from runtime.sqlite_file import SqliteFile
from services.archive.checkpoints import LogPlace, NotChained, Stretch

_NAME = "checkpoints"

STRETCH = 10_000
"""So many records at most stand under one signature."""

EVERY_US = 60 * 1_000_000
_SLICE = 1000
"""So many records are read at once: nothing is held up for long."""

_SHARE = 10
"""Of its time, a host that catches up with an old log spends one part in so many."""

_REST_S = 0.02

_CLOSING_SLICES = 50
_HEADS = """
    SELECT h.service, h.part, i.incarnation, h.offset - 1 FROM heads h
    JOIN incarnations i USING (service)
"""
_RECORDS = """
    SELECT offset, hash, body FROM records
    WHERE service = ? AND part = ? AND offset > ? ORDER BY offset LIMIT ?
"""
_LINK = "SELECT hash FROM records WHERE service = ? AND part = ? AND offset = ?"

Name = tuple[str, int]


class Maker:
    """Watches over the logs of one file. `look` is called after commits."""

    def __init__(
        self,
        file: SqliteFile,
        data: Path,
        keys: SigningKeys,
        clock: Clock,
        *,
        length: int = STRETCH,
    ) -> None:
        self._file = file
        self._length = length
        self._keys = keys
        self._clock = clock
        self._store = Store(file, data / LODGED_NAME)
        self._stretches: dict[Name, Stretch] = {}
        self._said: dict[Name, Statement] = {}
        self._signed_at = 0
        self._rests_until = 0.0

    def start(self) -> None:
        """Go on where it ended.

        Raises ChainBroken if a log is not what was signed, KeyMissing if it could only
        be signed on by another key.
        """
        self._store.bring_up()
        self._stretches.clear()
        self._said = {(s.service, s.partition): s for s in self._store.last()}
        for (service, part), stood in self._said.items():
            rows = self._file.query(_LINK, (service, part, stood.offset))
            if rows != [(bytes.fromhex(stood.hash),)]:
                text = f"{service}/{part}: record {stood.offset} is not the one signed"
                text = f"{text}; see push22 verify --all"
                raise chain_broken(_NAME, service, text)
        self._keys.check()
        self._signed_at = self._clock.now()

    def look(self) -> None:
        """Read what is new if it is a good deal, and sign if it is time."""
        now = self._clock.now()
        is_time = now - self._signed_at >= EVERY_US
        began = time.perf_counter()
        if began < self._rests_until and not is_time:
            return
        due = self._read_all(1 if is_time else _SLICE)
        if is_time:
            due += self._open()
            self._signed_at = now
        self._sign(due)
        rest = max(_REST_S, (time.perf_counter() - began) * _SHARE)
        self._rests_until = began + rest

    def close(self) -> None:
        """Sign all that is stored, or of an old log a good deal."""
        due = []
        for _ in range(_CLOSING_SLICES):
            due += self._read_all(at_least=1)
        self._sign([*due, *self._open()])

    def _read_all(self, at_least: int) -> list[Statement]:
        """Read a slice of each log; return statements of stretches that are full."""
        full = []
        for service, part, log, offset in self._file.query(_HEADS):
            stretch = self._stretch(LogPlace(service, log, part))
            if offset - stretch.offset >= at_least:
                self._read(stretch)
            if stretch.size == self._length:
                full.append(self._said_of(stretch))
        return full

    def _read(self, stretch: Stretch) -> None:
        service, _, part = stretch.place
        room = min(_SLICE, self._length - stretch.size)
        values = (service, part, stretch.offset, room)
        try:
            for row in self._file.query(_RECORDS, values):
                stretch.take(*row)
        except (NotChained, TypeError) as error:
            text = f"{stretch.place.name} after record {stretch.offset}: {error}"
            text = f"no checkpoint: {text}"
            raise chain_broken(_NAME, service, text) from error

    def _stretch(self, place: LogPlace) -> Stretch:
        name = (place.service, place.partition)
        found = self._stretches.get(name)
        if found is None:
            stood = self._said.get(name)
            at, link = (
                (stood.offset, bytes.fromhex(stood.hash)) if stood else (0, NO_HASH)
            )
            found = self._stretches[name] = Stretch(place, at, link)
        found.place = place
        return found

    def _open(self) -> list[Statement]:
        return [self._said_of(s) for s in list(self._stretches.values()) if s.size]

    def _said_of(self, stretch: Stretch) -> Statement:
        statement = stretch.statement(0)
        name = (statement.service, statement.partition)
        self._stretches[name] = stretch.next()
        return statement

    def _sign(self, due: list[Statement]) -> None:
        if due:
            self._store.add(self._keys.sign(due, self._clock))
