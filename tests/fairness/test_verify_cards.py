"""The stranger's verifier: it accepts the frozen shoes and nothing else."""

import ast
import base64
import copy
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from push22 import verify_cards
from push22.verify_cards import Refused
from tests.fairness.records import SHOES, VECTORS, in_play, record_of, text_of

NAMES = sorted(SHOES)
FILE = Path(verify_cards.__file__)

Path_ = tuple[str | int, ...]

NOT_PROVED = frozenset(
    {"sealed", "key_id", "demonstration", "place", "round_id", "cut_card_at"}
)
"""Fields that no hash of the shoe covers; the log's hash chain does."""


def vector(name: str) -> Any:
    return json.loads((VECTORS / f"{name}.json").read_text())


@pytest.mark.parametrize("name", NAMES)
def test_f7_the_frozen_vectors_are_accepted(name: str) -> None:
    """The sentence says how much is proved."""
    expected = {
        "in_play": "shoe shoe-t1-3: 6 shown cards proved, not retired yet",
        "retired": "shoe shoe-t1-3: retired, all 40 cards that left it proved",
        "ran_out": "shoe shoe-t1-3: retired, all 57 cards that left it proved",
    }
    assert verify_cards.check(vector(name)) == expected[name]


@pytest.mark.parametrize("name", NAMES)
def test_f7_the_decider_still_makes_the_frozen_vectors(name: str) -> None:
    """The algorithm behind `push22-shoe-v1` never changes, byte for byte."""
    assert text_of(SHOES[name]()) == (VECTORS / f"{name}.json").read_text()


def test_the_verifier_imports_the_standard_library_only() -> None:
    """A stranger needs the one file and a Python."""
    imported = set()
    for node in ast.walk(ast.parse(FILE.read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(str(node.module))
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


def test_a_stranger_runs_it_from_an_empty_place(tmp_path: Path) -> None:
    """Copied away and isolated, it accepts the vectors and exits with 0."""
    names = [str(VECTORS / f"{name}.json") for name in NAMES]
    done = _run(tmp_path, *names)
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["OK"] * 3


@pytest.mark.parametrize("text", ["", "{", "[]", '{"a":1,"a":1}', "\xff", "[" * 99999])
def test_a_text_that_is_no_record_is_refused(tmp_path: Path, text: str) -> None:
    """With a line that says so and exit code 1, never with a traceback."""
    record = tmp_path / "record.json"
    record.write_text(text, encoding="latin-1")
    done = _run(tmp_path, str(record))
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("REFUSED")


def test_without_a_record_it_says_how_it_is_used(tmp_path: Path) -> None:
    """Nothing checked is not a success."""
    done = _run(tmp_path)
    assert done.returncode == 2
    assert "usage" in done.stderr


def _run(tmp_path: Path, *names: str) -> subprocess.CompletedProcess[str]:
    copied = tmp_path / "verify_cards.py"
    copied.write_bytes(FILE.read_bytes())
    return subprocess.run(
        [sys.executable, "-I", "-S", str(copied), *names],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        timeout=30,
    )


def leaves_of(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Every scalar of a record, by its path."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for name, part in items:
            yield from leaves_of(part, (*path, name))
    elif value is not None:
        yield path


def is_bytes(path: Path_) -> bool:
    return any(
        name in ("leaf", "salt", "proof", "root", "reserve_hash", "secret", "reserve")
        or name in ("seed", "seed_hash")
        for name in path
    )


def flips_of(value: Any, path: Path_) -> Iterator[Any]:
    """The value with one bit flipped: for long texts, one bit of each byte."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value ^ 1 << bit for bit in range(16))
    elif is_bytes(path):
        data = base64.b64decode(value)
        for at in range(len(data)):
            flipped = bytearray(data)
            flipped[at] ^= 1 << at % 8
            yield base64.b64encode(flipped).decode()
    else:
        for at, letter in enumerate(value):
            yield value[:at] + chr(ord(letter) ^ 1 << at % 7) + value[at + 1 :]


def changed(record: Any, path: Path_, value: Any) -> Any:
    copied = copy.deepcopy(record)
    part = copied
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    return copied


def value_at(record: Any, path: Path_) -> Any:
    for name in path:
        record = record[name]
    return record


def proved_paths(record: Any) -> list[Path_]:
    return [path for path in leaves_of(record) if is_proved(record, path)]


def is_proved(record: Any, path: Path_) -> bool:
    """Before retirement nothing is said of the reserve and of unseen cards' leaves."""
    if NOT_PROVED & set(path):
        return False
    if record["retired"] is not None:
        return True
    unseen = path[-1] == "leaf" and "card" not in value_at(record, path[:-1])
    return not unseen and path[-1] != "reserve_hash"


def _tried(flips: Iterator[Any], name: str, number: int) -> list[Any]:
    """All flips in the short record; one per value, in turn, in the long ones."""
    found = list(flips)
    return found if name == "in_play" else [found[number % len(found)]]


@pytest.mark.parametrize("name", NAMES)
def test_one_flipped_bit_in_any_proved_value_is_refused(name: str) -> None:
    """Every scalar is altered; of long ones a bit that moves on from copy to copy."""
    record = vector(name)
    accepted = [
        (path, flip)
        for number, path in enumerate(proved_paths(record))
        for flip in _tried(flips_of(value_at(record, path), path), name, number)
        if _accepts(changed(record, path, flip))
    ]
    assert accepted == []


def test_one_flipped_bit_anywhere_in_the_text_is_refused_or_changes_no_proof() -> None:
    """Flipped in the file itself; what still passes differs in unproved fields only."""
    text = json.dumps(vector("in_play"), separators=(",", ":")).encode()
    before = proved_part(json.loads(text))
    for at in range(0, len(text), 3):
        flipped = bytearray(text)
        flipped[at] ^= 1 << at % 8
        try:
            verify_cards.check_text(bytes(flipped))
        except Refused:
            continue
        assert proved_part(json.loads(flipped)) == before, at


def proved_part(record: Any) -> dict[Path_, Any]:
    return {path: value_at(record, path) for path in proved_paths(record)}


def _accepts(record: Any) -> bool:
    try:
        verify_cards.check(record)
    except Refused:
        return False
    return True


Alter = Callable[[Any], Any]


def _drop(*path: str | int) -> Alter:
    def alter(record: Any) -> None:
        part = value_at(record, path[:-1])
        del part[path[-1]]

    return alter


def _swap(one: int, other: int) -> Alter:
    def alter(record: Any) -> None:
        dealt = record["dealt"]
        dealt[one], dealt[other] = dealt[other], dealt[one]

    return alter


def _twice(at: int) -> Alter:
    return lambda record: record["dealt"].insert(at, record["dealt"][at])


def _open_the_hole(record: Any) -> None:
    revealed = next(e for e in record["dealt"] if e["type"] == "shoe.hole_revealed.v1")
    record["dealt"][1]["cards"][5] = revealed["card"]


def _lie_about_the_look(record: Any) -> None:
    looked = next(e for e in record["dealt"] if e["type"] == "shoe.hole_looked.v1")
    looked["natural"] = not looked["natural"]


@pytest.mark.parametrize(
    "alter",
    [
        _drop("dealt", 0),
        _drop("dealt", 2),
        _drop("dealt", 1, "cards", 3),
        _swap(1, 2),
        _twice(1),
        _twice(3),
        _open_the_hole,
        _lie_about_the_look,
        _drop("shoe_cut", "shares", 1),
        _drop("shoe_cut", "shares", 0, "seed"),
        _drop("shoe_committed", "root"),
        lambda record: record.update(shoe_cut=None),
        lambda record: record.update(shoe_committed=None),
        lambda record: record.update(more=1),
        lambda record: record["dealt"][0].update(more=1),
        lambda record: record["dealt"].append(record["shoe_cut"]),
    ],
)
def test_a_record_with_something_missing_added_or_moved_is_refused(
    alter: Alter,
) -> None:
    """Checked on the whole shoe, where nothing may be left out but the end."""
    record = vector("retired")
    alter(record)
    with pytest.raises(Refused):
        verify_cards.check(record)


def test_f5_a_single_card_is_proved_without_the_rest_of_the_shoe() -> None:
    """In mid-shoe the commitment and one event are enough."""
    record = vector("in_play")
    record["shoe_cut"] = None
    record["dealt"] = record["dealt"][2:3]
    assert "1 shown cards proved" in verify_cards.check(record)


def test_an_unbroken_run_from_the_middle_is_checked_against_the_cut() -> None:
    """With the cut known, a later run of events must hold the cards due there."""
    record = vector("retired")
    record["retired"] = None
    record["dealt"] = record["dealt"][2:]
    assert "not retired yet" in verify_cards.check(record)
    _drop("dealt", 4)(record)
    with pytest.raises(Refused):
        verify_cards.check(record)


def test_f2_a_card_that_was_not_dealt_cannot_be_claimed() -> None:
    """The next card's leaf is in the tree, but nobody has its salt."""
    record = record_of(in_play().history)
    card = record["dealt"][1]["cards"][0]
    for rank in "A23456789TJQK":
        for suit in "cdhs":
            claimed = rank + suit
            if claimed != card["card"]:
                path = ("dealt", 1, "cards", 0, "card")
                assert not _accepts(changed(record, path, claimed))
