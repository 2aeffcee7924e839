"""A round's net is its own, whatever else moved the player's balance meanwhile."""

import asyncio
import io
import json
from pathlib import Path

import pytest
from meanwhile import AT_T2, DEPOSIT, FIRST, block, play
from played_rounds import keys_of, pack_of
from pypdf import PdfReader
from spoiling import Files, failed, private_key, signed_again

from push22.__main__ import run
from push22.desk.replaying import replayed
from push22.evidence import verify
from push22.inspect.history import steps_in
from push22.inspect.money import money
from push22.inspect.reader import Reader
from services.archive.round_money import RoundMoney, money_of
from tests.desk.desk_house import ALICE, AMOUNT, CASE


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("meanwhile")
    asyncio.run(play(found))
    return found


@pytest.fixture(scope="module")
def first(data: Path) -> Files:
    return verify.unzipped(pack_of(data, FIRST).zip)


def settled(files: Files) -> int:
    return sum(int(row["net_minor"]) for row in block(files["lines.csv"], "part"))


def the_money(data: Path, round_id: str) -> RoundMoney:
    reader = Reader.open(data)
    try:
        (found,) = money_of(steps_in(reader, round_id)).values()
    finally:
        reader.close()
    return found


@pytest.mark.parametrize(
    ("round_id", "other"), [(FIRST, DEPOSIT), (AT_T2, AMOUNT)], ids=["t1", "t2"]
)
def test_the_net_is_the_rounds_own(round_id: str, other: int, data: Path) -> None:
    """A deposit, later rounds, and a correction of another round do not count."""
    files = verify.unzipped(pack_of(data, round_id).zip)
    (row,) = block(files["lines.csv"], "player")
    net, before = settled(files), int(row["before_minor"])

    assert int(row["net_minor"]) == net
    assert int(row["other_minor"]) == other
    assert int(row["after_minor"]) == before + net + other
    assert row["kept_by"] == "casino"
    verdict = verify.judge(files, keys_of(data))
    assert verdict.lines[-1] == "RIGHT", "\n".join(verdict.lines)


def test_a_correction_stands_apart(first: Files, data: Path) -> None:
    """With its sign, its case, who asked for it, who approved it, and its balances."""
    (row,) = block(first["lines.csv"], "correction")
    before, after = int(row["before_minor"]), int(row["after_minor"])

    assert row["correction"] == f"correction:{CASE}:1"
    assert (row["player"], int(row["amount_minor"])) == (ALICE, AMOUNT)
    assert (row["proposed_by"], row["approved_by"]) == ("rita", "adam")
    assert (row["outcome"], after - before) == ("posted", AMOUNT)
    assert after != the_money(data, FIRST).after_minor


def test_all_that_people_read_agrees(
    first: Files, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Replay on the command line, the history and the report tell the same money."""
    found = the_money(data, FIRST)
    assert found.before_minor is not None
    assert found.after_minor is not None
    ends = money(found.before_minor), money(found.after_minor)
    middle = f"{money(found.net_minor, signed=True)} +{money(DEPOSIT)}"
    line = f"{ALICE} {ends[0]} {middle} {ends[1]}"
    amount = f"+{money(AMOUNT)}"
    corrected = f"{ALICE} {amount}, case {CASE}, proposed by rita, approved by adam"
    in_table = f"{CASE} {ALICE} {amount} rita adam posted"

    assert run(["replay", FIRST, "--data", str(data)]) == 0
    pages = PdfReader(io.BytesIO(first["report.pdf"])).pages
    report = " ".join(page.extract_text() for page in pages)
    history = first["history.txt"].decode()
    shown = (capsys.readouterr().out, corrected), (history, corrected)
    for text, correction in (*shown, (report, in_table)):
        words = " ".join(text.split())
        assert line in words
        assert correction in words


def test_the_desk_tells_the_same_money(data: Path) -> None:
    """What the viewer gets: the purse is the round's, the correction beside it."""
    reader = Reader.open(data)
    try:
        replay = replayed(reader, FIRST)
    finally:
        reader.close()
    assert replay is not None
    (purse,), (put_right,) = replay.purses, replay.put_right
    fields = purse.before_minor, purse.net_minor, purse.other_minor, purse.owed_minor

    assert (*fields, purse.after_minor, False) == the_money(data, FIRST)
    assert all("correction" not in move.what for move in purse.movements)
    assert purse.movements[-1].balance_minor == purse.after_minor
    assert (put_right.amount_minor, put_right.approved_by) == (AMOUNT, "adam")


def with_row(files: Files, old: list[str], new: list[str]) -> Files:
    text = files["lines.csv"].decode()
    assert ",".join(old) in text
    changed = text.replace(",".join(old), ",".join(new)).encode()
    return {**files, "lines.csv": changed}


@pytest.mark.parametrize("name", ["net_minor", "after_minor", "other_minor"])
def test_a_wrong_net_that_is_signed_is_found(
    name: str, first: Files, data: Path
) -> None:
    """Even the casino's own key makes no other net of the round's movements."""
    (row,) = block(first["lines.csv"], "player")
    forged = {**row, name: str(int(row[name]) - AMOUNT)}
    spoilt = with_row(first, list(row.values()), list(forged.values()))
    verdict = verify.judge(signed_again(spoilt, private_key(data)), keys_of(data))

    assert failed(verdict) == ["tables"]
    assert verdict.lines[-1].startswith("WRONG")


def as_old(files: Files, key_of: Path, ends: tuple[int, int]) -> Files:
    """Write a pack as it was made before: one net over all the wallet did."""
    text = files["lines.csv"].decode()
    head = text[: text.index("player,kept_by")]
    (row,) = block(files["lines.csv"], "player")
    before, after = ends
    rows = f"{row['player']},{before},{after},{after - before}\n"
    lines = f"{head}player,before_minor,after_minor,net_minor\n{rows}"
    old = {**files, "lines.csv": lines.encode()}
    return signed_again(old, private_key(key_of), format="push22-evidence-v1")


def test_an_old_pack_with_another_net_is_refused_with_the_reason(
    first: Files, data: Path
) -> None:
    """What was signed before says what it counted, and what to do."""
    (row,) = block(first["lines.csv"], "player")
    (correction,) = block(first["lines.csv"], "correction")
    ends = int(row["before_minor"]), int(correction["after_minor"])
    verdict = verify.judge(as_old(first, data, ends), keys_of(data))

    assert failed(verdict) == ["tables"]
    told = "\n".join(verdict.lines)
    assert f"but the round's own is {settled(first)}" in told
    assert "have the pack made again" in told


def test_an_old_pack_with_the_rounds_net_is_right(data: Path) -> None:
    """Where nothing came between, an old pack says the same and holds."""
    files = verify.unzipped(pack_of(data, "round-t1-2").zip)
    (row,) = block(files["lines.csv"], "player")
    ends = int(row["before_minor"]), int(row["after_minor"])
    verdict = verify.judge(as_old(files, data, ends), keys_of(data))

    assert verdict.lines[-1] == "RIGHT", "\n".join(verdict.lines)


def test_a_format_to_come_is_not_guessed_at(first: Files, data: Path) -> None:
    """A verifier says which formats it knows."""
    later = signed_again(first, private_key(data), format="push22-evidence-v3")
    verdict = verify.judge(later, keys_of(data))

    assert json.loads(first["manifest.json"])["format"] == "push22-evidence-v2"
    assert failed(verdict) == ["signature"]
    assert "knows none after push22-evidence-v2" in "\n".join(verdict.lines)
