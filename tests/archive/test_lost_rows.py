"""What an intruder takes away is missed, and bad rows are named, not stumbled over."""

from pathlib import Path

import pytest
from small_casino import copy_of

from push22.__main__ import run
from push22.casino import KEYS_NAME

Told = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM heads WHERE service = 'shoe'",
        "DELETE FROM heads",
        "UPDATE records SET body = 5 WHERE place = 7",
        "UPDATE records SET offset = 'zz' WHERE place = 7",
        "UPDATE records SET body = CAST(x'ff00' AS TEXT) WHERE place = 7",
        "DROP TABLE records",
    ],
)
def test_a_verdict_is_never_match(
    statement: str, played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lost heads and rows that no casino writes end in exit 1 and a clear line."""
    file = copy_of(played, tmp_path)
    file.execute(statement)
    file.commit()
    file.close()

    code = run(["verify", "--all", "--data", str(tmp_path)])

    out = capsys.readouterr()
    assert code == 1, out.out
    assert "MATCH" not in out.out
    assert "Traceback" not in out.err


def test_an_event_that_cannot_be_read_is_named(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A byte that makes an event unreadable gives the record's id, no traceback."""
    file = copy_of(played, tmp_path)
    file.execute(
        "UPDATE records SET body = CAST(replace(CAST(body AS TEXT),"
        " 'ny-switch-6d', 'ny-' || char(34) || 'itch-6d') AS BLOB)"
        " WHERE type = 'table.round_opened.v1' AND version = 1"
    )
    file.commit()
    file.close()

    assert run(["verify", "--all", "--data", str(tmp_path)]) == 1
    assert "DIFFERS" in capsys.readouterr().out


def test_a_log_without_its_keys_is_not_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Fresh keys would open no shoe: the casino says so and does not begin."""
    data = str(tmp_path)
    assert run(["play", "--auto", "--rounds", "1", "--data", data]) == 0
    (tmp_path / KEYS_NAME).unlink()

    code = run(["play", "--auto", "--rounds", "1", "--data", data])

    assert code == 1
    assert "sealing keys" in capsys.readouterr().err


WRONG_TYPES = {
    "body = CAST(body AS TEXT)": "its body is no bytes but 'text'",
    "body = 5": "its body is no bytes but 'integer'",
    "body = CAST(x'ff00' AS TEXT)": "its body is no bytes but 'text'",
    "hash = hex(hash)": "its hash is no bytes but 'text'",
    "offset = 'zz'": "its offset is no int but 'zz'",
}


@pytest.mark.parametrize("change", WRONG_TYPES)
def test_a_row_of_the_wrong_type_is_named(
    change: str, played: Path, tmp_path: Path, capsys: Told
) -> None:
    """Law 6: a value that no casino stores is placed by service and offset."""
    said = WRONG_TYPES[change]
    file = copy_of(played, tmp_path)
    where = "service = 'wallet' AND offset = 9"
    query = f"SELECT stream || '@' || version FROM records WHERE {where}"
    (name,) = file.execute(query).fetchone()
    file.execute(f"UPDATE records SET {change} WHERE {where}")
    file.close()

    assert run(["verify", "--all", "--data", str(tmp_path)]) == 1

    text = " ".join(capsys.readouterr().out.split())
    assert f"unreadable_record: wallet, offset 9 {name}: {said}" in text or (
        "missing_record: wallet, offset 9" in text and f"{name}: {said}" in text
    )
