"""A player's statement adds up in any interval, and agrees with the audit."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from small_casino import ALICE, BOB, PLAIN, REPLACED, VOIDED

from contracts import wallet as w
from contracts.envelope import Actor, Envelope
from contracts.reports import NO_ACTIVITY, Statement, to_csv
from push22.__main__ import run
from push22.commands.audit import audited
from push22.inspect.reader import Reader
from push22.statements import Wallet, currencies_of, statement_of
from services.archive.statement import Movements, adds_up

LIFE = (0, 2**60)
NOW = 2**60

Told = pytest.CaptureFixture[str]


@pytest.fixture
def reader(played: Path) -> Reader:
    return Reader.open(played)


def made(reader: Reader, player: str, span: tuple[int, int] = LIFE) -> Statement:
    return statement_of(Wallet(reader.file, player, "EUR"), span, NOW)


@pytest.mark.parametrize("player", [ALICE, BOB])
def test_a_whole_life_ends_at_the_audited_balance(player: str, reader: Reader) -> None:
    """From nothing to what the audit, which reads all transfers, makes the balance."""
    audit = audited(reader, lambda _: None)
    found = made(reader, player)

    assert adds_up(found)
    assert found.opening_minor == 0
    assert found.closing_minor == audit.balances[f"player:{player}:EUR"]
    assert found.cash_in_minor - found.cash_out_minor > 0
    assert {row.what for row in found.rows} >= {"round", "deposit"}


@pytest.mark.parametrize("player", [ALICE, BOB])
@pytest.mark.parametrize("parts", [2, 7, 31])
def test_statements_of_one_interval_after_the_other_meet(
    player: str, parts: int, reader: Reader
) -> None:
    """Cut anywhere, each part adds up and begins where the one before ended."""
    whole = made(reader, player)
    first, last = whole.rows[0].at, whole.rows[-1].at + 1
    cuts = [first + (last - first) * n // parts for n in range(parts + 1)]
    found = [made(reader, player, span) for span in pairwise(cuts)]

    assert all(map(adds_up, found))
    assert found[0].opening_minor == 0
    assert found[-1].closing_minor == whole.closing_minor
    for before, after in pairwise(found):
        assert before.closing_minor == after.opening_minor
    for name in ("staked_minor", "returned_minor", "paid_minor", "cash_in_minor"):
        total = sum(getattr(part, name) for part in found)
        assert total == getattr(whole, name)


def test_a_line_says_what_became_of_a_round(reader: Reader) -> None:
    """Staked, returned, paid and the result: of a played, a void, a replaced round."""
    plain = next(row for row in made(reader, ALICE).rows if row.round_id == PLAIN)
    rows = made(reader, BOB).rows
    bobs = {row.round_id: row for row in rows if row.what == "round"}
    [taken] = [row for row in rows if row.what == "withdrawal"]

    assert plain.result in ("won", "lost", "even")
    assert plain.change_minor == plain.paid_minor + plain.returned_minor - (
        plain.staked_minor
    )
    assert bobs[VOIDED].result == "void"
    assert bobs[VOIDED].change_minor == 0
    assert bobs[VOIDED].paid_minor == bobs[VOIDED].staked_minor == 3000
    # A bet of 3,000 was replaced by one of 5,000 and withdrawn; then 3,000 stood.
    assert bobs[REPLACED].returned_minor == 8000
    assert (taken.cash_out_minor, taken.change_minor) == (5000, -5000)


def test_an_empty_interval_says_so(reader: Reader) -> None:
    """No activity is a line of its own, and the balance stays as it was."""
    late = made(reader, ALICE, (2**59, 2**60))
    early = made(reader, ALICE, (0, 1))

    assert late.note == early.note == NO_ACTIVITY
    assert late.opening_minor == late.closing_minor > 0
    assert early.closing_minor == 0
    assert to_csv(late).splitlines()[-1] == NO_ACTIVITY


def test_the_header_has_every_field(reader: Reader) -> None:
    """Operator, title, interval and time made stand before labelled columns (H8)."""
    lines = to_csv(made(reader, ALICE)).splitlines()
    header = dict(line.split(",", 1) for line in lines[:15])

    assert header["operator"] == "local"
    assert header["title"] == "Player statement"
    assert header["player"] == ALICE
    assert {"since", "until", "made_at", "opening_minor", "closing_minor"} <= set(
        header
    )
    assert lines[15].startswith("at,what,round_id,result,staked_minor")
    assert len(lines) == 16 + len(made(reader, ALICE).rows)


def record(number: int, tag: str) -> Envelope:
    return Envelope(
        id=f"wallet-acme.a.EUR@{number}",
        type=tag,
        service="wallet",
        log="l",
        partition=0,
        offset=number,
        stream="wallet-acme.a.EUR",
        version=number,
        recorded_at=number,
        caused_by="",
        correlation="",
        actor=Actor("support", "carol"),
        data=b"",  # type: ignore[arg-type]
    )


def test_what_does_not_add_up_shows() -> None:
    """A balance that its transfers do not lead to is not smoothed over."""
    found = Movements("acme.a", "EUR", 100)
    move = w.Transfer("t1", "bank:acme:EUR", "player:acme.a:EUR", 50)
    found.see(record(1, "wallet.deposited.v1"), w.Deposited("acme.a", "EUR", move, 151))

    assert not adds_up(found.statement(LIFE, NOW, {}))


def test_the_command_writes_both_forms(played: Path, capsys: Told) -> None:
    """CSV for spreadsheets, JSON for programs; a name without operator is local."""
    assert run(["statement", "alice", "--data", str(played)]) == 0
    table = capsys.readouterr().out
    assert run(["statement", "alice", "--format", "json", "--data", str(played)]) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)

    assert table.splitlines()[0] == "operator,local"
    change = sum(row["change_minor"] for row in document["rows"])
    assert document["opening_minor"] + change == document["closing_minor"]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["nobody"], "there is no wallet of this player"),
        (["alice", "--currency", "USD"], "has no wallet in USD"),
        (["alice", "--on", "yesterday", "--interval", "day"], "--on"),
    ],
)
def test_what_is_not_there_is_named(
    words: list[str], text: str, played: Path, capsys: Told
) -> None:
    """One line that says what is missing, and exit code 2."""
    assert run(["statement", *words, "--data", str(played)]) == 2
    assert text in capsys.readouterr().err


def test_wallets_are_found_by_their_player(reader: Reader) -> None:
    """A player's currencies, and nobody else's whose name begins alike."""
    assert currencies_of(reader.file, ALICE) == ["EUR"]
    assert currencies_of(reader.file, ALICE[:-1]) == []
