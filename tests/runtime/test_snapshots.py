"""A snapshot is derived: whatever does not follow from the log is passed over."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from toys import ECHO, SECOND, TOY, Total, command

from contracts import catalog
from contracts.envelope import Envelope
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy
from runtime.embedded import EmbeddedHost
from runtime.log import Snapshot
from runtime.snapshots import made, snapshot_faults
from runtime.sqlite_file import SqliteFile

COUNT = 250
Forge = Callable[[dict[str, Any], int], tuple[Any, int]]


async def _host(path: Path, keys: KeyRing) -> EmbeddedHost:
    ambient = Ambient(ManualClock(), SeededEntropy(7), keys)
    host = EmbeddedHost(SqliteFile.open(path), (TOY, ECHO), ambient)
    await host.start()
    return host


async def _filled(path: Path, keys: KeyRing) -> None:
    host = await _host(path, keys)
    for number in range(COUNT):
        host.submit_nowait(command(f"c{number}", 1))
        if number % 10 == 9:
            await host.settle()
    await host.stop()


def _stored(path: Path) -> Snapshot:
    with sqlite3.connect(path) as sql:
        row = sql.execute("SELECT stream, version, state FROM snapshots").fetchone()
    return Snapshot(*row)


def _store(path: Path, state: bytes, version: int) -> None:
    with sqlite3.connect(path) as sql:
        sql.execute("UPDATE snapshots SET state = ?, version = ?", (state, version))


def _richer(stored: dict[str, Any], version: int) -> tuple[dict[str, Any], int]:
    return {**stored, "state": {**stored["state"], "total": 10**6}}, version


FORGED: dict[str, Forge] = {
    "richer": _richer,
    "older": lambda stored, version: (stored, version - 1),
    "newer": lambda stored, version: (stored, version + 1),
    "ahead": lambda stored, version: (stored, version + 10_000),
    "no version": lambda stored, version: (stored, 0),
    "another key": lambda stored, version: ({**stored, "key": "k9"}, version),
    "garbage": lambda stored, version: ([], version),
}


@pytest.mark.parametrize("how", FORGED)
async def test_law_6_a_forged_snapshot_is_passed_over(how: str, tmp_path: Path) -> None:
    """Laws 6 and 8: the state is what the records say, and the stream goes on."""
    path, keys = tmp_path / "log.sqlite3", KeyRing.in_memory()
    await _filled(path, keys)
    kept = _stored(path)
    state, version = FORGED[how](msgspec.json.decode(kept.state), kept.version)
    _store(path, msgspec.json.encode(state), version)
    host = await _host(path, keys)

    assert (await host.state("toy", "counter-a")).total == COUNT
    assert (await host.submit(command("more", 1))).version == COUNT + 1
    await host.stop()


async def test_law_6_a_snapshot_of_another_history_is_passed_over(
    tmp_path: Path,
) -> None:
    """Law 6: signed by us, but after a record that this stream does not have."""
    keys = KeyRing.in_memory()
    path, other = tmp_path / "log.sqlite3", tmp_path / "other.sqlite3"
    await _filled(path, keys)
    await _filled(other, keys)
    foreign = _stored(other)
    _store(path, foreign.state, foreign.version)
    host = await _host(path, keys)

    entry = await host.worker("toy").states.load("counter-a")
    assert (entry.state.total, entry.snapshot_version) == (COUNT, 0)
    await host.stop()


async def test_an_honest_snapshot_is_begun_at(tmp_path: Path) -> None:
    """Only the records after it are read again, whatever key is active now."""
    path, keys = tmp_path / "log.sqlite3", KeyRing("old", {"old": bytes(32)})
    await _filled(path, keys)
    both = KeyRing("new", {"old": bytes(32), "new": bytes([1]) * 32})
    host = await _host(path, both)

    entry = await host.worker("toy").states.load("counter-a")
    assert (entry.version, entry.snapshot_version) == (COUNT, _stored(path).version)
    assert entry.snapshot_version == 200
    assert entry.state.total == COUNT
    await host.stop()


async def test_law_6_snapshot_faults_names_what_its_records_do_not_say(
    tmp_path: Path,
) -> None:
    """Law 6: also for one that is signed, and without any key."""
    path, keys = tmp_path / "log.sqlite3", KeyRing.in_memory()
    await _filled(path, keys)
    host = await _host(path, keys)
    records = await host.worker("toy").log.read_stream("counter-a")
    await host.stop()

    def history(stream: str) -> list[Envelope]:
        return [catalog.decode_envelope(r.body) for r in records if r.stream == stream]

    honest = _stored(path)
    lying = made(keys, records[199], Total("a", 10**6, 200))
    ahead = honest._replace(version=COUNT + 1)
    nowhere = honest._replace(stream="echo-a")
    garbage = honest._replace(state=b"[" * SECOND)
    assert list(snapshot_faults(TOY, [honest, garbage], history)) == []
    found = list(snapshot_faults(TOY, [lying, ahead, nowhere], history))
    assert [fault[:2] for fault in found] == [
        ("counter-a", 200),
        ("counter-a", COUNT + 1),
        ("echo-a", 200),
    ]
    assert "another state" in found[0].text
    assert "before its snapshot" in found[1].text
