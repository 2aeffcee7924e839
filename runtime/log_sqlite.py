"""A service's log in a SQLite file: one partition, one writer, one file for all.

The statements of an append are few and prepared; its cost is the commit.
"""

import secrets
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from contracts.envelope import Micros
from runtime.log import (
    NO_HASH,
    AgendaItem,
    AnswerKey,
    Batch,
    ChainBroken,
    Conflict,
    Draft,
    Head,
    Move,
    Parked,
    Position,
    Record,
    Snapshot,
    StoredAnswer,
    chain,
)
from runtime.mirror_mark import refuse_mirrored
from runtime.sqlite_file import SqliteFile
from runtime.sqlite_places import INSERT, Places

ANSWERS_KEPT_MICROS = 48 * 3600 * 1_000_000
PRUNE_EVERY_MICROS = 600 * 1_000_000

_MOVE = """
    INSERT INTO positions (service, source, part, incarnation, offset, hash)
    VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (service, source, part) DO UPDATE SET
        incarnation = excluded.incarnation,
        offset = excluded.offset,
        hash = excluded.hash
    WHERE offset = ?
"""
_PARK = """
    INSERT INTO parked (service, stream, kind, source, reason, body, parked_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING
"""
_ANSWER = """
    SELECT actor, command_id, digest, outcome, answered_at FROM answers
    WHERE service = ? AND actor = ? AND command_id = ?
"""
_ASIDE = """
    SELECT DISTINCT stream FROM parked
    WHERE service = ? AND verdict = '' AND stream <> ''
"""
_PARKED = """
    SELECT stream, kind, source, reason, body, parked_at, id
    FROM parked WHERE service = ? AND verdict = '' ORDER BY id
"""


class SqliteLog:
    """The log of one service. Versions and head are known to it: nobody else writes."""

    partitions = 1
    is_shared = False

    def __init__(self, file: SqliteFile, service: str) -> None:
        self.file = file
        self.service = service
        self.incarnation = _registered(file, service)
        self._places = Places(file, service)
        self._pruned_at: Micros = 0

    async def append(self, batch: Batch) -> list[Record]:
        """Write the whole batch in one transaction, or nothing."""
        try:
            with self.file.transaction():
                return self._write(batch)
        except BaseException:
            # What was remembered while writing was rolled back with it.
            self._places.forget()
            raise

    def _write(self, batch: Batch) -> list[Record]:
        for move in batch.moves:
            self._move(move)
        records = self._insert(batch.drafts, batch.now)
        if batch.answers:
            self._answer(batch.answers)
        if batch.agenda:
            self._plan(batch.agenda)
        if batch.parked:
            self._park(batch.parked)
        if batch.unparked:
            self._unpark(batch.unparked)
        if batch.snapshots:
            self._keep(batch.snapshots)
        if batch.now - self._pruned_at >= PRUNE_EVERY_MICROS:
            self._prune(batch.now)
        return records

    def _move(self, move: Move) -> None:
        source, part, incarnation, offset, link = move.position
        values = (self.service, source, part, incarnation, offset, link)
        if move.expected:
            moved = self.file.execute(
                "UPDATE positions SET incarnation = ?, offset = ?, hash = ?"
                " WHERE service = ? AND source = ? AND part = ? AND offset = ?",
                (incarnation, offset, link, *values[:3], move.expected),
            )
        else:
            moved = self.file.execute(_MOVE, (*values, 0))
        if moved.rowcount != 1:
            raise Conflict(
                f"{self.service}: {source} does not stand at {move.expected}"
            )

    def _insert(self, drafts: Sequence[Draft], now: Micros) -> list[Record]:
        if not drafts:
            return []
        self._places.check(drafts)
        offset, link = self._head()
        head = Head(self.incarnation, 0, offset, link)
        records = chain(self.service, head, drafts, now)
        try:
            self.file.executemany(INSERT, self._places.rows(records))
        except sqlite3.IntegrityError as error:
            raise Conflict(f"{self.service}: {error}") from error
        last = records[-1]
        self.file.execute(
            "UPDATE heads SET offset = ?, hash = ?, alive_at = max(alive_at, ?)"
            " WHERE service = ?",
            (last.offset + 1, last.hash, now, self.service),
        )
        return records

    def _head(self) -> tuple[int, bytes]:
        return _head_row(self.file, self.service, 0)[:2]

    def _answer(self, answers: Sequence[StoredAnswer]) -> None:
        self.file.executemany(
            "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)",
            [(self.service, *answer) for answer in answers],
        )

    def _plan(self, agenda: dict[str, tuple[AgendaItem, ...]]) -> None:
        self.file.executemany(
            "DELETE FROM agenda WHERE service = ? AND stream = ?",
            [(self.service, stream) for stream in agenda],
        )
        rows = [(self.service, *item) for items in agenda.values() for item in items]
        self.file.executemany("INSERT INTO agenda VALUES (?, ?, ?, ?, ?)", rows)

    def _park(self, parked: Sequence[Parked]) -> None:
        self.file.executemany(_PARK, [(self.service, *item[:6]) for item in parked])

    def _unpark(self, ids: Sequence[int]) -> None:
        for item in ids:
            self._resolve(item, "retried", "", "")

    def _resolve(self, item: int, verdict: str, by: str, why: str) -> None:
        changed = self.file.execute(
            "UPDATE parked SET verdict = ?, decided_by = ?, why = ?"
            " WHERE id = ? AND service = ? AND verdict = ''",
            (verdict, by, why, item, self.service),
        )
        if changed.rowcount != 1:
            raise Conflict(f"{self.service}: parked input {item} does not wait")

    def _keep(self, snapshots: Sequence[Snapshot]) -> None:
        self.file.executemany(
            "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)",
            [(self.service, *snapshot) for snapshot in snapshots],
        )

    def _prune(self, now: Micros) -> None:
        """Forget old answers, and with them that it was so late (H4)."""
        self.file.execute(
            "DELETE FROM answers WHERE service = ? AND answered_at < ?",
            (self.service, now - ANSWERS_KEPT_MICROS),
        )
        self._note_alive(now)
        self._pruned_at = now

    async def read(self, partition: int, after: int, limit: int) -> list[Record]:
        assert partition == 0, "a SQLite log has one partition"
        return self.file.records_of_log(self.service, 0, after, limit)

    async def read_stream(self, stream: str, after_version: int = 0) -> list[Record]:
        return self.file.records_of_stream(self.service, stream, after_version)

    async def read_streams(self, streams: Sequence[str]) -> list[Record]:
        """Return the records of several streams, each stream's in order."""
        return [
            record
            for stream in streams
            for record in self.file.records_of_stream(self.service, stream, 0)
        ]

    async def stream_version(self, stream: str) -> int:
        return self._places.stored(stream)[0]

    async def stream_after(self, name: str) -> str:
        return self._places.stream_after(name)

    async def head(self, partition: int) -> tuple[int, bytes]:
        assert partition == 0, "a SQLite log has one partition"
        return self._head()

    async def position(self, source: str, partition: int) -> Position | None:
        rows = self.file.query(
            "SELECT source, part, incarnation, offset, hash FROM positions"
            " WHERE service = ? AND source = ? AND part = ?",
            (self.service, source, partition),
        )
        return Position._make(rows[0]) if rows else None

    async def check_versions(self, watched: Mapping[str, int]) -> None:
        """Raise Conflict where a stream is not at its version any more."""
        for stream, version in watched.items():
            if self._places.stored(stream)[0] != version:
                raise Conflict(f"{stream} is no longer at {version}")

    async def answers(self, keys: Sequence[AnswerKey]) -> list[StoredAnswer]:
        """Return what is stored of these commands."""
        found: list[StoredAnswer] = []
        for actor, command_id in keys:
            rows = self.file.query(_ANSWER, (self.service, actor, command_id))
            found += map(StoredAnswer._make, rows)
        return found

    async def agenda(self) -> list[AgendaItem]:
        rows = self.file.query(
            "SELECT stream, decision, kind, due_at FROM agenda"
            " WHERE service = ? ORDER BY due_at, stream, decision, kind",
            (self.service,),
        )
        return [AgendaItem._make(row) for row in rows]

    async def snapshot(self, stream: str) -> Snapshot | None:
        rows = self.file.query(
            "SELECT stream, version, state FROM snapshots"
            " WHERE service = ? AND stream = ?",
            (self.service, stream),
        )
        return Snapshot._make(rows[0]) if rows else None

    async def parked(self) -> list[Parked]:
        """Return what waits, in order of arrival."""
        rows = self.file.query(_PARKED, (self.service,))
        return [Parked._make(row) for row in rows]

    async def is_aside(self, stream: str) -> bool:
        """Tell whether anything waits for a stream."""
        return any(item.stream == stream for item in await self.parked())

    async def aside(self) -> set[str]:
        """Return the streams that something waits for."""
        rows = self.file.query(_ASIDE, (self.service,))
        return {stream for (stream,) in rows}

    async def resolve_parked(self, item: int, verdict: str, by: str, why: str) -> None:
        """Take one input out of the queue; who decided so and why stays."""
        with self.file.transaction():
            self._resolve(item, verdict, by, why)

    async def alive_at(self) -> Micros:
        return _head_row(self.file, self.service, 0)[2]

    async def note_alive(self, now: Micros) -> None:
        """Say that the service runs, for the length of an outage (H10)."""
        with self.file.transaction():
            self._note_alive(now)

    def _note_alive(self, now: Micros) -> None:
        self.file.execute(
            "UPDATE heads SET alive_at = max(alive_at, ?) WHERE service = ?",
            (now, self.service),
        )


def _registered(file: SqliteFile, service: str) -> str:
    """Return the log's incarnation; a new log gets one and an empty head."""
    refuse_mirrored(file)
    sql = "SELECT incarnation FROM incarnations WHERE service = ?"
    found: list[Any] = file.query(sql, (service,))
    if not found:
        with file.transaction():
            file.execute(
                "INSERT INTO incarnations VALUES (?, ?)",
                (service, secrets.token_hex(8)),
            )
            file.execute("INSERT INTO heads VALUES (?, 0, 1, ?, 0)", (service, NO_HASH))
        found = file.query(sql, (service,))
    check_head(file, service, 0)
    incarnation = found[0][0]
    assert isinstance(incarnation, str)
    return incarnation


def _head_row(file: SqliteFile, service: str, part: int) -> tuple[int, bytes, Micros]:
    """Return the last record's offset and hash, and the last sign of life.

    Raises ChainBroken naming the log, if the row is none that we write.
    """
    rows = file.query(
        "SELECT offset, hash, alive_at FROM heads WHERE service = ? AND part = ?",
        (service, part),
    )
    if len(rows) != 1:
        raise ChainBroken(
            f"{file.path}: {service}/{part}: {len(rows)} heads rows, not one"
        )
    offset, link, alive_at = rows[0]
    kinds = (type(offset), type(link), type(alive_at))
    if kinds != (int, bytes, int):
        raise ChainBroken(
            f"{file.path}: {service}/{part}: its heads row is damaged:"
            f" offset {offset!r}, alive_at {alive_at!r}"
        )
    return offset - 1, link, alive_at


def check_head(file: SqliteFile, service: str, part: int) -> None:
    """The head must be the last record's. Raises ChainBroken naming the log."""
    head = _head_row(file, service, part)
    last = file.query(
        "SELECT offset, hash FROM records WHERE service = ? AND part = ?"
        " ORDER BY offset DESC LIMIT 1",
        (service, part),
    )
    stands = last[0] if last else (0, NO_HASH)
    if stands != head[:2]:
        raise ChainBroken(
            f"{file.path}: {service}/{part}: the head is at {head[0]},"
            f" the last record at {stands[0]}, or their hashes differ"
        )
