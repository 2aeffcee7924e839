"""`push22 log recover` where nothing is lost."""

import asyncio
from pathlib import Path

import pytest
from postgres_cluster import Cluster

from push22.__main__ import run
from push22.casino import LOG_NAME
from runtime.postgres_migrations import migrate
from runtime.sqlite_file import SqliteFile


@pytest.fixture
def dsn(cluster: Cluster, empty_database: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A wallet's log, and no Kafka to compare it with."""
    monkeypatch.delenv("PUSH22_KAFKA", raising=False)
    found = cluster.dsn(empty_database)
    asyncio.run(migrate(found, ["wallet"]))
    return found


def test_a_whole_log_is_said_to_be_whole(
    dsn: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Silence could be a mistake in the command; a line is an answer."""
    SqliteFile.open(tmp_path / LOG_NAME).close()

    words = ["log", "recover", "wallet", "--dsn", dsn, "--data", str(tmp_path)]
    assert run(words) == 0

    assert capsys.readouterr().out == "nothing is missing\n"
