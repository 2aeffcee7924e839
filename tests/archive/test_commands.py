"""The commands of support: what they print, where they fail, and with what code."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest
from forgery import TABLE, rewrite, version_of, with_data
from small_casino import BOB, PLAIN, TIMED_OUT, VOIDED, copy_of

from contracts import catalog
from contracts import wallet as w
from contracts.base import tag_of
from contracts.envelope import CommandEnvelope
from push22.__main__ import run
from push22.follower import PLATFORM

Told = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def at_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def told(capsys: Told, data: Path, *words: str) -> tuple[int, str]:
    """Run a command on a data directory; return exit code and output."""
    code = run([*words, "--data", str(data)])
    return code, capsys.readouterr().out


def as_json(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("words", [["rounds"], ["verify"], ["audit"], ["parked"]])
def test_a_missing_data_directory_is_one_line(
    words: list[str], tmp_path: Path, capsys: Told
) -> None:
    """Whoever mistypes the directory reads its name, and no traceback."""
    missing = tmp_path / "nowhere"

    assert run([*words, "--data", str(missing)]) == 2
    assert capsys.readouterr().err == (
        f"push22: {missing}: there is no such data directory\n"
    )


def test_a_directory_without_a_log_is_one_line(tmp_path: Path, capsys: Told) -> None:
    """An empty directory is no casino, and none is made by looking at it."""
    assert run(["audit", "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_an_unknown_round_is_named(command: str, played: Path, capsys: Told) -> None:
    """A round that is not in the log is named, with exit code 2."""
    assert run([command, "round-t1-999", "--data", str(played)]) == 2
    assert capsys.readouterr().err == (
        "push22: round-t1-999: there is no such round in this log\n"
    )


@pytest.mark.parametrize("at", ["0", "99"])
def test_an_event_that_a_round_has_not_is_told(
    at: str, played: Path, capsys: Told
) -> None:
    """Whoever asks for an event out of range reads the range."""
    assert run(["replay", PLAIN, "--at", at, "--data", str(played)]) == 2
    assert f"not {at}" in capsys.readouterr().err


def test_a_replay_is_marked_fits_and_shows_what_decides_a_complaint(
    played: Path, capsys: Told
) -> None:
    """Options, cards, results with their clauses and balances, within 80 columns."""
    code, text = told(capsys, played, "replay", PLAIN)
    lines = text.splitlines()

    assert code == 0
    assert "REPLAY, not live" in lines[0]
    assert "REPLAY, not live" in lines[-2]
    assert lines[-1] == "executed again: MATCH"
    assert max(map(len, lines)) <= 80
    for block in ("hit stand double", "settlement", "clauses", "balances", "before"):
        assert block in text


def test_a_replay_stops_where_it_is_told_to(played: Path, capsys: Told) -> None:
    """At the first offer no result is known, so none is shown."""
    _, text = told(capsys, played, "replay", TIMED_OUT, "--at", "3")

    assert "not closed" in text
    assert "settlement" not in text


def test_a_replay_for_machines_holds_the_records_as_stored(
    played: Path, capsys: Told
) -> None:
    """Each step carries the whole record, in the round's order."""
    _, text = told(capsys, played, "replay", VOIDED, "--json")
    (document,) = as_json(text)
    own = [step for step in document["steps"] if not step["foreign"]]

    assert document["view"]["phase"] == "void"
    assert [step["sequence"] for step in own] == list(range(1, len(own) + 1))
    assert own[0]["record"]["type"] == "table.round_opened.v1"


def test_rounds_are_listed_for_people_and_machines(played: Path, capsys: Told) -> None:
    """A player's short name is enough; a search without results says so."""
    _, text = told(capsys, played, "rounds", "--player", "bob", "--status", "void")
    _, lines = told(capsys, played, "rounds", "--player", BOB, "--json")
    _, nothing = told(capsys, played, "rounds", "--table", "t9")

    assert VOIDED in text
    assert [item["table"] for item in as_json(lines)] == ["t2"] * 4
    assert nothing == "no rounds match\n"


def test_a_time_that_is_none_is_told(played: Path, capsys: Told) -> None:
    """A mistyped time is a usage error that names the option."""
    assert run(["rounds", "--since", "yesterday", "--data", str(played)]) == 2
    assert capsys.readouterr().err.startswith("push22: --since: ")


def test_an_honest_casino_verifies_and_balances(played: Path, capsys: Told) -> None:
    """Both verdicts are the last line, and the exit code is 0."""
    verified, text = told(capsys, played, "verify")
    audited, books = told(capsys, played, "audit")

    assert (verified, audited) == (0, 0)
    assert text.splitlines()[-1] == "MATCH: all"
    assert books.splitlines()[-1] == "every cent is accounted for"


def test_a_round_or_all_not_both(played: Path, capsys: Told) -> None:
    """Two contradicting wishes are refused."""
    assert run(["verify", PLAIN, "--all", "--data", str(played)]) == 2
    assert capsys.readouterr().err.startswith("push22: verify: ")


def forged(played: Path, tmp_path: Path) -> sqlite3.Connection:
    """Make the table report one cent less for a round than the wallet booked."""
    file = copy_of(played, tmp_path)
    version = version_of(file, VOIDED, "table.round_closed.v1")
    old, new = b'{"local.bob":0}', b'{"local.bob":1}'
    rewrite(file, (VOIDED, version), lambda x: with_data(x, old, new))
    return file


def test_a_forged_log_fails_with_the_first_record_that_differs(
    played: Path, tmp_path: Path, capsys: Told
) -> None:
    """Support reads which record, what was expected and what stands there."""
    forged(played, tmp_path).close()

    code, text = told(capsys, tmp_path, "verify", VOIDED)
    _, document = told(capsys, tmp_path, "verify", VOIDED, "--json")
    (verdict,) = as_json(document)

    assert code == 1
    assert f"DIFFERS: {VOIDED}" in text
    assert "changed_record: table-orchestrator" in text
    assert "first record that differs: round-t2-2@13" in text
    assert '{"local.bob":0}' in text
    assert '{"local.bob":1}' in text
    assert [log["service"] for log in verdict["logs"] if log["faults"]] == [TABLE]
    assert verdict["decisions"]["differences"][0]["record"] == "round-t2-2@13"


def test_an_audit_names_what_is_wrong(
    played: Path, tmp_path: Path, capsys: Told
) -> None:
    """A violation has its rule's name, the round and the amounts; exit code 1."""
    forged(played, tmp_path).close()

    code, text = told(capsys, tmp_path, "audit")
    _, document = told(capsys, tmp_path, "audit", "--json")
    (books,) = as_json(document)

    assert code == 1
    assert text.splitlines()[-1] == "1 violation"
    assert [(v["check"], v["subject"]) for v in books["violations"]] == [
        ("nets", VOIDED)
    ]


def deposit(amount_minor: int) -> bytes:
    """Return a command to deposit money to Bob, as it came."""
    command = w.Deposit(BOB, "EUR", amount_minor)
    return catalog.encode(
        CommandEnvelope(
            id=f"deposit-{amount_minor}",
            type=tag_of(command),
            issued_at=2**52,
            actor=PLATFORM,
            data=msgspec.Raw(catalog.encode(command)),
        )
    )


@pytest.fixture
def aside(played: Path, tmp_path: Path) -> Path:
    """Return a casino in which two deposits to Bob were set aside."""
    file = copy_of(played, tmp_path)
    for number, reason in ((1, "KeyError: 'x' at services.wallet:7"), (2, "behind")):
        file.execute(
            "INSERT INTO parked (service, stream, kind, source, reason, body,"
            " parked_at) VALUES ('wallet', ?, 'command', '', ?, ?, 1)",
            (f"wallet-{BOB}.EUR", reason, deposit(number * 100)),
        )
    file.close()
    return tmp_path


def test_nothing_set_aside_is_said(played: Path, capsys: Told) -> None:
    """An empty list is a sentence, not an empty screen."""
    assert told(capsys, played, "parked") == (0, "nothing is set aside\n")


def test_what_is_set_aside_is_listed_and_shown(aside: Path, capsys: Told) -> None:
    """Each input has its number, its target, its id and its reason."""
    _, text = told(capsys, aside, "parked", "list")
    _, shown = told(capsys, aside, "parked", "show", "2")

    assert "KeyError" in text
    assert "deposit-200" in text
    assert "deposit-200" in shown
    assert "deposit-100" not in shown


def test_a_retry_handles_a_stream_in_order(aside: Path, capsys: Told) -> None:
    """After the cause is mended both deposits go through, the first one first."""
    stream = f"wallet-{BOB}.EUR"

    code, text = told(capsys, aside, "parked", "retry", stream)

    assert (code, text) == (0, f"{stream}: 2 went through\n")
    assert told(capsys, aside, "parked") == (0, "nothing is set aside\n")
    assert told(capsys, aside, "verify")[0] == 0
    assert told(capsys, aside, "audit")[0] == 0


def test_a_discard_needs_a_name_and_a_reason(aside: Path, capsys: Told) -> None:
    """Nothing is given up without somebody who decides it, and why."""
    assert run(["parked", "discard", "1", "--data", str(aside)]) == 2
    assert capsys.readouterr().err.startswith("push22: discard: ")

    words = ["parked", "discard", "1", "--by", "carol", "--why", "sent twice"]
    code, text = told(capsys, aside, *words)

    assert (code, text) == (0, "1: discarded by carol: sent twice\n")
    assert "deposit-100" not in told(capsys, aside, "parked")[1]


def test_what_does_not_wait_cannot_be_retried(aside: Path, capsys: Told) -> None:
    """A number that is not on the list is named."""
    assert run(["parked", "retry", "77", "--data", str(aside)]) == 2
    assert capsys.readouterr().err == (
        "push22: 77: nothing of that name waits"
        ": what waits is 1, wallet-local.bob.EUR, 2\n"
    )
