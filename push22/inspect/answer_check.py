"""Compares the stored answers with the records: each answer is told by one.

A lie here would tell a player, who asks again, what never happened (H4).
"""

import sqlite3
from collections.abc import Iterable, Iterator

import msgspec

from contracts import catalog
from contracts.envelope import Answer, CommandEnvelope, Envelope
from push22.casino import SERVICES
from push22.inspect.reader import Reader
from push22.inspect.table_fault import TableFault
from runtime.commands import actor_key, digest_of
from runtime.log_sqlite import ANSWERS_KEPT_MICROS
from services.archive.inputs import REFUSALS

_TABLE = "answers"
_ALL = "SELECT service, actor, command_id, digest, outcome FROM answers"
_ALIVE = (
    "SELECT service, max(alive_at) FROM heads"
    " WHERE alive_at > 0 AND typeof(alive_at) = 'integer' GROUP BY service"
)
_HAS = "SELECT 1 FROM answers WHERE service = ? AND command_id = ? AND actor = ?"
_SET_ASIDE = "SELECT body FROM parked WHERE service = ? AND kind = 'command'"
_MARGIN_MICROS = 3600 * 1_000_000
"""Answers this close to their end may be pruned or not."""

FAULTS_MAX = 20


class _Stored(msgspec.Struct, frozen=True):
    service: str
    actor: str
    command_id: str
    digest: bytes
    outcome: bytes

    @property
    def name(self) -> str:
        return f"{self.service} {self.actor} {self.command_id}"


def check_answers(reader: Reader) -> list[TableFault]:
    """Return the first answers that no record bears out."""
    faults: list[TableFault] = []
    if not has_answers(reader.sql):
        return [TableFault(_TABLE, "", "the table is gone")]
    for row in reader.sql.execute(_ALL):
        stored = _Stored(*row)
        lie = _lie(reader, stored)
        if lie:
            faults.append(TableFault(_TABLE, stored.name, lie))
        if len(faults) == FAULTS_MAX:
            break
    return faults


def has_answers(sql: sqlite3.Connection) -> bool:
    query = "SELECT 1 FROM sqlite_master WHERE name = 'answers' AND type = 'table'"
    return sql.execute(query).fetchone() is not None


def _lie(reader: Reader, stored: _Stored) -> str:
    """Return what is wrong with an answer; nothing for a true one."""
    try:
        answer = msgspec.json.decode(stored.outcome, type=Answer)
    except (msgspec.MsgspecError, TypeError) as error:
        return f"it can't be read: {error}"
    if answer.command_id != stored.command_id:
        return f"it answers {answer.command_id!r}"
    if answer.reason == "set_aside" and not answer.accepted:
        return "" if _was_set_aside(reader, stored) else "nothing was set aside"
    name = f"{answer.stream}@{answer.version}"
    found = reader.find(name)
    if found is None:
        return f"it names {name}, which no log holds"
    return _against(reader, stored, answer, found)


def _against(reader: Reader, stored: _Stored, answer: Answer, found: Envelope) -> str:
    by = f"{found.actor.kind}:{found.actor.who}"
    if (found.service, by, found.caused_by) != (
        stored.service,
        stored.actor,
        stored.command_id,
    ):
        return f"it names {found.id}, which answers {by} {found.caused_by}"
    try:
        reason = _reason(found)
        command = _command(reader, found)
    except catalog.Undecodable as error:
        return f"{found.id} can't be read: {error}"
    if answer.accepted == (reason is not None) or answer.reason != (reason or ""):
        says = "accepted" if answer.accepted else f"refused, {answer.reason}"
        was = "accepted" if reason is None else f"refused, {reason}"
        return f"it says {says}; by {found.id} the command was {was}"
    after = reader.find(f"{found.stream}@{found.version + 1}")
    if after is not None and after.caused_by == found.caused_by and not after.cause:
        return f"it ends at {found.id}, the command led to {after.id} as well"
    if command is not None and digest_of(command) != stored.digest:
        return f"its digest is not that of the command in {found.stream}"
    return ""


def _reason(record: Envelope) -> str | None:
    """Return why the command was refused; nothing if it was not."""
    event = catalog.decode_event(record)
    return str(event.reason) if type(event) in REFUSALS else None


def _command(reader: Reader, last: Envelope) -> CommandEnvelope | None:
    """Return the command as it came: the first of its records keeps it."""
    at: Envelope | None = last
    while at is not None and at.cause is None and at.caused_by == last.caused_by:
        at = reader.find(f"{at.stream}@{at.version - 1}")
    if at is None or at.cause is None or at.caused_by != last.caused_by:
        return None  # A hole in the stream, which the chain names.
    return catalog.decode_command_envelope(at.cause.command)


def _was_set_aside(reader: Reader, stored: _Stored) -> bool:
    rows = reader.sql.execute(_SET_ASIDE, (stored.service,))
    return (stored.actor, stored.command_id) in set(_commands(row[0] for row in rows))


def _commands(bodies: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    for body in bodies:
        try:
            command = catalog.decode_command_envelope(body)
        except catalog.Undecodable:
            continue
        yield actor_key(command.actor), command.id


class LostAnswers:
    """Finds recorded commands whose answer is gone before its time."""

    def __init__(self, reader: Reader) -> None:
        self._sql = reader.sql
        self._kept_from: dict[str, int] = {}
        if not has_answers(reader.sql):
            return
        # A mirror's heads were never alive: it keeps no answers.
        known = {service.name for service in SERVICES if service.commands}
        for service, alive_at in reader.sql.execute(_ALIVE):
            if service in known:
                kept = alive_at - ANSWERS_KEPT_MICROS + _MARGIN_MICROS
                self._kept_from[service] = kept

    def see(self, record: Envelope) -> TableFault | None:
        """Return what is wrong if the record answers a command."""
        if record.cause is None or record.cause.kind != "command":
            return None
        kept_from = self._kept_from.get(record.service)
        if kept_from is None or record.recorded_at < kept_from:
            return None
        actor = f"{record.actor.kind}:{record.actor.who}"
        key = record.service, record.caused_by, actor
        if self._sql.execute(_HAS, key).fetchone() is not None:
            return None
        name = f"{record.service} {actor} {record.caused_by}"
        return TableFault(_TABLE, name, f"{record.id} answers it, the answer is gone")
