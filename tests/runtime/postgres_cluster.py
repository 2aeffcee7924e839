"""A PostgreSQL cluster of a test run's own: made, started and thrown away.

It listens on a socket in its own directory only, so no port can be taken. Its settings
are durable ones: a log would refuse others.
"""

import asyncio
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import asyncpg

from runtime.postgres_migrations import migrate

SKIP = "PUSH22_SKIP_POSTGRES"
TEMPLATE = "push22_migrated"
SERVICES = ("toy", "echo")

_INSTALLED = Path("/usr/lib/postgresql")
_BOUND_S = 60
_ROOM_BYTES = 1 << 30
_HBA = """\
local all push22_locked scram-sha-256
local all all trust
"""
_SETTINGS = (
    "listen_addresses=",
    "max_connections=60",
    "shared_buffers=32MB",
    "log_min_messages=panic",
)


class Cluster:
    """A running server; each test gets databases of its own from it."""

    def __init__(self, folder: Path, bin_: Path) -> None:
        self.folder = folder
        self._bin = bin_
        self._made = 0

    @classmethod
    def start(cls, where: str = "") -> Self:
        """Make and start a server in a directory below `where`."""
        bin_ = _binaries()
        folder = Path(tempfile.mkdtemp(prefix="push22-pg-", dir=where or _roomy()))
        if os.getuid() == 0:
            # The server refuses to run as root.
            shutil.chown(folder, "postgres", "postgres")
        cluster = cls(folder, bin_)
        try:
            cluster._begin()
        except BaseException:
            cluster.stop()
            raise
        return cluster

    def _begin(self) -> None:
        self._run("initdb", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync")
        (self.folder / "data" / "pg_hba.conf").write_text(_HBA)
        options = " ".join(f"-c {item}" for item in _SETTINGS)
        log = str(self.folder / "server.log")
        options += f" -k {self.folder}"
        self._run("pg_ctl", "start", "-w", "-l", log, "-o", options)
        self.create(TEMPLATE, template="template0")
        asyncio.run(migrate(self.dsn(TEMPLATE), SERVICES, partitions=1))

    def _run(self, program: str, *words: str) -> None:
        as_owner = ("runuser", "-u", "postgres", "--") if os.getuid() == 0 else ()
        data = str(self.folder / "data")
        done = subprocess.run(
            [*as_owner, str(self._bin / program), "-D", data, *words],
            cwd="/",
            # The server inherits these; a pipe would stay open as long as it runs.
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_BOUND_S,
            check=False,
        )
        assert done.returncode == 0, f"{program} failed, see {self.folder}"

    def dsn(self, database: str, role: str = "postgres") -> str:
        return f"postgresql://{role}@/{database}?host={self.folder}"

    def create(self, database: str, template: str = TEMPLATE) -> None:
        self.execute(f"CREATE DATABASE {database} TEMPLATE {template}")

    def fresh(self, template: str = TEMPLATE) -> str:
        """Create a database that no other test knows; return its name."""
        self._made += 1
        name = f"fresh_{self._made}"
        self.create(name, template)
        return name

    def drop(self, database: str) -> None:
        self.execute(f"DROP DATABASE {database} WITH (FORCE)")

    def execute(self, sql: str, database: str = "postgres") -> Any:
        """Run one statement as the superuser."""
        return asyncio.run(execute(self.dsn(database), sql))

    def stop(self) -> None:
        if (self.folder / "data" / "postmaster.pid").exists():
            self._run("pg_ctl", "stop", "-m", "immediate")
        shutil.rmtree(self.folder)


async def execute(dsn: str, sql: str, *values: Any) -> Any:
    """Run one statement on a connection of its own; return its rows."""
    connection = await asyncpg.connect(dsn, timeout=10)
    try:
        return await connection.fetch(sql, *values)
    finally:
        await connection.close(timeout=10)


def _roomy() -> str:
    """Prefer memory: the server is as durable as elsewhere, and waits for no disk."""
    memory = Path("/dev/shm")
    is_roomy = memory.is_dir() and shutil.disk_usage(memory).free > _ROOM_BYTES
    return str(memory) if is_roomy else "/tmp"


def _binaries() -> Path:
    """Return the directory of the newest server that is installed."""
    found: Sequence[Path] = sorted(
        _INSTALLED.glob("*/bin/initdb"), key=lambda file: int(file.parts[-3])
    )
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    assert on_path, (
        "PostgreSQL is not installed: its log goes untested."
        f" Install postgresql, or set {SKIP}=1 to leave these tests out"
    )
    return Path(on_path).resolve().parent


@contextmanager
def database(cluster: Cluster, template: str = TEMPLATE) -> Iterator[str]:
    """Lend a fresh database."""
    name = cluster.fresh(template)
    try:
        yield name
    finally:
        cluster.drop(name)
