"""A house that puts a seed of its own in a player's place chooses the cut."""

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest

import services.table_orchestrator.follow as table
from contracts import table as t
from contracts import wallet as w
from contracts.envelope import Actor
from contracts.shoe import SeedShare
from push22.__main__ import run
from push22.casino import PLATFORM
from push22.evidence import verify
from tests.desk.asking import done
from tests.gateway.house import house

ALICE = "acme.alice"
ROUND = "round-t1-1"
SEED = b"alice's own seed, 32 bytes long."
OWN = b"what the house picked"


def own(box: int, seed_hash: bytes, seed: bytes) -> SeedShare:
    del seed_hash, seed
    return SeedShare(box, hashlib.sha256(OWN).digest(), OWN)


def shut(box: int, seed_hash: bytes, seed: bytes) -> SeedShare:
    del seed
    return SeedShare(box, seed_hash)


def moved(box: int, seed_hash: bytes, seed: bytes) -> SeedShare:
    return SeedShare(box + 1, seed_hash, seed)


async def played(data: Path) -> None:
    """Alice bets with a seed, opens it, and lets every clock run out."""
    async with house(data) as the:
        alice = Actor("player", ALICE)
        await the.open_table("t1")
        await done(the, w.Deposit(ALICE, "EUR", 100_000), PLATFORM)
        fixed = hashlib.sha256(SEED).digest()
        bet = t.PlaceBet(ROUND, 1, (1000, 1000), seed_hash=fixed)
        for command in (bet, t.StartDealing(ROUND), t.OpenSeed(ROUND, 1, SEED)):
            await done(the, command, alice)
        for _ in range(40):
            the.clock.advance(seconds=31)
            await the.settled()


def judged(data: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    pack = data / "pack.zip"
    run(["evidence", ROUND, "--data", str(data), "-o", str(pack)])
    capsys.readouterr()
    code = verify.main([str(pack)])
    (said,) = re.findall(
        r"^(?:ok|WRONG) +cards .*$", capsys.readouterr().out, re.MULTILINE
    )
    return code, said


async def test_the_seeds_that_the_players_gave_are_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was bet with and opened is what cut the shoe."""
    await played(tmp_path)
    code, said = judged(tmp_path, capsys)
    assert (code, said.split()[0]) == (0, "ok")


@pytest.mark.parametrize(
    ("forge", "why"),
    [
        (own, "another seed's hash than was bet with"),
        (moved, "another seed's hash than was bet with"),
        (shut, "another seed than was opened"),
    ],
)
async def test_a_seed_in_a_players_place_is_found(
    forge: Any,
    why: str,
    tmp_path: Path,
    *,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The maker's own verdict is a line that a dishonest maker writes as he likes."""
    monkeypatch.setattr(table, "SeedShare", forge)
    await played(tmp_path)
    monkeypatch.undo()
    code, said = judged(tmp_path, capsys)
    assert code == 1
    assert why in said
