"""The report by rule set is what the records of settlement add up to."""

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from small_casino import BOB, VOIDED, copy_of

from contracts import catalog
from contracts import settlement as st
from contracts import table as t
from contracts.envelope import Actor
from contracts.identities import table_of_round
from contracts.reports import NO_ACTIVITY, Performance, PerformanceLine, to_csv
from push22.__main__ import run
from push22.casino import Casino
from push22.certify.theory import NoCertificate, theories_in
from push22.commands.audit import audited
from push22.inspect.reader import Reader
from push22.performance import performance

LIFE = (0, 2**60)
NOW = 2**60

Told = pytest.CaptureFixture[str]
RULES = {"ny-switch-6d": "t1", "ny-multiple-action": "t2"}


@pytest.fixture
def reader(played: Path) -> Reader:
    return Reader.open(played)


def made(reader: Reader, span: tuple[int, int] = LIFE, **how: Any) -> Performance:
    return performance(reader.file, span, NOW, **({"theories": {}} | how))


def line_of(report: Performance, rules: str) -> PerformanceLine:
    [line] = [row for row in report.rows if row.rule_set == rules]
    return line


def settled(reader: Reader, table: str) -> Counter[str]:
    """Add up the lines of a table's rounds, record by record."""
    sums: Counter[str] = Counter()
    for item in reader.everything():
        if item.type != "settlement.wagers_settled.v1":
            continue
        event = catalog.decode_event(catalog.decode_envelope(item.body))
        assert isinstance(event, st.WagersSettled)
        if table_of_round(event.round_id) == table and event.round_id != VOIDED:
            for line in (each.line for each in event.lines):
                sums[f"{line.kind} stakes"] += line.stake_minor
                sums[f"{line.kind} payouts"] += line.payout_minor
    return sums


@pytest.mark.parametrize("rules", RULES)
def test_the_sums_are_those_of_the_lines(rules: str, reader: Reader) -> None:
    """Main game, side wagers and insurance apart, and all of them together."""
    line, sums = line_of(made(reader), rules), settled(reader, RULES[rules])

    assert line.stakes_minor == sum(sums[f"{x} stakes"] for x in KINDS) > 0
    assert line.payouts_minor == sum(sums[f"{x} payouts"] for x in KINDS)
    assert line.main_stakes_minor == sums["main stakes"]
    assert line.main_payouts_minor == sums["main payouts"]
    assert line.side_stakes_minor == sums["side stakes"]
    assert line.side_payouts_minor == sums["side payouts"]
    assert line.insurance_stakes_minor == sums["insurance stakes"]
    assert line.net_minor == line.payouts_minor - line.stakes_minor
    due = 100 * line.payouts_minor / line.stakes_minor
    assert line.actual_percent == pytest.approx(due, abs=1e-4)


KINDS = ("main", "side", "insurance")


def test_a_void_round_counts_apart(reader: Reader) -> None:
    """Voided totals are named, and change no return (GLI-19 2.9.2)."""
    line = line_of(made(reader), "ny-multiple-action")

    assert (line.void_rounds, line.void_stakes_minor) == (1, 3000)
    assert line.void_payouts_minor == 3000


def test_each_day_is_in_one_report(reader: Reader) -> None:
    """Intervals one after the other hold each closed round once."""
    times = reader.sql.execute(
        "SELECT min(closed_at), max(closed_at) FROM archive_players"
    )
    first, last = times.fetchone()
    middle = (first + last) // 2
    parts = [made(reader, span) for span in ((0, middle), (middle, last + 1))]
    whole = made(reader)

    for rules in RULES:
        found = [row for part in parts for row in part.rows if row.rule_set == rules]
        assert sum(row.rounds for row in found) == line_of(whole, rules).rounds
        stakes = sum(row.stakes_minor for row in found)
        assert stakes == line_of(whole, rules).stakes_minor


def test_no_activity_is_said(reader: Reader) -> None:
    """An interval without a closed round, and an operator without players."""
    assert made(reader, (0, 1)).note == NO_ACTIVITY
    other = made(reader, operator="acme")
    assert (other.rows, other.note) == ((), NO_ACTIVITY)
    assert to_csv(other).splitlines()[-1] == NO_ACTIVITY
    assert to_csv(other).splitlines()[0] == "operator,acme"


async def bet_and_gone(data: Path) -> None:
    """Bob bets, the round is dealt, and the casino is shut down in the middle of it."""
    casino = await Casino.open(data)
    number = len(settled_rounds(data)) + 1
    name = f"round-t2-{number}"
    for command in (t.PlaceBet(name, 1, (1000,) * 3), t.StartDealing(name)):
        body = casino.envelope(command, Actor("player", BOB))
        assert (await casino.host.submit(body)).accepted
        await casino.host.settle()
    await casino.close()


def settled_rounds(data: Path) -> list[str]:
    query = (
        "SELECT round_id FROM archive_rounds WHERE table_id = 't2' AND closed_at > 0"
    )
    return [row[0] for row in Reader.open(data).sql.execute(query)]


def test_funds_of_interrupted_rounds_are_named(played: Path, tmp_path: Path) -> None:
    """What is held in an open round; once its time is over, as interrupted too."""
    copy_of(played, tmp_path).close()
    asyncio.run(bet_and_gone(tmp_path))
    reader = Reader.open(tmp_path)
    audit = audited(reader, lambda _: None)

    early = performance(reader.file, LIFE, 1, theories={})
    late = line_of(made(reader), "ny-multiple-action")
    line = line_of(early, "ny-multiple-action")

    assert line.open_rounds == late.open_rounds == 1
    assert line.funds_in_play_minor == sum(audit.open_funds_minor().values()) >= 3000
    assert late.interrupted_rounds == 1
    assert late.funds_interrupted_minor == late.funds_in_play_minor


def test_a_certificate_gives_the_theoretical_return(
    reader: Reader, tmp_path: Path, capsys: Told
) -> None:
    """By the digest of the rules that were dealt; the edge is of the initial wagers."""
    words = ["certify", "ny-switch-6d", "--rounds", "2000", "--json"]
    assert run(words) == 0
    text = capsys.readouterr().out
    (tmp_path / "ny.json").write_text(text)
    certificate = json.loads(text)
    game, side = certificate["main_game"], certificate["side_wager"]

    found = made(reader, theories=theories_in(tmp_path))
    line, other = (line_of(found, rules) for rules in RULES)

    assert line.rules_sha256 == certificate["identity"]["rules_sha256"]
    due = 100 - game["edge_percent"] / game["staked_per_initial"]
    assert line.main_theoretical_percent == pytest.approx(due, abs=1e-3)
    assert line.side_theoretical_percent == pytest.approx(
        100 - side["edge_percent"], abs=1e-3
    )
    assert other.main_theoretical_percent is None


def test_what_is_no_certificate_is_refused(tmp_path: Path) -> None:
    """A wrong file or directory is named, not passed over."""
    with pytest.raises(NoCertificate, match="no such directory"):
        theories_in(tmp_path / "nowhere")
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(NoCertificate, match=r"x\.json: no certificate"):
        theories_in(tmp_path)
    assert theories_in(None) == {}


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        ([], 2),
        (["--interval", "year", "--on", "2024-02-29"], 0),
        (["--interval", "month", "--on", "2026-01-31"], 2),
        (["--interval", "month", "--on", "2026-02-01"], 0),
        (["--interval", "day", "--on", "2001-01-01"], 0),
        (["--since", "1990-01-01"], 2),
    ],
)
def test_the_command_takes_each_interval(
    words: list[str], rows: int, played: Path, capsys: Told
) -> None:
    """A day, a month, a year, life to date, or from and to."""
    assert run(["report", *words, "--format", "json", "--data", str(played)]) == 0
    document = json.loads(capsys.readouterr().out)

    assert document["since"] < document["until"]
    assert len(document["rows"]) == rows
    assert run(["report", *words, "--data", str(played)]) == 0
    assert capsys.readouterr().out.startswith("operator,all operators")
