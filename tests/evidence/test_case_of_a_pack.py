"""A pack that `push22 evidence` makes is for the round's case, if there is one."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from contracts.identities import round_of_case
from push22.__main__ import run
from push22.evidence import verify
from push22.inspect.cases import cases_of
from push22.inspect.reader import Reader
from tests.desk.desk_house import (
    ALICE,
    CASE,
    OPEN,
    RITA,
    ROUND,
    an_ambient,
    ask,
    opened,
    play_one,
)

Told = pytest.CaptureFixture[str]
ANOTHER, OF_BOB, OF_NOBODY = "t1-1-aa00", "t1-1-b0b", "t1-1-0000"
OTHER = "t1-12-ab12"
BOB = "local.bob"


async def tell(data: Path, *cases: tuple[str, str]) -> None:
    """Play a round and open cases about it, each about somebody."""
    casino = await opened(data, an_ambient())
    await play_one(casino)
    for case, player in cases:
        about = round_of_case(case)
        command = replace(OPEN, case=case, round_id=about, player=player)
        answer = await ask(casino, command, RITA)
        assert answer.accepted, answer
    await casino.close()


def made(data: Path, *options: str) -> tuple[int, str]:
    """Make a pack; return the exit code, and the case that it says it is for."""
    out = data / "pack.zip"
    code = run(["evidence", ROUND, "-o", str(out), "--data", str(data), *options])
    if not out.exists():
        return code, ""
    manifest = verify.unzipped(out.read_bytes())["manifest.json"]
    return code, verify.read_json(manifest, "manifest.json")["case"]


@pytest.mark.parametrize(
    ("options", "case"), [((), CASE), (("--case", ""), ""), (("--case", "C-1"), "C-1")]
)
def test_the_only_case_is_taken_unless_another_is_named(
    options: tuple[str, ...], case: str, tmp_path: Path, capsys: Told
) -> None:
    """The line that says what was written names it."""
    asyncio.run(tell(tmp_path, (CASE, ALICE)))

    assert made(tmp_path, *options) == (0, case)
    end = f"MATCH, for case {case}\n" if case else "MATCH\n"
    assert capsys.readouterr().out.endswith(end)


def test_of_several_none_is_guessed(tmp_path: Path, capsys: Told) -> None:
    """They are named, in the order of their opening, and how to choose."""
    asyncio.run(tell(tmp_path, (CASE, ALICE), (ANOTHER, ALICE)))

    assert made(tmp_path) == (2, "")
    assert capsys.readouterr().err == (
        f"push22: {ROUND}: there are several cases about it: {CASE}, {ANOTHER}; "
        "name one by --case, or none by --case ''\n"
    )
    assert made(tmp_path, "--case", ANOTHER) == (0, ANOTHER)


def test_a_players_pack_is_for_no_case_about_others(tmp_path: Path) -> None:
    """Whose name is hidden is not told by a case's either."""
    asyncio.run(tell(tmp_path, (CASE, ALICE), (OF_BOB, BOB)))

    assert made(tmp_path, "--player", ALICE) == (0, CASE)


def test_a_round_without_a_case_has_a_pack(tmp_path: Path) -> None:
    """As before there were cases."""
    asyncio.run(tell(tmp_path))

    assert made(tmp_path) == (0, "")


def test_cases_of_a_round_are_no_others(tmp_path: Path) -> None:
    """Not those of a round whose number begins so."""
    asyncio.run(tell(tmp_path, (CASE, ALICE), (OF_NOBODY, ""), (OTHER, ALICE)))
    reader = Reader.open(tmp_path)
    found = [cases_of(reader, ROUND), cases_of(reader, ROUND, BOB)]
    others = [cases_of(reader, name) for name in ("round-t1-12", "round-t1", "x")]
    reader.close()

    assert found == [[CASE, OF_NOBODY], [OF_NOBODY]]
    assert others == [[OTHER], [], []]
