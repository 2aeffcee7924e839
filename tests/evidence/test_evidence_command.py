"""`push22 evidence`: what it writes, where it fails, and with what code."""

import asyncio
from pathlib import Path

import pytest
from played_rounds import ROUND, keys_of

from blackjack.rule_sets import rule_set
from push22.__main__ import run
from push22.casino import Casino
from push22.evidence import verify
from push22.session import Session, Table
from push22.wagering import wagers_for

Told = pytest.CaptureFixture[str]


def test_it_writes_a_pack(home: Path, tmp_path: Path, capsys: Told) -> None:
    """One line says where it is and what executing the round again came to."""
    out = tmp_path / "pack.zip"
    code = run(["evidence", ROUND, "-o", str(out), "--data", str(home), "--case", "7"])

    assert code == 0
    assert capsys.readouterr().out == (
        f"{out}: {out.stat().st_size:,} bytes, executed again: MATCH, for case 7\n"
    )
    assert verify.judge_path(str(out), keys_of(home)).lines[-1] == "RIGHT"


def test_an_unknown_round_has_no_pack(home: Path, tmp_path: Path, capsys: Told) -> None:
    """Nothing is written, and the round is named."""
    out = tmp_path / "pack.zip"
    code = run(["evidence", "round-t9-1", "-o", str(out), "--data", str(home)])

    assert code == 2
    assert capsys.readouterr().err == (
        "push22: round-t9-1: there is no such round in this log\n"
    )
    assert not out.exists()


def test_where_nothing_can_be_written_is_told(
    home: Path, tmp_path: Path, capsys: Told
) -> None:
    """The place is named, without a traceback."""
    out = tmp_path / "nowhere" / "pack.zip"
    code = run(["evidence", ROUND, "-o", str(out), "--data", str(home)])

    assert code == 1
    assert capsys.readouterr().err.startswith(f"push22: {out}: No such file")


async def _live(data: Path) -> None:
    """Play a round in a casino that signs its own checkpoints; the next is open."""
    casino = await Casino.open(data)
    wagers = wagers_for(rule_set("lv-8d"), 1, 1000, 0)
    session = Session(casino, Table("t1", "lv-8d", "local.ann", wagers))
    await session.open()
    await session.fill_purse()
    await session.play(session.bot)
    await casino.close()


def test_checkpoints_that_the_casino_signed_are_used(
    tmp_path: Path, capsys: Told
) -> None:
    """What a running casino has signed covers the round; nothing is signed twice."""
    asyncio.run(_live(tmp_path))
    lodged = (tmp_path / "checkpoints.jsonl").read_text()
    out = tmp_path / "pack.zip"

    assert run(["evidence", "round-t1-1", "-o", str(out), "--data", str(tmp_path)]) == 0
    files = verify.unzipped(out.read_bytes())
    document = verify.read_json(files["checkpoints.json"], "checkpoints.json")
    in_play = run(["evidence", "round-t1-2", "-o", str(out), "--data", str(tmp_path)])

    assert document["checkpoints"]
    assert all(item["signature"] in lodged for item in document["checkpoints"])
    assert in_play == 2
    assert "is in play" in capsys.readouterr().err
