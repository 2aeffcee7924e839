"""A database is put back to a moment, from a base backup and its archived WAL (L6)."""

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from partitions import Committed
from test_backup_postgres import NAMES, _played

from push22.__main__ import run
from runtime.log import Batch
from runtime.log_postgres import PostgresLog
from runtime.postgres_migrations import migrate
from tests.postgres import temporary_folder
from tests.postgres_archive import Archiving

_POINT = "before the fault"
Told = pytest.CaptureFixture[str]


@pytest.fixture
def server() -> Iterator[Archiving]:
    parent = temporary_folder("push22-pitr-")
    found = Archiving(parent / "first")
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


def _digest(data: Path, capsys: Told) -> str:
    capsys.readouterr()
    assert run(["digest", "--data", str(data)]) == 0
    return capsys.readouterr().out


def test_l6_a_database_is_put_back_and_the_archive_has_the_rest(
    server: Archiving, tmp_path: Path, capsys: Told, monkeypatch: pytest.MonkeyPatch
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
    server.name_moment(_POINT)
    asyncio.run(_append(dsn, items[2 * third :]))
    archive = tmp_path / "archive"
    assert run(["mirror", "--dsn", dsn, "--data", str(archive)]) == 0
    server.archive()
    server.kill()

    restored = server.restored(backup, _POINT)
    try:
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
