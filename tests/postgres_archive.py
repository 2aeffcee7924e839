"""A PostgreSQL server that archives its WAL, as docs/backup.md says; and back again."""

import asyncio
import shutil
import time
from pathlib import Path
from typing import Any

import asyncpg

from tests.postgres import Postgres

_BOUND_S = 60


class Archiving(Postgres):
    """A server that archives its WAL, and can be put back from a base backup."""

    def __init__(self, folder: Path, *, port: int | None = None) -> None:
        super().__init__(folder, port=port)
        self.wal = folder.parent / "wal"

    def begin(self) -> None:
        """Make the cluster as docs/backup.md says, and start it."""
        self._initialise()
        self.wal.mkdir()
        _give(self.wal, self.folder)
        copy = f"test ! -f {self.wal}/%f && cp %p {self.wal}/%f"
        with (self.folder / "data" / "postgresql.conf").open("a") as settings:
            settings.write(f"archive_mode = on\narchive_command = '{copy}'\n")
        with (self.folder / "data" / "pg_hba.conf").open("a") as rules:
            rules.write("local replication all trust\n")
        self.start()

    def base_backup(self, target: Path) -> None:
        target.mkdir()
        _give(target, self.folder)
        where = ["-h", str(self.folder), "-U", "postgres"]
        where += [] if self.port is None else ["-p", str(self.port)]
        words = ("-c", "fast", "-X", "none", "-D", str(target / "data"))
        self._run("pg_basebackup", *where, *words)

    def name_moment(self, name: str) -> None:
        """Give the present moment a name to come back to."""
        _value(self.dsn(), "SELECT pg_create_restore_point($1)", name)

    def archive(self) -> None:
        """Wait until all that was committed by now is in the archive."""
        segment = _value(self.dsn(), "SELECT pg_walfile_name(pg_switch_wal())")
        until = time.monotonic() + _BOUND_S
        while not (self.wal / segment).exists():
            assert time.monotonic() < until, f"{segment} was not archived"
            time.sleep(0.05)

    def restored(self, backup: Path, moment: str) -> Postgres:
        """Start the backup with the archived WAL, up to a named moment."""
        with (backup / "data" / "postgresql.auto.conf").open("a") as settings:
            settings.write(
                f"restore_command = 'cp {self.wal}/%f %p'\n"
                f"recovery_target_name = '{moment}'\n"
                "recovery_target_action = 'promote'\n"
            )
        signal = backup / "data" / "recovery.signal"
        signal.touch()
        _give(signal, backup)
        found = Postgres(backup, port=self.port)
        found.start()
        _wait_until_promoted(found.dsn())
        return found


def _give(path: Path, like: Path) -> None:
    shutil.chown(path, like.owner(), like.group())


def _wait_until_promoted(dsn: str) -> None:
    """It answers while it still reads WAL, and can't be written to then."""
    until = time.monotonic() + _BOUND_S
    while _value(dsn, "SELECT pg_is_in_recovery()"):
        assert time.monotonic() < until, "it was not promoted"
        time.sleep(0.05)


def _value(dsn: str, sql: str, *values: str) -> Any:
    """Ask for one value on a connection of its own."""

    async def ask() -> Any:
        connection = await asyncpg.connect(dsn, timeout=10)
        try:
            return await connection.fetchval(sql, *values)
        finally:
            await connection.close(timeout=10)

    return asyncio.run(ask())
