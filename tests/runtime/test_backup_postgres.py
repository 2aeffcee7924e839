"""The logs in PostgreSQL go into a file, and from it into another database (L6)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import postgres_cluster
import pytest
from partitions import Committed, committed
from postgres_cluster import Cluster, execute

from push22.__main__ import run
from push22.bot import Wagers
from push22.casino import LOG_NAME, SERVICES, Casino
from push22.checkpoints.keys import PUBLIC_NAME, SigningKeys
from push22.inspect.reader import Reader
from push22.session import Session, Table
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy, SystemClock
from runtime.log import AgendaItem, Batch, Move, Parked, Position, StoredAnswer
from runtime.log_postgres import PostgresLog
from runtime.log_repair import Decided, begin_incarnation
from runtime.postgres_migrations import migrate
from runtime.postgres_roles import schema_of

NAMES = [service.name for service in SERVICES]
TABLES = ("log", "heads", "records", "positions", "answers", "agenda", "parked",
          "published", "incarnations", "accepted")  # fmt: skip
Told = pytest.CaptureFixture[str]


async def _played() -> list[Committed]:
    ambient = Ambient(ManualClock(), SeededEntropy(22), KeyRing.in_memory())
    casino = await Casino.in_memory(ambient)
    for number, rules in enumerate(("ny-switch-6d", "lv-switch")):
        wagers = Wagers((1,), (1000, 1000))
        table = Table(f"t{number}", rules, f"local.player{number}", wagers)
        session = Session(casino, table)
        await session.open()
        for _ in range(2):
            await session.play(session.bot)
    found = list(committed(casino.host.file))
    await casino.close()
    return found


async def _fill(dsn: str, items: list[Committed]) -> None:
    """Append what was committed, and besides it a row of each other kind."""
    await migrate(dsn, NAMES)
    logs = {name: await PostgresLog.open(dsn, name, connections=1) for name in NAMES}
    for service, at, draft in items:
        await logs[service].append(Batch(at, [draft]))
    wallet = logs["wallet"]
    position = Position("table-orchestrator", 3, "cafe", 7, bytes(range(32)))
    answer = StoredAnswer("player:\0odd", "id\\1", b"d" * 32, b"{}", 5)
    waits = Parked("wallet-x\0", "record", "shoe", "why\\", b"\0\xff", 6)
    for number in range(2):
        item = Parked(f"gone-{number}", *waits[1:])
        await wallet.append(Batch(at, parked=[item]))
        await wallet.resolve_parked(number + 1, "discarded", "carol", "no use")
    agenda = {"table-t0": (AgendaItem("table-t0", 1, "betting", 99),)}
    await wallet.append(
        Batch(
            at,
            moves=[Move(position, 0)],
            answers=[answer],
            agenda=agenda,
            parked=[waits],
        )
    )
    decided = Decided("the boss", "a tried one")
    await begin_incarnation(logs["desk"], decided)
    for log in logs.values():
        await log.close()


@pytest.fixture(scope="module")
def items() -> list[Committed]:
    return asyncio.run(_played())


@pytest.fixture
def filled(cluster: Cluster, items: list[Committed]) -> Iterator[str]:
    with postgres_cluster.database(cluster, "template0") as name:
        asyncio.run(_fill(cluster.dsn(name), items))
        yield cluster.dsn(name)


@pytest.fixture
def empty(cluster: Cluster) -> Iterator[str]:
    with postgres_cluster.database(cluster, "template0") as name:
        asyncio.run(migrate(cluster.dsn(name), NAMES))
        yield cluster.dsn(name)


def _contents(dsn: str) -> dict[str, list[Any]]:
    """Return all that services have in a database, but snapshots and leases."""
    return {
        f"{service}.{table}": asyncio.run(
            execute(
                dsn, f"SELECT t::text FROM {schema_of(service)}.{table} t ORDER BY 1"
            )
        )
        for service in NAMES
        for table in TABLES
    }


def test_law_1_logs_go_from_database_to_file_to_database(
    filled: str, empty: str, tmp_path: Path, capsys: Told
) -> None:
    """All rows of all tables are equal; the file is the same again; it goes on."""
    file, again = tmp_path / "logs.p22", tmp_path / "again.p22"
    assert run(["export", "--dsn", filled, "-o", str(file)]) == 0
    assert run(["import", str(file), "--dsn", empty]) == 0
    told = capsys.readouterr().out
    assert "nothing signed covers these logs" in told
    assert "everything holds" not in told
    assert _contents(empty) == _contents(filled)
    assert run(["export", "--dsn", empty, "-o", str(again)]) == 0
    assert again.read_bytes() == file.read_bytes()

    asyncio.run(_goes_on(empty))


async def _goes_on(dsn: str) -> None:
    """The service's own role opens it, and what it sets aside next has a fresh id."""
    role = dsn.replace("postgres@", "push22_wallet@")
    log = await PostgresLog.open(role, "wallet", connections=1)
    waits = Parked("wallet-later", "record", "shoe", "why", b"x", 7)
    await log.append(Batch(10**16, parked=[waits]))
    assert [item.id for item in await log.parked()] == [3, 4]
    await log.close()


def test_an_export_of_postgresql_becomes_a_mirror(
    filled: str, tmp_path: Path, capsys: Told
) -> None:
    """Its digests are those of the mirror that is copied; causes come first."""
    file = tmp_path / "logs.p22"
    assert run(["export", "--dsn", filled, "-o", str(file)]) == 0
    assert run(["import", str(file), "-o", str(tmp_path / "taken")]) == 0
    assert run(["mirror", "--dsn", filled, "--data", str(tmp_path / "mirror")]) == 0
    digests = []
    for name in ("taken", "mirror"):
        capsys.readouterr()
        assert run(["digest", "--data", str(tmp_path / name)]) == 0
        digests.append(capsys.readouterr().out)
    assert digests[0] == digests[1]
    assert "archive_rounds" in digests[0]
    assert run(["verify", "--all", "--data", str(tmp_path / "taken")]) == 0
    reader = Reader.at(tmp_path / "taken" / LOG_NAME)
    assert not any(list(reader.shuffled(log)) for log in reader.logs())
    reader.close()


def test_nothing_is_taken_into_logs_that_hold_something(
    filled: str, empty: str, tmp_path: Path, capsys: Told
) -> None:
    """Nor into a database without logs, and nothing changes in either."""
    file = tmp_path / "logs.p22"
    assert run(["export", "--dsn", filled, "-o", str(file)]) == 0
    before = _contents(filled)
    assert run(["import", str(file), "--dsn", filled]) == 1
    assert "is not empty" in capsys.readouterr().err
    assert _contents(filled) == before
    asyncio.run(execute(empty, "DROP SCHEMA push22_shoe CASCADE"))
    assert run(["import", str(file), "--dsn", empty]) == 1
    assert "run push22 migrate" in capsys.readouterr().err


def test_a_damaged_file_leaves_the_database_empty(
    filled: str, empty: str, tmp_path: Path, capsys: Told
) -> None:
    """Cut behind all records, or one byte changed: nothing of it stays."""
    file = tmp_path / "logs.p22"
    assert run(["export", "--dsn", filled, "-o", str(file)]) == 0
    whole, before = file.read_bytes(), _contents(empty)
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 1
    for content in (whole[:-30], whole[: len(whole) // 3], bytes(changed)):
        file.write_bytes(content)
        assert run(["import", str(file), "--dsn", empty]) == 1
        assert str(file) in capsys.readouterr().err
        assert _contents(empty) == before


def test_a_casino_of_one_process_goes_into_no_database(
    empty: str, tmp_path: Path, capsys: Told
) -> None:
    """Its logs have one partition each, and records know theirs: it is refused."""
    data, file = tmp_path / "data", tmp_path / "casino.p22"
    assert run(["play", "--auto", "--rounds", "1", "--data", str(data)]) == 0
    assert run(["export", str(data), "-o", str(file)]) == 0
    assert run(["import", str(file), "--dsn", empty]) == 1
    assert "has 8 partitions, not 1" in capsys.readouterr().err


def test_keys_are_not_passed_over(
    filled: str, empty: str, tmp_path: Path, capsys: Told
) -> None:
    """No checkpoints are kept in a database: what was to be held to them is refused."""
    file, keys = tmp_path / "logs.p22", tmp_path / "keys.json"
    assert run(["export", "--dsn", filled, "-o", str(file)]) == 0
    before = _contents(empty)
    words = ["import", str(file), "--dsn", empty, "--keys", str(keys)]
    assert run(words) == 2
    assert "keys.json: " in capsys.readouterr().err
    keys.write_text('{"keys": []}')
    assert run(words) == 2
    assert "holds no key" in capsys.readouterr().err
    (tmp_path / "strange").mkdir()
    SigningKeys(tmp_path / "strange").public(SystemClock())
    keys.write_bytes((tmp_path / "strange" / PUBLIC_NAME).read_bytes())
    assert run(words) == 1
    assert "nothing signed by the keys of" in capsys.readouterr().err
    assert _contents(empty) == before
