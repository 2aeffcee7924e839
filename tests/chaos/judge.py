"""What must hold after every case, read from the logs themselves and from no memory."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import asyncpg

from contracts import catalog
from push22.inspect.reader import Reader
from runtime.postgres_roles import schema_of
from tests.chaos.crowd import Crowd
from tests.e2e.distributed import ALL, ARCHIVE, NAMES, Casino

WELL_S = 120.0
"""All services are live and ready again within this time."""

CLOSED_S = 240.0
"""No round takes longer than its deadlines after the trouble is over."""

_STEP_S = 0.25
_ROUNDS = """
    SELECT count(*) FILTER (WHERE type = 'table.round_called.v1'),
           count(*) FILTER (WHERE type = 'table.round_closed.v1')
    FROM {schema}.records
"""
_PARKED = "SELECT stream, kind, reason FROM {schema}.parked WHERE verdict = ''"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a case came to, for the report."""

    rounds: int
    commands: int
    well_after_s: float


@dataclass(frozen=True, slots=True)
class Judge:
    """What must hold after every case; `may_be_parked`: reasons that a case gives."""

    may_be_parked: tuple[str, ...] = ()

    async def of(self, casino: Casino, crowd: Crowd) -> Verdict:
        """Hold a casino to everything that chaos must not change."""
        well_after_s = await all_well(casino)
        await rounds_ended(casino)
        found = [
            item
            for item in await parked(casino)
            if not item[3].startswith(self.may_be_parked or ("\0",))
        ]
        assert not found, f"set aside: {found[:5]}"
        data = casino.folder / "mirror"
        await asyncio.to_thread(_books, casino, str(data))
        _each_once(data, crowd)
        await archive_has_all(casino, data)
        return Verdict(crowd.closed, len(crowd.door.host.sent), well_after_s)


async def all_well(casino: Casino) -> float:
    """Wait until every service says that it is live and ready; return how long."""
    begun = time.monotonic()
    while time.monotonic() - begun < WELL_S:
        ill = await asyncio.to_thread(_ill, casino)
        if not ill:
            return time.monotonic() - begun
        await asyncio.sleep(_STEP_S)
    said = "\n".join(f"== {name}\n{casino.said(name)}" for name, _ in ill)
    raise AssertionError(f"not well again: {ill}\n{said}")


def _ill(casino: Casino) -> list[tuple[str, str]]:
    return [
        (name, what)
        for name in ALL
        for what in ("live", "ready")
        if casino.status(name, what) != 200
    ]


async def rounds_ended(casino: Casino) -> None:
    """Wait until every round that was ever called is closed."""
    connection = await asyncpg.connect(casino.dsn)
    sql = _ROUNDS.format(schema=schema_of("table-orchestrator"))
    try:
        until = time.monotonic() + CLOSED_S
        called, closed = await connection.fetchrow(sql)
        while called != closed and time.monotonic() < until:
            await asyncio.sleep(_STEP_S)
            called, closed = await connection.fetchrow(sql)
    finally:
        await connection.close()
    assert called == closed, f"{called - closed} of {called} rounds are stuck"


async def parked(
    casino: Casino, names: Sequence[str] = NAMES
) -> list[tuple[str, str, str, str]]:
    """Return everything that is set aside."""
    connection = await asyncpg.connect(casino.dsn)
    try:
        return [
            (name, *row)
            for name in names
            for row in await connection.fetch(_PARKED.format(schema=schema_of(name)))
        ]
    finally:
        await connection.close()


def _books(casino: Casino, data: str) -> None:
    """Copy all logs; verify and audit them with the commands that anybody has."""
    casino.run("mirror", "--dsn", casino.dsn, "--data", data)
    assert "MATCH: all" in casino.run("verify", "--all", "--data", data)
    assert "every cent is accounted for" in casino.run("audit", "--data", data)


def _each_once(data: Path, crowd: Crowd) -> None:
    """Each command that was sent led to one handled input, and was answered."""
    sent = crowd.door.host.sent
    unanswered = set(sent) - set(crowd.door.host.answers)
    assert not unanswered, f"no answer: {sorted(unanswered)[:5]}"
    handled = _handled(data)
    lost = [name for name in sent if handled[name] == 0]
    twice = [name for name, count in handled.items() if count > 1]
    assert not lost, f"{len(lost)} commands lost: {lost[:5]}"
    assert not twice, f"{len(twice)} commands handled twice: {twice[:5]}"


def _handled(data: Path) -> Counter[str]:
    """Count the inputs that answer each command: the first event of one names it."""
    found: Counter[str] = Counter()
    with closing(Reader.open(data)) as reader:
        for item in reader.everything():
            envelope = catalog.decode_envelope(item.body)
            cause = envelope.cause
            if cause is not None and cause.kind == "command":
                assert envelope.caused_by == cause.id
                found[cause.id] += 1
    return found


async def archive_has_all(casino: Casino, data: Path) -> None:
    """The archive, which lived through it all, ends where the logs end."""
    until = time.monotonic() + WELL_S
    while (theirs := _heads(Path(casino.archive))) != (ours := _heads(data)):
        assert time.monotonic() < until, (theirs, ours, casino.said(ARCHIVE))
        await asyncio.sleep(_STEP_S)


def _heads(data: Path) -> dict[tuple[str, int], tuple[int, bytes]]:
    with closing(Reader.open(data)) as reader:
        rows = reader.sql.execute("SELECT service, part, offset, hash FROM heads")
        return {(row[0], row[1]): (row[2], row[3]) for row in rows if row[2] > 1}
