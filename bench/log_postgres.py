"""Records a second that the PostgreSQL log takes in batches of 64, on this disk.

Beside it in the same run: asyncpg copying the same rows, as many to a commit, into a
table with the same two indexes and nothing else.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

import asyncpg

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "runtime"))

from postgres_cluster import Cluster

from contracts.envelope import Actor
from contracts.identities import partition_of
from contracts.topics import PARTITIONS
from runtime.log import Batch, Draft, Move, Position, Record
from runtime.log_postgres import PostgresLog
from runtime.postgres_migrations import migrate

_BATCH = 64
_DATA = b'{"type":"bench.added.v1","pad":"' + b"x" * 380 + b'"}'
_PLATFORM = Actor("platform", "bench")
_FLOOR = """
    CREATE TABLE floor (
        part integer, "offset" bigint, stream text, version bigint, type text,
        round_id text, hash bytea, body bytea,
        PRIMARY KEY (part, "offset"), UNIQUE (stream, version)
    )
"""


def batch(partition: int, number: int) -> Batch:
    """Return one of a writer's batches: 8 streams, and a position that moves."""
    names = (f"table-t{n}" for n in range(1000))
    streams = [s for s in names if partition_of(s, PARTITIONS) == partition][:8]
    first = number * _BATCH // 8
    drafts = [
        Draft(stream, first + n, "bench.added.v1", _DATA, "c", "c", _PLATFORM)
        for stream in streams
        for n in range(1, _BATCH // 8 + 1)
    ]
    position = Position("source", partition, "x", (number + 1) * _BATCH)
    return Batch(1, drafts, [Move(position, number * _BATCH)])


async def write(log: PostgresLog, batches: list[Batch]) -> list[Record]:
    written = []
    for item in batches:
        written += await log.append(item)
    return written


async def measure(dsn: str, writers: int, count: int) -> tuple[float, list[Record]]:
    """Let each writer fill a partition of its own; return seconds and records."""
    log = await PostgresLog.open(dsn, "bench", connections=writers)
    work = [[batch(part, n) for n in range(count)] for part in range(writers)]
    begun = time.perf_counter()
    done = await asyncio.gather(*[write(log, batches) for batches in work])
    took = time.perf_counter() - begun
    await log.close()
    return took, [record for records in done for record in records]


async def bare_copy(dsn: str, records: list[Record]) -> float:
    """Copy the rows of one writer after another; return seconds."""
    connection = await asyncpg.connect(dsn)
    await connection.execute(_FLOOR)
    rows = [record[1:7] + record[8:] for record in records]
    begun = time.perf_counter()
    for start in range(0, len(rows), _BATCH):
        some = rows[start : start + _BATCH]
        await connection.copy_records_to_table("floor", records=some)
    took = time.perf_counter() - begun
    await connection.close()
    return took


async def run(cluster: Cluster, writers: int, count: int) -> None:
    dsn = cluster.dsn("postgres")
    await migrate(dsn, ["bench"])
    took, records = await measure(dsn, writers, count)
    floor = await bare_copy(dsn, records)
    size = sum(len(record.body) for record in records) // len(records)
    print(
        f"{writers} writer{'s' * (writers > 1)}, batches of {_BATCH}"
        f"  {len(records) / took:8.0f} records/s of {size} bytes,"
        f" {1000 * took / count:.1f} ms a batch"
    )
    print(f"floor: bare COPY         {len(records) / floor:8.0f} records/s, one writer")


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    for writers in (1, PARTITIONS):
        try:
            cluster = Cluster.start(tempfile.gettempdir())
        except AssertionError as error:
            print(f"not measured: {error}")
            return
        try:
            asyncio.run(run(cluster, writers, count))
        finally:
            cluster.stop()


if __name__ == "__main__":
    main()
