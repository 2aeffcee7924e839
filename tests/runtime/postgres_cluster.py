"""A PostgreSQL cluster of a test run's own, migrated, with databases to lend.

It listens on a socket in its own directory only, so no port can be taken. Its settings
are durable ones: a log would refuse others.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import asyncpg

from runtime.postgres_migrations import migrate
from tests.postgres import Postgres, Unavailable, temporary_folder

SKIP = "PUSH22_SKIP_POSTGRES"
TEMPLATE = "push22_migrated"
SERVICES = ("toy", "echo")


class Cluster:
    """A running server; each test gets databases of its own from it."""

    def __init__(self, server: Postgres) -> None:
        self._server = server
        self._made = 0

    @classmethod
    def start(cls, where: str = "") -> Self:
        """Make and start a server in a directory below `where`."""
        server = Postgres(temporary_folder("push22-pg-", where))
        cluster = cls(server)
        try:
            server.start()
            cluster.create(TEMPLATE, template="template0")
            asyncio.run(migrate(cluster.dsn(TEMPLATE), SERVICES, partitions=1))
        except BaseException as reason:
            cluster.stop()
            if isinstance(reason, Unavailable):
                reason.add_note(f"{SKIP}=1 leaves the tests of its log out")
            raise
        return cluster

    @property
    def folder(self) -> Path:
        return self._server.folder

    def dsn(self, database: str, role: str = "postgres") -> str:
        return self._server.dsn(database, role)

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
        self._server.remove()


async def execute(dsn: str, sql: str, *values: Any) -> Any:
    """Run one statement on a connection of its own; return its rows."""
    connection = await asyncpg.connect(dsn, timeout=10)
    try:
        return await connection.fetch(sql, *values)
    finally:
        await connection.close(timeout=10)


@contextmanager
def database(cluster: Cluster, template: str = TEMPLATE) -> Iterator[str]:
    """Lend a fresh database."""
    name = cluster.fresh(template)
    try:
        yield name
    finally:
        cluster.drop(name)
