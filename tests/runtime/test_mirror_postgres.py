"""`push22 mirror`: a casino's logs in PostgreSQL, copied and read like any casino's."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import postgres_cluster
import pytest
from partitions import Committed, committed, split
from postgres_cluster import Cluster, execute

from contracts.desk import OpenCase, Role
from contracts.envelope import Actor
from push22.__main__ import run
from push22.bot import Wagers
from push22.casino import KEYS_NAME, LOG_NAME, SERVICES, Casino
from push22.session import Session, Table
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy
from runtime.log import Batch
from runtime.log_postgres import PostgresLog
from runtime.postgres_migrations import migrate
from runtime.postgres_roles import schema_of
from runtime.sqlite_file import SqliteFile

NAMES = [service.name for service in SERVICES]
TEMPLATE = "push22_casino"
READER = "push22_reader"
TABLES = {"t1": "ny-switch-6d", "t2": "ny-multiple-action", "t3": "lv-switch"}

Told = pytest.CaptureFixture[str]


async def _played() -> list[Committed]:
    """Play a round at each of three tables, by three players; and open a case."""
    ambient = Ambient(ManualClock(), SeededEntropy(22), KeyRing.in_memory())
    casino = await Casino.in_memory(ambient)
    opened = OpenCase("t1-1-ab12", "round-t1-1", "a complaint", Role.RESOLVER)
    await casino.host.submit(casino.envelope(opened, Actor("support", "rita")))
    for number, (table, rules) in enumerate(TABLES.items()):
        wagers = Wagers((1,), (1000,) * (3 if "multiple" in rules else 2))
        player = f"local.player{number}"
        session = Session(casino, Table(table, rules, player, wagers))
        await session.open()
        await session.play(session.bot)
    found = list(committed(casino.host.file))
    await casino.close()
    return found


async def _append(dsn: str, items: list[Committed]) -> None:
    """Append what was committed, a record at a time, each to its service's log."""
    logs = {name: await PostgresLog.open(dsn, name, connections=1) for name in NAMES}
    for service, at, draft in items:
        await logs[service].append(Batch(at, [draft]))
    for log in logs.values():
        await log.close()


@pytest.fixture(scope="module")
def items() -> list[Committed]:
    return asyncio.run(_played())


@pytest.fixture(scope="module")
def half(cluster: Cluster, items: list[Committed]) -> Iterator[str]:
    """A database with the first half of the logs, and a role that may only read."""
    cluster.create(TEMPLATE, template="template0")
    asyncio.run(migrate(cluster.dsn(TEMPLATE), NAMES))
    cluster.execute(f"CREATE ROLE {READER} LOGIN", TEMPLATE)
    for name in NAMES:
        schema = schema_of(name)
        cluster.execute(f"GRANT USAGE ON SCHEMA {schema} TO {READER}", TEMPLATE)
        rights = f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {READER}"
        cluster.execute(rights, TEMPLATE)
    asyncio.run(_append(cluster.dsn(TEMPLATE), items[: len(items) // 2]))
    yield TEMPLATE
    cluster.execute(f"DROP DATABASE {TEMPLATE} WITH (FORCE)")
    cluster.execute(f"DROP ROLE {READER}")


class Stored:
    """A casino's logs in a database of its own."""

    def __init__(self, cluster: Cluster, database: str) -> None:
        self.cluster = cluster
        self.database = database

    def append(self, items: list[Committed]) -> None:
        asyncio.run(_append(self.cluster.dsn(self.database), items))

    def mirror(self, data: Path) -> int:
        """Run the command as the role that may only read."""
        dsn = self.cluster.dsn(self.database, READER)
        return run(["mirror", "--dsn", dsn, "--data", str(data)])

    def execute(self, service: str, sql: str) -> list[Any]:
        """Run one statement as the superuser, in a service's schema."""
        dsn = f"{self.cluster.dsn(self.database)}&search_path={schema_of(service)}"
        found: list[Any] = asyncio.run(execute(dsn, sql))
        return found

    def forge(self, change: str) -> None:
        """Change a record past the guards."""
        unguard = "ALTER TABLE records DISABLE TRIGGER records_stay"
        where = "WHERE stream = 'round-t1-1' AND version = 3"
        for sql in (unguard, f"{change} {where}"):
            self.execute("table-orchestrator", sql)


@pytest.fixture
def casino(cluster: Cluster, half: str) -> Iterator[Stored]:
    with postgres_cluster.database(cluster, half) as name:
        yield Stored(cluster, name)


def told(capsys: Told, *words: str) -> tuple[int, str]:
    code = run(list(words))
    return code, capsys.readouterr().out


def test_a_casino_is_mirrored_again_and_again(
    casino: Stored, items: list[Committed], tmp_path: Path, capsys: Told
) -> None:
    """Each time what is new is copied; then every command reads the copy."""
    data = str(tmp_path)
    counts = []
    for part in ([], items[len(items) // 2 :], []):
        casino.append(part)
        assert casino.mirror(tmp_path) == 0
        counts.append(_new_records(capsys.readouterr().out))
        assert told(capsys, "verify", "--all", "--data", data)[0] == 0

    assert counts == [len(items) // 2, len(items) - len(items) // 2, 0]
    verified = told(capsys, "verify", "--all", "--data", data)[1]
    assert "MATCH: all" in verified
    chains = {f"{service}/{part}" for service, part in split(items)}
    assert set(re.findall(r"^chain (\S+)", verified, re.MULTILINE)) == chains
    assert told(capsys, "audit", "--data", data)[0] == 0
    _, listed = told(capsys, "rounds", "--status", "settled", "--data", data)
    for table in TABLES:
        assert f"round-{table}-1" in listed
        assert told(capsys, "replay", f"round-{table}-1", "--data", data)[0] == 0


@pytest.fixture(params=["option", "environment"])
def words(
    request: pytest.FixtureRequest,
    casino: Stored,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> tuple[str, ...]:
    """How a command is told the database, by options or not; copies are kept here."""
    dsn = casino.cluster.dsn(casino.database, READER)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if request.param == "option":
        return ("--dsn", dsn)
    monkeypatch.setenv("PUSH22_DSN", dsn)
    monkeypatch.setenv("PUSH22_DATA", str(tmp_path / "elsewhere"))
    return ()


def test_every_reading_command_takes_a_database(
    casino: Stored,
    words: tuple[str, ...],
    tmp_path: Path,
    capsys: Told,
) -> None:
    """Without a step before it; what is new since the last command is copied."""
    said = []
    for command in (["verify", "--all"], ["audit"], ["replay", "round-t1-1"]):
        assert run([*command, *words]) == 0
        said.append(capsys.readouterr().err)
    assert run(["rounds", "--table", "t2", *words]) == 0
    assert "round-t2-1" in capsys.readouterr().out

    records = "SELECT count(*) FROM records"
    count = sum(casino.execute(name, records)[0][0] for name in NAMES)
    assert f"{count:,} new records copied to {tmp_path}" in said[0]
    assert all(": 0 new records copied" in text for text in said[1:])
    (kept,) = (tmp_path / "push22").iterdir()
    assert kept.stat().st_mode & 0o77 == 0


def test_a_database_that_is_not_there_is_named(
    tmp_path: Path, capsys: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one line, without its password."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    gone = f"postgresql://me:secret@/push22?host={tmp_path}"
    assert run(["audit", "--dsn", gone]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"push22: postgresql {tmp_path}/push22: not copied to ")
    assert "secret" not in said
    assert run(["audit", "--dsn", "mysql://x"]) == 2


def _new_records(text: str) -> int:
    lines = [line for line in text.splitlines() if line.endswith("new records")]
    assert len(lines) == len(NAMES)
    return sum(int(line.split()[1].replace(",", "")) for line in lines)


def test_the_copy_holds_the_bytes_of_the_logs(casino: Stored, tmp_path: Path) -> None:
    """Partition, offset, hash and body of every record are those of PostgreSQL."""
    assert casino.mirror(tmp_path) == 0
    file = SqliteFile.open(tmp_path / LOG_NAME, read_only=True)
    query = "SELECT part, offset, stream, version, hash, body FROM records"
    for name in NAMES:
        copied = file.query(f"{query} WHERE service = ?", (name,))
        sql = query.replace("offset", '"offset"')
        rows = casino.execute(name, sql)
        assert sorted(copied) == sorted(tuple(row) for row in rows)
        assert copied
    file.close()


def test_a_changed_record_is_named_and_not_copied(
    casino: Stored, tmp_path: Path, capsys: Told
) -> None:
    """One byte changed past the guards ends the copy with the record's place."""
    casino.forge("UPDATE records SET body = set_byte(body, 40, 65)")

    assert casino.mirror(tmp_path) == 1
    assert "round-t1-1@3: chain: its bytes are not" in capsys.readouterr().err


def test_a_missing_record_is_named(
    casino: Stored, tmp_path: Path, capsys: Told
) -> None:
    """A hole in a log is its own fault, not the copy's to wait for."""
    casino.forge("DELETE FROM records")

    assert casino.mirror(tmp_path) == 1
    assert "is gone" in capsys.readouterr().err


def test_another_log_is_not_copied_over_this_one(
    casino: Stored, tmp_path: Path, capsys: Told
) -> None:
    """A log that began again has another incarnation: the copy stays as it was."""
    assert casino.mirror(tmp_path) == 0
    sql = "UPDATE log SET incarnation = 'another'"
    casino.execute("wallet", sql)

    assert casino.mirror(tmp_path) == 1
    assert "wallet: this is log another, the copy is of log" in capsys.readouterr().err
    assert told(capsys, "verify", "--all", "--data", str(tmp_path))[0] == 0


def test_a_log_that_lost_its_end_is_named(
    casino: Stored,
    items: list[Committed],
    tmp_path: Path,
    capsys: Told,
) -> None:
    """A database restored from before the last copy no longer holds what was read."""
    with postgres_cluster.database(casino.cluster, casino.database) as later:
        Stored(casino.cluster, later).append(items[len(items) // 2 :])
        assert Stored(casino.cluster, later).mirror(tmp_path) == 0

    assert casino.mirror(tmp_path) == 1
    assert "the copy has: it is cut" in capsys.readouterr().err


def test_a_database_that_cannot_be_read_leaves_nothing(
    casino: Stored, tmp_path: Path, capsys: Told
) -> None:
    """No server, or no logs in it: one line each, and no file is made."""
    nowhere = "postgresql://nobody@127.0.0.1:1/push22"
    for dsn in (nowhere, casino.cluster.dsn("template1")):
        assert run(["mirror", "--dsn", dsn, "--data", str(tmp_path)]) == 1
        assert capsys.readouterr().err.startswith("push22: mirror: postgresql ")
    assert run(["mirror", "--dsn", "nonsense", "--data", str(tmp_path)]) == 2
    assert list(tmp_path.iterdir()) == []


def test_a_mirror_is_not_played_on(
    casino: Stored, tmp_path: Path, capsys: Told
) -> None:
    """Play ends with one line; no keys are made, and the copy stays as it was."""
    assert casino.mirror(tmp_path) == 0

    words = ["play", "--auto", "--rounds", "1", "--data", str(tmp_path)]
    assert run(words) == 1
    assert "is a mirror of logs" in capsys.readouterr().err
    assert not (tmp_path / KEYS_NAME).exists()
    assert told(capsys, "verify", "--all", "--data", str(tmp_path))[0] == 0
    assert casino.mirror(tmp_path) == 0


def test_a_casinos_directory_is_not_mirrored_into(
    casino: Stored, tmp_path: Path, capsys: Told
) -> None:
    """Its keys or its log give it away, and it can be played on afterwards."""
    words = ["play", "--auto", "--rounds", "1", "--data", str(tmp_path)]
    assert run(words) == 0

    assert casino.mirror(tmp_path) == 2
    assert "this is a casino's directory" in capsys.readouterr().err
    (tmp_path / KEYS_NAME).rename(tmp_path / "elsewhere")
    assert casino.mirror(tmp_path) == 1
    assert "holds a casino's own logs" in capsys.readouterr().err
    (tmp_path / "elsewhere").rename(tmp_path / KEYS_NAME)
    assert run(words) == 0
