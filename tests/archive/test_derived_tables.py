"""What is kept beside the records may say nothing else than they do (law 6)."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_casino import BOB, PLAIN, copy_of

from push22.__main__ import run

Told = pytest.CaptureFixture[str]


@pytest.fixture
def file(played: Path, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    connection = copy_of(played, tmp_path)
    yield connection
    connection.close()


def verified(data: Path, capsys: Told) -> tuple[int, str]:
    code = run(["verify", "--all", "--data", str(data)])
    return code, " ".join(capsys.readouterr().out.split())


INDEX_LIES = {
    f"UPDATE archive_players SET net_minor = 77 WHERE round_id = '{PLAIN}'": (
        f"archive_players: {PLAIN} local.alice net_minor is 77, the logs say"
    ),
    f"DELETE FROM archive_rounds WHERE round_id = '{PLAIN}'": (
        f"archive_rounds: {PLAIN} the logs lead to this row, and it is missing"
    ),
    f"INSERT INTO archive_players (round_id, player, operator, table_id)"
    f" VALUES ('{PLAIN}', 'local.a', 'local', 't1')": (
        f"archive_players: {PLAIN} local.a nothing in the logs leads to this row"
    ),
    "UPDATE archive_players SET results = 0": "results is 0, the logs say",
    "UPDATE archive_rounds SET interrupted = 0": "interrupted is 0, the logs say 2",
    "INSERT INTO archive_calls VALUES ('a', 'b', 'c')": "archive_calls: a nothing in",
    f"UPDATE archive_transfers SET round_id = '{PLAIN}'": f"round_id is '{PLAIN}'",
    "DELETE FROM positions WHERE service = 'archive'": "nothing in the logs leads",
    "DROP TABLE archive_transfers": "archive_transfers the table is gone",
    "UPDATE meta SET value = '1' WHERE key LIKE 'projection:%'": "of another version",
}


@pytest.mark.parametrize("change", INDEX_LIES)
def test_a_changed_index_is_named_and_mended(
    change: str,
    file: sqlite3.Connection,
    tmp_path: Path,
    capsys: Told,
) -> None:
    """Law 6: what support finds follows from the logs; a row that doesn't is named.

    Filled again from the logs, the index says what they say.
    """
    file.execute(change)
    file.close()

    code, text = verified(tmp_path, capsys)
    assert code == 1
    assert INDEX_LIES[change] in text
    assert "push22 rounds --rebuild" in text
    assert "DIFFERS: all" in text

    assert run(["rounds", "--rebuild", "--data", str(tmp_path)]) == 0
    capsys.readouterr()
    assert verified(tmp_path, capsys)[0] == 0


_A_DEPOSIT = (
    f"service = 'wallet' AND instr(outcome, 'wallet-{BOB}.EUR')"
    " AND instr(outcome, ':true')"
)
ANSWER_LIES = {
    "UPDATE answers SET outcome = CAST(replace(outcome, '\"accepted\":true',"
    f" '\"accepted\":false') AS BLOB) WHERE {_A_DEPOSIT}": "the command was accepted",
    'UPDATE answers SET outcome = CAST(replace(outcome, \'"reason":"\','
    " '\"reason\":\"un') AS BLOB) WHERE instr(outcome, ':false')": (
        "the command was refused"
    ),
    "UPDATE answers SET outcome = CAST(replace(outcome, '\"version\":1',"
    f" '\"version\":999991') AS BLOB) WHERE {_A_DEPOSIT}": "which no log holds",
    "UPDATE answers SET outcome = CAST(replace(outcome, '\"version\":',"
    f" '\"version\":1') AS BLOB) WHERE {_A_DEPOSIT}": "it names",
    f"UPDATE answers SET digest = zeroblob(32) WHERE {_A_DEPOSIT}": "its digest is not",
    f"UPDATE answers SET command_id = 'x' WHERE {_A_DEPOSIT} AND command_id ="
    f" (SELECT min(command_id) FROM answers WHERE {_A_DEPOSIT})": "it answers",
    "UPDATE answers SET outcome = x'7b'": "it can't be read",
    f"DELETE FROM answers WHERE {_A_DEPOSIT}": "the answer is gone",
    "DROP TABLE answers": "answers the table is gone",
}


@pytest.mark.parametrize("change", ANSWER_LIES)
def test_an_answer_that_no_record_bears_out_is_named(
    change: str, file: sqlite3.Connection, tmp_path: Path, capsys: Told
) -> None:
    """Laws 3 and 6: what a player is told again is what the log says happened."""
    file.execute(change)
    assert change.startswith("DROP") or file.execute("SELECT changes()").fetchone() != (
        0,
    )
    file.close()

    code, text = verified(tmp_path, capsys)

    assert code == 1
    assert "answers" in text
    assert ANSWER_LIES[change] in text
    assert "DIFFERS: all" in text


def swap_places(file: sqlite3.Connection, first: int) -> None:
    """Let two neighbours change places, with all that leads to them."""
    for old, new in ((first, -1), (first + 1, first), (-1, first + 1)):
        for column in ("place", "segment", "round_at"):
            file.execute(
                f"UPDATE records SET {column} = ? WHERE {column} = ?", (new, old)
            )


def test_records_of_one_log_in_another_order_are_named(
    file: sqlite3.Connection, tmp_path: Path, capsys: Told
) -> None:
    """Law 6: the order of commits is the order of offsets; swapped ones are named."""
    (place,) = file.execute(
        "SELECT min(a.place) FROM records a JOIN records b ON b.place = a.place + 1"
        " AND b.service = a.service WHERE a.place > 50"
    ).fetchone()
    swap_places(file, place)
    file.close()

    code, text = verified(tmp_path, capsys)

    assert code == 1
    assert "shuffled_places" in text


def test_an_effect_placed_before_its_cause_is_named(
    file: sqlite3.Connection, tmp_path: Path, capsys: Told
) -> None:
    """Law 6: what answers a record stands after it, across all logs."""
    place, effect = file.execute(
        "SELECT a.place, b.stream || '@' || b.version FROM records a JOIN records b"
        " ON b.place = a.place + 1 AND b.service <> a.service"
        " WHERE b.service = 'wallet' AND json_extract(CAST(b.body AS TEXT),"
        " '$.caused_by') = a.stream || '@' || a.version LIMIT 1"
    ).fetchone()
    swap_places(file, place)
    file.close()

    code, text = verified(tmp_path, capsys)

    assert code == 1
    assert f"records: {effect} it stands at place {place}, its cause" in text
