"""A copy made at any moment: what is not there yet is not missing."""

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from mirroring import copied
from partitions import Committed, committed, split
from small_casino import copy_of

from contracts.base import tag_of
from contracts.round_events import DecisionOpened
from push22.__main__ import run
from push22.casino import LOG_NAME, SERVICES
from runtime.sqlite_file import SqliteFile

LATE = "settlement"
"""Nothing is settled before the first round ends."""

_DECISION = tag_of(DecisionOpened)


@pytest.fixture(scope="module")
def history(played: Path) -> Iterator[list[Committed]]:
    """All records of the small casino, as they were committed."""
    file = SqliteFile.open(played / LOG_NAME, read_only=True)
    yield list(committed(file))
    file.close()


def changed(data: Path, to: Path, *statements: str) -> Path:
    """Change a copy of the file behind its owner's back."""
    with closing(copy_of(data, to)) as sql:
        for statement in statements:
            sql.execute(statement)
    return to


def _begins_input(item: Committed) -> bool:
    return item.draft.cause is not None


def verdict(capsys: pytest.CaptureFixture[str], data: Path) -> tuple[int, str]:
    code = run(["verify", "--all", "--data", str(data)])
    return code, capsys.readouterr().out


def test_services_that_have_not_written_yet_are_no_fault(
    history: list[Committed], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is settled, the log of settlement is empty and nothing is lost.

    A load under which no round was settled was once reported as not sound.
    """
    first = next(at for at, item in enumerate(history) if item.service == LATE)
    young = split(history[:first])

    code, text = verdict(capsys, copied(young, tmp_path))

    assert {service for service, _ in young} < {item.name for item in SERVICES}
    assert (code, text.splitlines()[-1]) == (0, "MATCH: all")


@pytest.mark.parametrize("seed", range(4))
def test_a_copy_of_services_that_stopped_at_any_moment_matches(
    seed: int,
    history: list[Committed],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Stopped after any input, rounds are open and wait for players, money and cards.

    Their deadlines are planned where the services write: a copy keeps no agenda, and
    verify once called each open decision in it a difference.
    """
    begins = [at for at, item in enumerate(history) if at and _begins_input(item)]
    cut = random.Random(seed).choice(begins)

    code, text = verdict(capsys, copied(split(history[:cut]), tmp_path))

    assert (code, text.splitlines()[-1]) == (0, "MATCH: all"), history[cut]


def test_a_copy_with_a_decision_that_is_due_matches(
    history: list[Committed], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The services stopped while a clock ran: their own file must plan it, no copy."""
    opened = [at for at, item in enumerate(history) if item.draft.type == _DECISION]
    after = range(opened[0] + 1, len(history))
    cut = next(at for at in after if _begins_input(history[at]))

    code, text = verdict(capsys, copied(split(history[:cut]), tmp_path))

    assert (code, text.splitlines()[-1]) == (0, "MATCH: all")


def test_a_copy_of_a_casino_where_nothing_happened_matches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Migrated and never played at: there is nothing to differ."""
    code, text = verdict(capsys, copied({}, tmp_path))

    assert (code, text.splitlines()[-1]) == (0, "MATCH: all")


def test_a_service_removed_from_a_copy_with_all_traces_is_missed(
    history: list[Committed], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What others recorded in answer to it is the witness: it cannot be made again."""
    data = changed(
        copied(split(history), tmp_path / "whole"),
        tmp_path / "robbed",
        *(f"DELETE FROM {table} WHERE service = '{LATE}'"
          for table in ("records", "heads", "incarnations")),
        f"DELETE FROM positions WHERE source = '{LATE}'",
    )  # fmt: skip

    code, text = verdict(capsys, data)

    assert code == 1
    assert "DIFFERS: all" in text


@pytest.fixture(params=["mirror", "casino"])
def whole(
    request: pytest.FixtureRequest,
    history: list[Committed],
    played: Path,
    tmp_path: Path,
) -> Path:
    """Everything that was played, in the casino's own file or in a copy."""
    if request.param == "casino":
        return played
    return copied(split(history), tmp_path / "whole")


def test_heads_that_are_gone_are_a_cut_tail(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A copy that knows the log, and a casino always, must have its heads."""
    gone = f"DELETE FROM heads WHERE service = '{LATE}'"

    code, text = verdict(capsys, changed(whole, tmp_path / "robbed", gone))

    assert code == 1
    assert f"cut_tail: {LATE}" in text
    assert "no head row" in text


def test_an_emptied_log_of_a_casino_is_no_young_one(
    tmp_path: Path, played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A casino has all its heads from its start on: without them it was robbed."""
    data = changed(
        played,
        tmp_path,
        *(f"DELETE FROM {table}" for table in ("records", "heads", "incarnations")),
        "DELETE FROM positions",
    )

    code, text = verdict(capsys, data)

    assert code == 1
    assert text.count("the log has no head row") >= len(SERVICES) - 1


def test_a_casino_marked_as_a_copy_is_seen_to_be_none(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One row would otherwise put its snapshots and its agenda out of sight."""
    marked = changed(
        played,
        tmp_path,
        "INSERT OR REPLACE INTO meta (key, value) VALUES ('mirror', '1')",
        "INSERT INTO agenda (service, stream, decision, kind, due_at) VALUES"
        " ('table-orchestrator', 'round-t1-1', 1, 'betting', 1)",
    )

    code, text = verdict(capsys, marked)

    assert code != 0
    assert "a copy of logs keeps none" in text
