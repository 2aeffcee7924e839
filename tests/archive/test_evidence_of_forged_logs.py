"""Evidence packs of logs that somebody has changed: told, refused, never smoothed."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from forgery import TABLE, rechain, rewrite, version_of, with_data
from small_casino import VOIDED, copy_of

from contracts.envelope import Envelope
from push22.__main__ import run
from push22.evidence import verify

Told = pytest.CaptureFixture[str]


def forged(played: Path, to: Path, change: Callable[[Envelope], Envelope]) -> int:
    """Change the round's end in a copy of the log; return its version."""
    file = copy_of(played, to)
    version = version_of(file, VOIDED, "table.round_closed.v1")
    rewrite(file, (VOIDED, version), change)
    file.close()
    return version


def paid_more(record: Envelope) -> Envelope:
    return with_data(record, b'{"local.bob":0}', b'{"local.bob":1}')


def test_a_changed_record_is_never_signed(
    played: Path, tmp_path: Path, capsys: Told
) -> None:
    """Where the chain does not bear a record out there is no pack of it."""
    forged(played, tmp_path / "casino", paid_more)
    out = tmp_path / "pack.zip"
    words = ["evidence", VOIDED, "-o", str(out), "--data", str(tmp_path / "casino")]

    assert run(words) == 1
    assert "see push22 verify" in capsys.readouterr().err
    assert not out.exists()


def test_a_chain_made_anew_leads_to_a_pack_that_says_differs(
    played: Path, tmp_path: Path, capsys: Told
) -> None:
    """Whoever rewrites an unsigned log is told by the engine, and by the money."""
    casino = tmp_path / "casino"
    forged(played, casino, paid_more)
    file = copy_of(casino, tmp_path / "again")
    rechain(file, TABLE)
    file.close()
    out = tmp_path / "pack.zip"
    words = ["evidence", VOIDED, "-o", str(out), "--data", str(tmp_path / "again")]

    assert run(words) == 1
    assert capsys.readouterr().out.endswith("executed again: DIFFERS\n")
    files = verify.unzipped(out.read_bytes())
    manifest = msgspec.json.decode(files["manifest.json"])
    assert manifest["verdict"] == "DIFFERS"
    assert "another event" in manifest["verdict_text"]
    verdict = verify.judge(files)
    assert [line.split()[1] for line in verdict.lines if line.startswith("WRONG ")] == [
        "money"
    ]
