"""A database of a test's own, and what must hold of every log in it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any

from postgres_cluster import Cluster, execute

from runtime.log import NO_HASH, Record
from runtime.log_postgres import PostgresLog


class Place:
    """A database, and how its logs are opened."""

    def __init__(self, cluster: Cluster, database: str) -> None:
        self.database = database
        self.admin = cluster.dsn(database)
        self.service = cluster.dsn(database, "push22_toy")

    @asynccontextmanager
    async def log(self, dsn: str = "", **more: Any) -> AsyncIterator[PostgresLog]:
        more = {"connections": 2, **more}
        opened = await PostgresLog.open(dsn or self.service, "toy", **more)
        try:
            yield opened
        finally:
            await opened.close()

    async def execute(self, sql: str, *values: Any) -> Any:
        """Run one statement as the superuser, in the schema of the toy."""
        return await execute(f"{self.admin}&search_path=push22_toy", sql, *values)


async def check_chain(log: PostgresLog, partition: int = 0) -> list[Record]:
    """Return a partition's records after checking offsets, links and head."""
    link = NO_HASH
    records = await log.read(partition, 0, 10_000)
    assert [r.offset for r in records] == list(range(1, len(records) + 1))
    for record in records:
        assert record.previous == link
        link = sha256(link + sha256(record.body).digest()).digest()
        assert record.hash == link
    assert await log.head(partition) == (len(records), link)
    return records
