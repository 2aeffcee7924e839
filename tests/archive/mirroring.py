"""A mirror under test: what is offered to it, in which order, and what it holds."""

import asyncio
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from partitions import Logs

from contracts import catalog
from contracts.topics import PARTITIONS
from push22.casino import LOG_NAME
from push22.inspect.reader import Reader
from runtime.log import NO_HASH, Record
from runtime.mirror import Mirror
from runtime.projection import Projector
from runtime.sqlite_file import SqliteFile
from services.archive.project import ROUNDS


class ListLog:
    """A log that was written long ago; only what a copy reads of it."""

    partitions = PARTITIONS

    def __init__(self, service: str, logs: Logs) -> None:
        self.service = service
        self.incarnation = f"log-of-{service}"
        self.parts = {part: logs.get((service, part), []) for part in range(PARTITIONS)}

    async def head(self, partition: int) -> tuple[int, bytes]:
        records = self.parts[partition]
        return (records[-1].offset, records[-1].hash) if records else (0, NO_HASH)

    async def read(self, partition: int, after: int, limit: int) -> list[Record]:
        found = [r for r in self.parts[partition] if r.offset > after]
        return found[:limit]


def mirror_at(folder: Path) -> Mirror:
    return Mirror(SqliteFile.open(folder / LOG_NAME))


async def project(mirror: Mirror) -> None:
    """Bring the index of rounds up to date."""
    projector = Projector(ROUNDS, mirror.file, mirror)
    projector.start()
    while await projector.cycle():
        pass


def deliver(mirror: Mirror, logs: Logs, seed: int, offers: int = 10**9) -> bool:
    """Offer everything in random pieces; true when all of it is there.

    A piece begins anywhere up to where it should: records come again, whole pieces
    are late, and after a gap the source goes back.
    """
    chance = random.Random(seed)
    read = {source: mirror.position(*source).offset for source in logs}
    for _ in range(offers):
        late = [source for source in logs if not is_whole(mirror, logs, source)]
        if not late:
            return True
        source = chance.choice(late)
        start = max(0, read[source] - chance.randrange(4))
        start += 3 if chance.random() < 0.1 else 0
        piece = logs[source][start : start + chance.randrange(1, 60)]
        missing = mirror.offer(piece).missing
        read[source] = missing.get(source, start + len(piece))
        assert not mirror.halted
    return False


def is_whole(mirror: Mirror, logs: Logs, source: tuple[str, int]) -> bool:
    """Tell whether all of a source was taken in and stored."""
    return mirror.position(*source).offset == len(logs[source])


def contents(mirror: Mirror) -> Logs:
    """Return what the file holds of each partition."""
    found: Logs = {}
    for service, part in mirror.file.query("SELECT service, part FROM heads"):
        if records := mirror.file.records_of_log(service, part, 0, 10**6):
            found[service, part] = records
    return found


def check_causes(folder: Path) -> int:
    """Every cause lies before its effects; return how many effects there were."""
    reader = Reader.open(folder)
    seen: set[str] = set()
    effects = 0
    for item in reader.everything():
        cause = catalog.decode_envelope(item.body).cause
        if cause is not None and cause.kind == "event":
            assert cause.id in seen, f"{item.id} before {cause.id}"
            effects += 1
        seen.add(item.id)
    reader.close()
    return effects


def merged(logs: Mapping[tuple[str, int], Sequence[Record]]) -> list[Record]:
    """Return all records, source after source: effects long before their causes."""
    return [record for source in sorted(logs) for record in logs[source]]


def copied(logs: Logs, folder: Path) -> Path:
    """Copy whole logs into a folder, as a mirror that keeps its index."""
    folder.mkdir(exist_ok=True)
    mirror = mirror_at(folder)
    assert deliver(mirror, logs, seed=3)
    asyncio.run(project(mirror))
    mirror.file.close()
    return folder
