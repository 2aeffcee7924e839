"""Lost records come back as they were, or the log goes on under a new name (H3)."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from log_backends import draft
from postgres_place import Place, check_chain
from toys import TOY, ambient, command

from runtime.bus_kafka import KafkaBus
from runtime.commands import Submitted
from runtime.handle import Worker
from runtime.log import Batch, Conflict, Head, LogError, Move, Position, Record
from runtime.log_postgres import PostgresLog
from runtime.log_recovery import Found, going_on
from runtime.log_repair import (
    Decided,
    NothingToAccept,
    accept,
    begin_incarnation,
    take,
    versions,
)

BESIDE = (
    "SELECT key, digest, outcome FROM answers ORDER BY key",
    "SELECT * FROM agenda ORDER BY stream",
)
CUT = (
    "ALTER TABLE records DISABLE TRIGGER ALL",
    "ALTER TABLE heads DISABLE TRIGGER ALL",
    'DELETE FROM records WHERE "offset" > 1',
    "UPDATE heads SET next_offset = 2, hash = (SELECT hash FROM records)",
    "DELETE FROM answers WHERE command_id <> 'c1'",
    "DELETE FROM agenda",
    "ALTER TABLE records ENABLE ALWAYS TRIGGER records_stay",
    "ALTER TABLE heads ENABLE ALWAYS TRIGGER heads_go_forward",
)
BOSS = Decided("the boss", "the backup was old")


async def handled(log: PostgresLog, *commands: tuple[str, int]) -> list[Any]:
    """Let the toy answer commands; return the answers."""
    worker = Worker(TOY, log, KafkaBus(log, (), 1), ambient())
    await worker.start()
    answers: list[Any] = []
    for id_, amount in commands:
        worker.desk.submit(Submitted(command(id_, amount), answers.append, 0))
    committed = await worker.cycle()
    return [answer for _, answer in committed.replies]


@asynccontextmanager
async def echo(place: Place, role: str = "push22_echo") -> AsyncIterator[PostgresLog]:
    """The log of a service that reads the toy's."""
    dsn = place.admin.replace("//postgres@", f"//{role}@")
    opened = await PostgresLog.open(dsn, "echo", connections=1)
    yield opened
    await opened.close()


async def cut(place: Place) -> None:
    """Lose all but the first record, as an old backup would."""
    for statement in CUT:
        await place.execute(statement)


async def found(log: PostgresLog, offered: Sequence[Record]) -> Found:
    head = Head(log.incarnation, 0, *await log.head(0))
    return going_on(head, 1, offered, await versions(log, offered))


async def test_h3_records_answers_and_deadlines_come_back(place: Place) -> None:
    """Accepted, refused, with a deadline: all is as before, and repeats are known."""
    sent = (("c1", 5), ("c2", 7), ("c3", 0), ("c4", 60))
    async with place.log() as log:
        answers = await handled(log, *sent)
        kept = await log.read(0, 0, 100)
        beside = [await place.execute(sql) for sql in BESIDE]
        assert len(beside[1]) == 1

        await cut(place)
    async with place.log(place.admin) as log:
        await take(log, TOY, await found(log, kept))
        assert await log.read(0, 0, 100) == kept
        assert [await place.execute(sql) for sql in BESIDE] == beside
        assert (await found(log, kept)).records == ()
    async with place.log() as log:
        assert await handled(log, *sent) == answers
        assert len(await check_chain(log)) == 4


async def test_h3_nothing_is_taken_into_a_log_that_has_gone_on(place: Place) -> None:
    """A service that was not stopped has appended meanwhile."""
    async with place.log() as log:
        await handled(log, ("c1", 5), ("c2", 7))
        kept = await log.read(0, 0, 100)
        await cut(place)
    async with place.log() as log:
        back = await found(log, kept)
        await log.append(Batch(1, [draft("counter-a", 2)]))
        with pytest.raises(Conflict, match="stop it"):
            await take(log, TOY, back)
        assert len(await check_chain(log)) == 2


async def test_h3_a_new_incarnation_goes_on_in_the_same_chain(place: Place) -> None:
    """Its name follows the old one's; who, why and where from stay on record."""
    async with place.log() as log:
        await log.append(Batch(1, [draft("a-1", 1)]))
        first = log.incarnation
    await place.execute('UPDATE published SET "offset" = 7')
    async with place.log(place.admin) as log:
        assert await begin_incarnation(log, BOSS) == f"{first}~2"
        assert await log.published(0) == 1, "the relay would pass by what comes now"
        with pytest.raises(Conflict):
            await begin_incarnation(log, BOSS)
        with pytest.raises(LogError, match="another log"):
            await log.append(Batch(1, [draft("a-1", 2)]))
    async with place.log() as log:
        await log.append(Batch(1, [draft("a-1", 2)]))
        assert len(await check_chain(log)) == 2
    rows = await place.execute("SELECT incarnation, decided_by, why FROM incarnations")
    assert [tuple(row) for row in rows] == [(f"{first}~2", BOSS.by, BOSS.why)]


async def test_h3_a_reader_goes_back_to_what_is_left_only_when_told(
    place: Place,
) -> None:
    """One had read what is lost, and reads on after the end that is left."""
    async with place.log() as log, echo(place) as reader:
        written = await log.append(Batch(1, [draft("a-1", n) for n in (1, 2, 3)]))
        at = Position("toy", 0, log.incarnation, 3, written[2].hash)
        await reader.append(Batch(1, moves=[Move(at, 0)]))
        with pytest.raises(NothingToAccept, match="first incarnation"):
            await accept(log, reader, BOSS)
    await cut(place)
    async with place.log(place.admin) as log:
        name = await begin_incarnation(log, BOSS)
    async with place.log() as log, echo(place, "postgres") as admin:
        assert await accept(log, admin, BOSS) == {0: (3, 1)}
        expected = Position("toy", 0, name, 1, written[0].hash)
        assert await admin.position("toy", 0) == expected
        with pytest.raises(NothingToAccept, match=r"reads .*~2 of toy"):
            await accept(log, admin, BOSS)
