"""What an operator does with a log in PostgreSQL that lost records (H3).

Either the records come back as they were, or the log goes on without them under a new
name and everybody who has read further is told (docs/decisions/0011).
"""

from collections.abc import Mapping, Sequence
from functools import partial

import msgspec

from contracts import catalog
from contracts.envelope import Envelope
from contracts.identities import category_of
from runtime.agenda import planned
from runtime.lineage import following, is_earlier, root
from runtime.log import NO_HASH, Conflict, LogError, Record
from runtime.log_postgres import PostgresLog
from runtime.log_recovery import Found, answers_of
from runtime.postgres_database import Connection
from runtime.postgres_reads import PostgresReads, answer_key
from runtime.service import Service
from runtime.snapshots import folded

_HEAD = "SELECT next_offset - 1, hash FROM heads WHERE part = $1 FOR UPDATE"
_RECORD = """
    INSERT INTO records (part, "offset", stream, version, type, round_id, hash, body)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""
_MOVE = """
    UPDATE heads
    SET next_offset = $2, hash = $3, alive_at = greatest(alive_at, $4)
    WHERE part = $1
"""
_SEND_AGAIN = """
    UPDATE published p SET "offset" = least(p."offset", h.next_offset - 1)
    FROM heads h WHERE h.part = p.part
"""
_ANSWER = "INSERT INTO answers VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING"
_HEADS = """
    SELECT part, next_offset - 1 AS "offset", hash FROM heads ORDER BY part FOR UPDATE
"""
_VERSIONS = """
    SELECT stream, max(version) FROM records WHERE stream = ANY($1) GROUP BY stream
"""
_POSITIONS = """
    SELECT part, incarnation, "offset", hash FROM positions
    WHERE source = $1 FOR UPDATE
"""
_ACCEPT = """
    INSERT INTO positions (source, part, incarnation, "offset", hash)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (source, part) DO UPDATE SET
        incarnation = excluded.incarnation,
        "offset" = excluded."offset",
        hash = excluded.hash
"""
_ENDS = "SELECT incarnation, ends FROM incarnations"


class NothingToAccept(LogError):
    """A source has no other incarnation than the one that is read already."""


class End(msgspec.Struct, frozen=True):
    """Where a partition stood: after which record the log goes on."""

    part: int
    offset: int
    hash: bytes


class Decided(msgspec.Struct, frozen=True):
    """Who ordered something, and why: kept in the database for ever."""

    by: str
    why: str


async def versions(log: PostgresLog, offered: Sequence[Record]) -> dict[str, int]:
    """Return the newest version that the log has of each stream that is offered."""
    streams = list({record.stream for record in offered})
    return {row[0]: row[1] for row in await log.database.fetch(_VERSIONS, streams)}


async def take(log: PostgresLog, service: Service, found: Found) -> None:
    """Append what was found, as it was, with the answers and deadlines it led to.

    Raises Conflict if the log has gone on meanwhile.
    """
    head, records, _ = found
    async with log.database.transaction() as connection:
        ((offset, link),) = await connection.fetch(_HEAD, head.partition)
        if (offset, link) != (head.offset, head.hash):
            raise Conflict(f"{log.service}/{head.partition} is written to: stop it")
        await connection.execute(_SEND_AGAIN)
        rows = [record[1:7] + record[8:] for record in records]
        await connection.executemany(_RECORD, rows)
        last = records[-1]
        late = catalog.decode_envelope(last.body).recorded_at
        await connection.execute(
            _MOVE, last.partition, last.offset + 1, last.hash, late
        )
        answers = answers_of(records)
        keyed = [(answer_key(a.actor, a.command_id), *a) for a in answers]
        await connection.executemany(_ANSWER, keyed)
        await _plan(connection, service, records)


async def _plan(
    connection: Connection, service: Service, records: Sequence[Record]
) -> None:
    """Put down the deadlines that the streams owe now (H10)."""
    reads = PostgresReads(connection.fetch, service.name)
    streams = sorted({record.stream for record in records})
    await connection.execute("DELETE FROM agenda WHERE stream = ANY($1)", streams)
    for stream in streams:
        decider = service.deciders.get(category_of(stream))
        if decider is None:
            continue
        history = [
            catalog.decode_envelope(record.body)
            for record in await reads.read_stream(stream)
        ]
        state, _ = folded(decider, stream, partial(_same, history))
        rows = planned(stream, decider.resume(state))
        await connection.executemany("INSERT INTO agenda VALUES ($1, $2, $3, $4)", rows)


def _same(history: Sequence[Envelope], stream: str) -> Sequence[Envelope]:
    del stream
    return history


async def begin_incarnation(log: PostgresLog, decided: Decided) -> str:
    """Go on without what is lost, under a new name; return it."""
    name = following(log.incarnation)
    async with log.database.transaction() as connection:
        heads = await connection.fetch(_HEADS)
        await connection.execute(_SEND_AGAIN)
        ends = msgspec.json.encode([End(*row) for row in heads]).decode()
        await connection.execute(
            "INSERT INTO incarnations (incarnation, ends, decided_by, why)"
            " VALUES ($1, $2, $3, $4)",
            name,
            ends,
            decided.by,
            decided.why,
        )
        changed = await connection.fetch(
            "UPDATE log SET incarnation = $1 WHERE incarnation = $2 RETURNING service",
            name,
            log.incarnation,
        )
        if not changed:
            raise Conflict(f"{log.service} has another incarnation by now")
    return name


async def accept(
    source: PostgresLog, reader: PostgresLog, decided: Decided
) -> Mapping[int, tuple[int, int]]:
    """Let a service read on from a source's new incarnation.

    Where it has read what is lost, it goes back to the end of what is left. Returns
    from where to where each position moved.
    """
    ends = await _ends(source)
    moved: dict[int, tuple[int, int]] = {}
    async with reader.database.transaction() as connection:
        rows = await connection.fetch(_POSITIONS, source.service)
        stands = {row[0]: (row[1], End(row[0], row[2], row[3])) for row in rows}
        for part in range(source.partitions):
            # Nothing read yet: a position all the same, which knows the new name.
            fresh = root(source.incarnation), End(part, 0, NO_HASH)
            incarnation, at = stands.setdefault(part, fresh)
            if incarnation == source.incarnation:
                continue
            if not is_earlier(incarnation, source.incarnation):
                raise LogError(f"{source.service}: position is of log {incarnation}")
            later = [
                end for name, end in ends[part] if not is_earlier(name, incarnation)
            ]
            to = min(at, *later, key=lambda end: end.offset)
            values = (source.incarnation, to.offset, to.hash)
            await connection.execute(_ACCEPT, source.service, part, *values)
            moved[part] = at.offset, to.offset
        if not moved:
            raise NothingToAccept(
                f"{reader.service} reads {source.incarnation} of {source.service}"
            )
        past = [stands[part][1] for part in moved]
        await connection.execute(
            "INSERT INTO accepted (source, incarnation, positions, decided_by, why)"
            " VALUES ($1, $2, $3, $4, $5)",
            source.service,
            source.incarnation,
            msgspec.json.encode(past).decode(),
            decided.by,
            decided.why,
        )
    return moved


async def _ends(source: PostgresLog) -> dict[int, list[tuple[str, End]]]:
    """Return where each of the source's incarnations but the first began."""
    found: dict[int, list[tuple[str, End]]] = {}
    for name, text in await source.database.fetch(_ENDS):
        for end in msgspec.json.decode(text, type=list[End]):
            found.setdefault(end.part, []).append((name, end))
    if not found:
        raise NothingToAccept(f"{source.service} is in its first incarnation")
    return found
