"""A casino's file from before there was a desk is read, opened and gone on with."""

from pathlib import Path

from contracts.wallet import Deposit
from push22.casino import LOG_NAME, PLATFORM, SERVICES, Casino
from push22.inspect.reader import DESK, Reader
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy
from runtime.embedded import EmbeddedHost
from runtime.service import Service
from runtime.sqlite_file import SqliteFile
from services.archive.project import ROUNDS

BEFORE = tuple(
    Service(
        **{
            **{name: getattr(service, name) for name in Service.__slots__},
            "sources": tuple(x for x in service.sources if x != DESK),
        }
    )
    for service in SERVICES
    if service.name != DESK
)


async def of_before(data: Path, ambient: Ambient) -> None:
    """Play a little with the services that there were."""
    file = SqliteFile.open(data / LOG_NAME)
    casino = Casino(file, ambient)
    casino.host = EmbeddedHost(file, BEFORE, ambient, projections=(ROUNDS,))
    file.execute("DELETE FROM heads WHERE service = ?", (DESK,))
    file.execute("DELETE FROM incarnations WHERE service = ?", (DESK,))
    await casino.host.start()
    await casino.deposit("local.alice", "EUR", 5000)
    await casino.close()


def logs(data: Path) -> set[str]:
    reader = Reader.open(data)
    found = {log.service for log in reader.logs()}
    reader.close()
    return found


async def test_a_file_of_before_is_opened_and_gets_its_log(tmp_path: Path) -> None:
    """Readers miss nothing in it; the next start adds an empty log."""
    ambient = Ambient(ManualClock(), SeededEntropy(7), KeyRing.in_memory())
    await of_before(tmp_path, ambient)
    assert DESK not in logs(tmp_path)

    casino = Casino(SqliteFile.open(tmp_path / LOG_NAME), ambient)
    await casino.host.start()
    again = Deposit("local.alice", "EUR", 5000)
    answer = await casino.host.submit(casino.envelope(again, PLATFORM))
    await casino.close()

    assert (answer.accepted, answer.version) == (True, 2)
    assert DESK in logs(tmp_path)


async def test_a_desks_log_that_left_a_trace_is_missed(tmp_path: Path) -> None:
    """Whoever takes it away whole is given away by who has read it."""
    ambient = Ambient(ManualClock(), SeededEntropy(7), KeyRing.in_memory())
    await of_before(tmp_path, ambient)
    file = SqliteFile.open(tmp_path / LOG_NAME)
    file.execute(
        "INSERT INTO positions (service, source, part, incarnation, offset, hash)"
        " VALUES ('wallet', ?, 0, 'x', 3, x'00')",
        (DESK,),
    )
    file.close()

    assert DESK in logs(tmp_path)
