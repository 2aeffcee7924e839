"""A database is put back to a moment, from a base backup and its archived WAL (L6)."""

import asyncio
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from partitions import Committed
from postgres_cluster import execute
from test_backup_postgres import NAMES, _played

from push22.__main__ import run
from runtime.log import Batch
from runtime.log_postgres import PostgresLog
from runtime.postgres_migrations import migrate
from tests.postgres import Postgres, temporary_folder

_BOUND_S = 60
_POINT = "before the fault"
Told = pytest.CaptureFixture[str]


class Server(Postgres):
    """A server that archives its WAL, and can be put back from a base backup."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.wal = folder.parent / "wal"

    def begin(self) -> None:
        """Make the cluster as docs/backup.md says, and start it."""
        self._initialise()
        self.wal.mkdir()
        shutil.chown(self.wal, *_owner(self.folder))
        copy = f"test ! -f {self.wal}/%f && cp %p {self.wal}/%f"
        with (self.folder / "data" / "postgresql.conf").open("a") as settings:
            settings.write(f"archive_mode = on\narchive_command = '{copy}'\n")
        with (self.folder / "data" / "pg_hba.conf").open("a") as rules:
            rules.write("local replication all trust\n")
        self.start()

    def base_backup(self, target: Path) -> None:
        target.mkdir()
        shutil.chown(target, *_owner(self.folder))
        words = ("-h", str(self.folder), "-U", "postgres", "-c", "fast", "-X", "none")
        self._run("pg_basebackup", *words, "-D", str(target / "data"))

    def archived(self, segment: str) -> None:
        until = time.monotonic() + _BOUND_S
        while not (self.wal / segment).exists():
            assert time.monotonic() < until, f"{segment} was not archived"
            time.sleep(0.05)


def _owner(folder: Path) -> tuple[str, str]:
    return folder.owner(), folder.group()


@pytest.fixture
def server() -> Iterator[Server]:
    parent = temporary_folder("push22-pitr-")
    found = Server(parent / "first")
    found.begin()
    yield found
    found.remove()
    shutil.rmtree(parent, ignore_errors=True)


async def _append(dsn: str, items: list[Committed]) -> None:
    logs = {name: await PostgresLog.open(dsn, name, connections=1) for name in NAMES}
    for service, at, draft in items:
        await logs[service].append(Batch(at, [draft]))
    for log in logs.values():
        await log.close()


def _restored(backup: Path, wal: Path) -> Postgres:
    """Start the backup with the archived WAL, up to the named point."""
    with (backup / "data" / "postgresql.auto.conf").open("a") as settings:
        settings.write(
            f"restore_command = 'cp {wal}/%f %p'\n"
            f"recovery_target_name = '{_POINT}'\n"
            "recovery_target_action = 'promote'\n"
            "archive_mode = off\n"
        )
    signal = backup / "data" / "recovery.signal"
    signal.touch()
    shutil.chown(signal, *_owner(backup))
    found = Postgres(backup)
    found.start()
    return found


def _digest(data: Path, capsys: Told) -> str:
    capsys.readouterr()
    assert run(["digest", "--data", str(data)]) == 0
    return capsys.readouterr().out


def test_l6_a_database_is_put_back_and_the_archive_has_the_rest(
    server: Server, tmp_path: Path, capsys: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Base backup, WAL up to a point, the lost tail from the archive's file."""
    monkeypatch.delenv("PUSH22_KAFKA", raising=False)
    items = asyncio.run(_played())
    third = len(items) // 3
    dsn = server.dsn()
    asyncio.run(migrate(dsn, NAMES))
    asyncio.run(_append(dsn, items[:third]))
    backup = server.folder.parent / "backup"
    server.base_backup(backup)
    asyncio.run(_append(dsn, items[third : 2 * third]))
    point = tmp_path / "point"
    assert run(["mirror", "--dsn", dsn, "--data", str(point)]) == 0
    asyncio.run(execute(dsn, "SELECT pg_create_restore_point($1)", _POINT))
    asyncio.run(_append(dsn, items[2 * third :]))
    archive = tmp_path / "archive"
    assert run(["mirror", "--dsn", dsn, "--data", str(archive)]) == 0
    (row,) = asyncio.run(execute(dsn, "SELECT pg_walfile_name(pg_switch_wal())"))
    server.archived(row[0])
    server.kill()

    restored = _restored(backup, server.wal)
    try:
        _wait_until_promoted(restored.dsn())
        again = tmp_path / "again"
        assert run(["mirror", "--dsn", restored.dsn(), "--data", str(again)]) == 0
        assert _digest(again, capsys) == _digest(point, capsys)
        _refused_by_the_archive(restored.dsn(), archive, capsys)
        _take_back(restored.dsn(), archive, capsys)
        whole = tmp_path / "whole"
        assert run(["mirror", "--dsn", restored.dsn(), "--data", str(whole)]) == 0
        assert _digest(whole, capsys) == _digest(archive, capsys)
        assert run(["verify", "--all", "--data", str(whole)]) == 0
        assert run(["audit", "--data", str(whole)]) == 0
    finally:
        restored.stop()


def _wait_until_promoted(dsn: str) -> None:
    """It answers while it still reads WAL, and can't be written to then."""
    until = time.monotonic() + _BOUND_S
    while asyncio.run(execute(dsn, "SELECT pg_is_in_recovery()"))[0][0]:
        assert time.monotonic() < until, "it was not promoted"
        time.sleep(0.05)


def _refused_by_the_archive(dsn: str, archive: Path, capsys: Told) -> None:
    """The database is older than what the archive has read: nothing is copied."""
    capsys.readouterr()
    assert run(["mirror", "--dsn", dsn, "--data", str(archive)]) == 1
    assert "it is cut" in capsys.readouterr().err


def _take_back(dsn: str, archive: Path, capsys: Told) -> None:
    """Of each service; a second time there is nothing to take."""
    for name in NAMES:
        words = ["log", "recover", name, "--dsn", dsn, "--data", str(archive)]
        assert run([*words, "--take"]) == 0, name
    assert "records taken back" in capsys.readouterr().out
    for name in NAMES:
        words = ["log", "recover", name, "--dsn", dsn, "--data", str(archive)]
        assert run(words) == 0
        assert capsys.readouterr().out == "nothing is missing\n"
