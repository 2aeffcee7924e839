"""The archive signs what it mirrors: all partitions of all logs."""

import shutil
from pathlib import Path

import pytest
from signing import kinds, verified

from contracts import catalog
from push22.casino import LOG_NAME
from push22.checkpoints.keys import SigningKeys
from push22.checkpoints.maker import EVERY_US, Maker
from push22.inspect.reader import Reader
from runtime.ambient import ManualClock
from runtime.archive_host import ArchiveHost
from runtime.kafka_records import Arrived
from runtime.kafka_settings import KafkaSettings
from runtime.log import ChainBroken
from runtime.mirror import Mirror
from runtime.sqlite_file import SqliteFile


class Puller:
    async def pull(self, *asked: object) -> list[object]:
        raise AssertionError(f"nothing is missing: {asked}")

    async def close(self) -> None:
        pass


def arrived(data: Path) -> list[Arrived]:
    """Return a casino's records as Kafka would bring them, causes first."""
    reader = Reader.open(data)
    found = {
        (service, record.offset): record
        for service in reader.file.services()
        for record in reader.file.records_of_log(service, 0, 0, 10**9)
    }
    order = reader.file.query("SELECT service, offset FROM records ORDER BY place")
    reader.close()
    records = [found[place] for place in order]
    return [Arrived(r, catalog.decode_envelope(r.body)) for r in records]


@pytest.fixture
def data(played: Path, tmp_path: Path) -> Path:
    shutil.copytree(played, tmp_path / "casino")
    (tmp_path / "archive").mkdir()
    return tmp_path


async def test_an_archive_signs_as_records_come_and_goes_on_after_a_kill(
    data: Path,
) -> None:
    """A host that ends without a word and one that goes on sign one series."""
    items = arrived(data / "casino")
    clock = ManualClock()
    for part in (items[: len(items) // 2], items):
        file = SqliteFile.open(data / "archive" / LOG_NAME)
        host = ArchiveHost(Mirror(file), [], KafkaSettings("nowhere:1"), Puller())
        keys = SigningKeys(data / "archive")
        host.watcher = Maker(file, data / "archive", keys, clock, length=100)
        host.watcher.start()
        for at in range(0, len(part), 150):
            clock.advance(seconds=EVERY_US / 1_000_000 / 2)
            await host.take(part[at : at + 150])
        if part is items:
            host.watcher.close()
        file.close()
    found = verified(data / "archive")
    assert kinds(found) == set()
    assert sum(log.records for log in found.logs) == len(items)
    assert all(log.covered == log.records for log in found.logs)
    assert any(log.checkpoints > 2 for log in found.logs)


async def test_an_archive_whose_file_was_changed_stops(data: Path) -> None:
    """It signs nothing more, and what it signed before stays."""
    items = arrived(data / "casino")
    file = SqliteFile.open(data / "archive" / LOG_NAME)
    host = ArchiveHost(Mirror(file), [], KafkaSettings("nowhere:1"), Puller())
    await host.take(items[:900])
    file.execute("DROP TRIGGER records_stay_unchanged")
    file.execute("UPDATE records SET hash = zeroblob(32) WHERE service = 'shoe'")
    keys = SigningKeys(data / "archive")
    clock = ManualClock()
    host.watcher = Maker(file, data / "archive", keys, clock, length=100)
    host.watcher.start()
    clock.advance(seconds=EVERY_US / 1_000_000)
    with pytest.raises(ChainBroken, match="shoe/0: record 1 does not follow 0"):
        await host.take([])
    assert file.query("SELECT count(*) FROM checkpoints") == [(0,)]
    file.close()
