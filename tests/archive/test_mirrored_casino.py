"""A casino's logs in eight partitions each, mirrored in whatever order they arrive."""

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from mirroring import (
    ListLog,
    check_causes,
    contents,
    deliver,
    merged,
    mirror_at,
    project,
)
from partitions import Logs, committed, split
from small_casino import ALICE, PLAIN, REPLACED, VOIDED, copy_of

from contracts import catalog
from push22.__main__ import run
from push22.casino import LOG_NAME
from push22.inspect.parallel import joined, stretches
from push22.inspect.reader import Reader
from push22.inspect.verify import Decisions, check_decisions
from runtime.log import Record
from runtime.mirror_copy import NotCopied, copy
from runtime.mirror_source import SourceName
from runtime.sqlite_file import SqliteFile

FORGERIES = {
    "changed_record": (
        "UPDATE records SET body = CAST("
        "replace(CAST(body AS TEXT), '\"recorded_at\":', '\"recorded_at\":1') AS BLOB)"
    ),
    "missing_record": "DELETE FROM records",
}
"""Each fault of the chain, and what a forger does to one record to bring it about."""


@pytest.fixture(scope="session")
def logs(played: Path) -> Logs:
    """The small casino's records, as eight partitions of each log hold them."""
    file = SqliteFile.open(played / LOG_NAME, read_only=True)
    found = split(committed(file))
    file.close()
    assert len({part for _, part in found}) > 2
    return found


@pytest.fixture(scope="session")
def mirrored(logs: Logs, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished mirror with its index."""
    folder = tmp_path_factory.mktemp("mirror")
    mirror = mirror_at(folder)
    assert deliver(mirror, logs, seed=0)
    asyncio.run(project(mirror))
    mirror.file.close()
    return folder


def silent(_: int) -> None:
    pass


@pytest.mark.parametrize("seed", range(1, 5))
def test_the_order_of_arrival_changes_nothing(
    seed: int, logs: Logs, tmp_path: Path
) -> None:
    """Late, repeated and mixed up, each partition is the same, causes come first."""
    mirror = mirror_at(tmp_path)

    assert deliver(mirror, logs, seed)

    assert contents(mirror) == logs
    assert check_causes(tmp_path) > 200
    mirror.file.close()


def told(capsys: pytest.CaptureFixture[str], data: Path, *words: str) -> str:
    assert run([*words, "--data", str(data)]) == 0
    return capsys.readouterr().out


def test_all_commands_read_a_mirror(
    mirrored: Path, played: Path, logs: Logs, capsys: pytest.CaptureFixture[str]
) -> None:
    """Verdicts are the casino's own; each partition with records has a chain."""
    verified = told(capsys, mirrored, "verify", "--all")
    money = told(capsys, mirrored, "audit")

    assert verified.splitlines()[-1] == "MATCH: all"
    chains = [line for line in verified.splitlines() if line.startswith("chain ")]
    assert {line.split()[1] for line in chains} == {f"{s}/{part}" for s, part in logs}
    assert money == told(capsys, played, "audit")
    for words in (["--player", ALICE], ["--table", "t2", "--json"]):
        found = told(capsys, mirrored, "rounds", *words)
        assert found == told(capsys, played, "rounds", *words)
    for name in (PLAIN, VOIDED, REPLACED):
        assert f"MATCH: {name}" in told(capsys, mirrored, "verify", name)
        again = told(capsys, mirrored, "replay", name)
        assert again == told(capsys, played, "replay", name)


@pytest.mark.parametrize("count", [3, 40])
def test_stretches_of_a_mirror_find_what_one_pass_finds(
    count: int, mirrored: Path
) -> None:
    """Cut anywhere, also between an input's events, the parts judge the same."""
    reader = Reader.open(mirrored)
    whole = check_decisions(reader, silent)
    parts = joined(
        check_decisions(reader, silent, stretch)
        for stretch in stretches(reader.last_place(), count)
    )
    reader.close()

    assert (parts.differences, parts.proof_faults) == ([], [])
    assert _counts(parts) == _counts(whole)
    assert whole.checked + whole.by_proof_only == sum(_sizes(mirrored))


def _counts(found: Decisions) -> tuple[int, int, int, int]:
    checked, by_proof = found.checked, found.by_proof_only
    return checked, by_proof, found.cards_proved, found.shoes


def _sizes(folder: Path) -> list[int]:
    file = SqliteFile.open(folder / LOG_NAME, read_only=True)
    sizes = [size for (size,) in file.query("SELECT offset - 1 FROM heads")]
    file.close()
    return sizes


def test_a_mirror_goes_on_after_each_stop(logs: Logs, tmp_path: Path) -> None:
    """Opened again at any moment it goes on from its heads; held records come again."""
    for seed in range(1000):
        mirror = mirror_at(tmp_path)
        is_done = deliver(mirror, logs, seed, offers=15)
        mirror.file.close()
        if is_done:
            break

    assert seed > 3
    mirror = mirror_at(tmp_path)
    assert contents(mirror) == logs
    mirror.file.close()


def test_a_kill_within_a_transaction_leaves_nothing_of_it(
    logs: Logs, tmp_path: Path
) -> None:
    """Killed when records are written and heads are not, it goes on all the same."""
    child = os.fork()
    if not child:
        _die_in_the_third_transaction(logs, tmp_path)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL

    mirror = mirror_at(tmp_path)
    assert sum(map(len, contents(mirror).values())) > 0
    assert deliver(mirror, logs, seed=1)
    assert contents(mirror) == logs
    mirror.file.close()


def _die_in_the_third_transaction(logs: Logs, folder: Path) -> None:
    mirror = mirror_at(folder)
    transactions = 0

    def heads_are_due(sql: str) -> None:
        nonlocal transactions
        transactions += sql.startswith("UPDATE heads")
        if transactions == 3:
            os.kill(os.getpid(), signal.SIGKILL)

    mirror.file.connection.set_trace_callback(heads_are_due)
    deliver(mirror, logs, seed=1)
    os._exit(1)


def changed(record: Record) -> Record:
    """Change one digit in a record's event, and nothing else."""
    at = record.body.index(b"1", record.body.index(b'"data":'))
    return record._replace(body=record.body[:at] + b"2" + record.body[at + 1 :])


def test_a_changed_byte_is_named_at_the_door(logs: Logs, tmp_path: Path) -> None:
    """Nothing of that partition from there on gets in; the others go on."""
    victim = next(r for r in merged(logs) if r.stream == VOIDED and r.version == 5)
    source = SourceName(victim.service, victim.partition)
    mirror = mirror_at(tmp_path)

    for record in merged(logs):
        mirror.offer([changed(record) if record is victim else record])

    assert f"{source} offset {victim.offset}, {VOIDED}@5" in mirror.halted[source]
    assert "chain" in mirror.halted[source]
    assert mirror.position(*source).offset < victim.offset
    assert len(mirror.halted) == 1
    mirror.file.close()


@pytest.mark.parametrize("says", FORGERIES)
def test_a_forged_mirror_is_named_with_its_partition(
    says: str, mirrored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Verify names log, partition and offset of what was changed in the copy."""
    file = copy_of(mirrored, tmp_path)
    where = f"WHERE stream = '{VOIDED}' AND version = 5"
    query = f"SELECT service, part, offset FROM records {where}"
    ((service, part, offset),) = file.execute(query).fetchall()
    file.execute(f"{FORGERIES[says]} {where}")
    file.close()

    assert run(["verify", "--all", "--data", str(tmp_path)]) == 1
    assert f"{says}: {service}/{part}, offset {offset}" in capsys.readouterr().out


def test_a_lost_head_of_any_partition_is_missed(
    mirrored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A partition whose head row is gone is still looked at, and named."""
    file = copy_of(mirrored, tmp_path)
    query = "SELECT max(part) FROM records WHERE service = 'wallet'"
    ((part,),) = file.execute(query).fetchall()
    file.execute(f"DELETE FROM heads WHERE service = 'wallet' AND part >= {part}")
    file.close()

    assert run(["verify", "--all", "--data", str(tmp_path)]) == 1
    assert f"cut_tail: wallet/{part}" in capsys.readouterr().out


def test_a_copy_brings_what_is_new(logs: Logs, tmp_path: Path) -> None:
    """Half of it, then all of it, then nothing: each record is copied once."""
    services = sorted({service for service, _ in logs})
    half = {name: part[: len(part) // 2] for name, part in logs.items()}
    half = _closed_under_causes(half)
    mirror = mirror_at(tmp_path)
    counts = []
    for source in (half, logs, logs):
        found = [ListLog(service, source) for service in services]
        counts.append(asyncio.run(copy(found, mirror)))

    assert contents(mirror) == logs
    assert counts[0].keys() == set(services)
    total = sum(map(len, logs.values()))
    assert sum(counts[0].values()) + sum(counts[1].values()) == total
    assert sum(counts[2].values()) == 0
    mirror.file.close()


def _closed_under_causes(logs: Logs) -> Logs:
    """Cut each log before the first record whose cause is not in any of them."""
    while True:
        known = {
            f"{r.stream}@{r.version}" for records in logs.values() for r in records
        }
        cut = {name: list(_while_known(part, known)) for name, part in logs.items()}
        if cut == logs:
            return cut
        logs = cut


def _while_known(records: list[Record], known: set[str]) -> Iterator[Record]:
    for record in records:
        cause = catalog.decode_envelope(record.body).cause
        if cause is not None and cause.kind == "event" and cause.id not in known:
            return
        yield record


def test_a_cause_that_no_log_has_is_named(logs: Logs, tmp_path: Path) -> None:
    """Where a log was cut back, what waits for its records says for which."""
    services = sorted({service for service, _ in logs})
    cut = {name: part for name, part in logs.items() if name[0] != "wallet"}
    mirror = mirror_at(tmp_path)

    with pytest.raises(NotCopied, match=r"waits for wallet-local\.\w+\.EUR@2, which"):
        asyncio.run(copy([ListLog(service, cut) for service in services], mirror))
    mirror.file.close()
