"""A check of a long log remembers a bounded number of streams, and misses nothing."""

from collections.abc import Callable
from pathlib import Path

import pytest
from small_casino import copy_of

from push22.inspect.reader import Reader
from push22.inspect.verify import LogVerdict, check_chains
from services.archive import chain


def silent(_: int) -> None:
    pass


def checked(data: Path) -> tuple[LogVerdict, ...]:
    reader = Reader.open(data)
    found = check_chains(reader, silent)
    reader.close()
    return found


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    return lambda: monkeypatch.setattr(chain, "STREAMS_KEPT", 2)


def test_a_whole_log_is_whole_for_one_who_forgets(
    played: Path, forgetful: Callable[[], None]
) -> None:
    """Streams that come back are asked for."""
    before = checked(played)
    forgetful()
    assert checked(played) == before
    assert not any(log.faults for log in before)


@pytest.mark.parametrize("offset", [10, 40, 70])
def test_a_hole_is_named_as_by_one_who_remembers(
    offset: int, played: Path, tmp_path: Path, forgetful: Callable[[], None]
) -> None:
    """Also that a stream goes on with a wrong version, where no record is missing."""
    file = copy_of(played, tmp_path)
    file.execute(
        "UPDATE records SET version = version + 500 WHERE service = 'wallet'"
        " AND offset = ?",
        (offset,),
    )
    file.execute(
        "DELETE FROM records WHERE service = 'table-orchestrator' AND offset = ?",
        (offset,),
    )
    file.close()
    before = checked(tmp_path)
    forgetful()
    assert checked(tmp_path) == before
    assert {fault.kind for log in before for fault in log.faults} >= {"missing_record"}


def test_versions_that_are_wrong_are_found_after_they_were_forgotten() -> None:
    """The one who is asked says what was there before."""
    asked = []

    def before(row: chain.Row) -> int:
        asked.append(row.stream)
        return 4

    check = chain.ChainCheck("log", 0, 1, before)
    check._version(chain.Row(9, "wallet-a", 7, "t", "", b"", b""))
    check._version(chain.Row(10, "wallet-b", 5, "t", "", b"", b""))
    check._version(chain.Row(11, "wallet-b", 6, "t", "", b"", b""))
    assert asked == ["wallet-a", "wallet-b"]
    assert [(fault.kind, fault.offset) for fault in check.faults] == [
        ("version_gap", 9)
    ]
