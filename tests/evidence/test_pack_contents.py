"""What a pack holds, and what it must never hold."""

import asyncio
import csv
import io
import json
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from played_rounds import ROUND, keys_of, pack_of

from push22 import verify_cards
from push22.commands.script import play_text
from push22.errors import Failure
from push22.evidence import verify
from push22.inspect.reader import Reader

BOB, CAROL = "local.p1", "local.p2"
Files = dict[str, bytes]


@pytest.fixture
def files(pack: bytes) -> Files:
    return verify.unzipped(pack)


def players_of(files: Files) -> list[str]:
    closed = [
        json.loads(line)
        for line in files["records.jsonl"].splitlines()
        if b'"table.round_closed.v1"' in line
    ]
    return list(closed[0]["data"]["players"])


def test_the_same_question_gives_the_same_bytes(home: Path) -> None:
    """Nothing in a pack depends on when or where it is made but its time."""
    assert pack_of(home).zip == pack_of(home).zip


def test_it_is_a_zip_like_any_other(pack: bytes, files: Files) -> None:
    """Whoever has no Python opens it with what the machine has."""
    with zipfile.ZipFile(BytesIO(pack)) as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name) for name in archive.namelist()} == files
        assert {info.date_time for info in archive.infolist()} == {
            (1980, 1, 1, 0, 0, 0)
        }


def test_records_are_those_of_the_log_to_the_byte(home: Path, files: Files) -> None:
    """All of the round, the cut of its shoe, and no record of anything else."""
    reader = Reader.open(home)
    logged = {record.body for record in reader.file.records_of_round(ROUND)}
    reader.close()
    lines = files["records.jsonl"].splitlines()
    others = [json.loads(line) for line in lines if line not in logged]

    assert logged <= set(lines)
    assert [record["type"] for record in others] == ["shoe.shoe_cut.v1"]


def test_no_secret_and_no_undealt_card_is_in_it(home: Path, files: Files) -> None:
    """Neither the sealed order nor a salt of a card that lies in the shoe."""
    text = b"".join(files.values())
    reader = Reader.open(home)
    (committed,) = [
        json.loads(record.body)
        for record in reader.file.records_of_stream("shoe", "shoe-script-1", 0)
        if record.type == "shoe.shoe_committed.v1"
    ]
    reader.close()
    sealed = [committed["data"]["sealed"], *committed["cause"]["ambient"].values()]
    private = json.loads((home / "checkpoint-keys.json").read_text())["private"]

    assert all(len(item) > 40 and item.encode() not in text for item in sealed)
    assert private.encode() not in text
    assert b'"shoe.shoe_retired' not in text


def test_the_card_proofs_are_what_verify_cards_reads(files: Files) -> None:
    """The older verifier, of one shoe, says the same."""
    assert "cards proved" in verify_cards.check_text(files["proofs.json"])


def test_tables_have_the_headers_of_a_report(files: Files) -> None:
    """Operator, title, interval, time made, labelled fields (H8)."""
    for name in ("lines.csv", "timeline.csv"):
        rows = list(csv.reader(io.StringIO(files[name].decode())))
        labels = [row[0] for row in rows[:6]]
        assert labels == [
            *("operator", "title", "interval UTC", "made at UTC"),
            *("round", "currency"),
        ]
        assert rows[0][1] == "local"


def test_the_round_can_be_played_again_from_its_script(files: Files) -> None:
    """Cards, wagers and decisions lead to the same results in another casino."""
    text = files["round.toml"].decode()
    assert asyncio.run(play_text("round.toml", text)).failures == []


def test_the_history_is_the_whole_transcript(files: Files) -> None:
    """Marked as a replay, with each player, settlement, balances and the verdict."""
    text = files["history.txt"].decode()
    assert "REPLAY, not live" in text
    assert text.splitlines()[-1] == "executed again: MATCH"
    for word in (*players_of(files), "settlement", "balances", "NY-"):
        assert word in text


def test_the_manifest_says_who_and_what_for(files: Files) -> None:
    """Case and note stand in what is signed."""
    manifest = json.loads(files["manifest.json"])
    assert (manifest["case"], manifest["made_by"]) == ("C-17", "carol")
    assert manifest["note"] == "the player says he had a blackjack"
    assert manifest["verdict"] == "MATCH"


def test_a_players_own_pack_names_nobody_else(home: Path, files: Files) -> None:
    """Not in a record, not in a table, not in the report, not by a hash."""
    me, other = players_of(files)
    made = pack_of(home, player=me)
    mine = verify.unzipped(made.zip)
    verdict = verify.judge(mine, keys_of(home))
    entries = json.loads(mine["record.json"])["entries"]

    assert verdict.lines[-1] == "RIGHT, other players' data masked and not proved"
    for name, data in mine.items():
        assert other.encode() not in data, name
    for name in ("history.txt", "lines.csv", "timeline.csv", "round.toml"):
        assert other.partition(".")[2].encode() not in mine[name], name
    assert me.encode() in mine["lines.csv"]
    assert b"other-1" in mine["lines.csv"]
    assert not any(entry["hash"] or entry["previous"] for entry in entries)
    assert not any(e["sha256"] for e in entries if e["shown"] == "masked")
    assert json.loads(mine["checkpoints.json"])["proofs"] == []
    masked = [json.loads(line) for line in mine["masked.jsonl"].splitlines()]
    assert masked
    causes = [record["cause"] for record in masked if "cause" in record]
    assert not any("command" in cause or cause["id"] for cause in causes)
    assert b"other-1" in mine["timeline.csv"]


def test_a_stranger_gets_no_pack(home: Path) -> None:
    """Who took no part in a round has nothing to dispute about it."""
    with pytest.raises(Failure, match="took no part"):
        pack_of(home, player="local.mallory")


def test_a_note_without_end_is_refused(home: Path) -> None:
    """What goes into every pack is bounded."""
    with pytest.raises(Failure, match="at most 2000 characters"):
        pack_of(home, note="x" * 2001)


def run(*words: Any) -> subprocess.CompletedProcess[str]:
    """Run the pack's verifier as anybody would: alone, without our packages."""
    command = [sys.executable, "-I", "-S", *map(str, words)]
    how: Any = {"capture_output": True, "text": True, "timeout": 60}
    return subprocess.run(command, check=False, **how)


def test_the_verifier_runs_alone_from_the_pack(
    home: Path, pack: bytes, files: Files, tmp_path: Path
) -> None:
    """Standard library only, in a folder of its own, with exit codes 0, 1 and 2."""
    (tmp_path / "verify.py").write_bytes(files["verify.py"])
    (tmp_path / "pack.zip").write_bytes(pack)
    (tmp_path / "spoilt.zip").write_bytes(pack[:-1])
    keys = home / "checkpoint-keys-public.json"
    script = tmp_path / "verify.py"

    right = run(script, tmp_path / "pack.zip", "--keys", keys)
    alone = run(script, tmp_path / "pack.zip")
    wrong = run(script, tmp_path / "spoilt.zip", "--keys", keys)

    assert (right.returncode, right.stdout.splitlines()[-1]) == (0, "RIGHT")
    assert alone.returncode == 0
    assert alone.stdout.splitlines()[-1].startswith("SELF-CONSISTENT; signer not")
    assert (wrong.returncode, wrong.stdout.splitlines()[-1][:5]) == (1, "WRONG")
    assert run(script).returncode == 2
    assert run(script, "a", "--keys", tmp_path / "none").returncode == 2
    assert not any((right.stderr, alone.stderr, wrong.stderr))


def test_the_verifier_is_written_for_older_pythons() -> None:
    """Its syntax is that of 3.9, and it imports the standard library only."""
    import ast

    tree = ast.parse(Path(verify.__file__).read_text(), feature_version=(3, 9))
    names = {
        alias.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert {str(name).partition(".")[0] for name in names} <= sys.stdlib_module_names
