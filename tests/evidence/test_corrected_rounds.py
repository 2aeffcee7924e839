"""A pack of a round that a case put right is right, and says what was put right."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from played_rounds import keys_of, pack_of
from spoiling import failed, private_key, signed_again, with_record

from contracts import wallet as w
from push22.casino import PLATFORM
from push22.evidence import verify
from tests.desk.desk_house import (
    ADAM,
    ALICE,
    APPROVE,
    CORRECT,
    OPEN,
    RITA,
    ROUND,
    an_ambient,
    ask,
    opened,
    play_one,
)

BOB = "local.bob"
DEPOSIT = (w.Deposit(BOB, "EUR", 1_000), PLATFORM)


def decided(*corrections: Any) -> list[tuple[Any, Any]]:
    """Open the case, then propose and approve each correction."""
    steps: list[tuple[Any, Any]] = [(OPEN, RITA)]
    for number, correction in enumerate(corrections, start=1):
        steps += [(correction, RITA), (replace(APPROVE, proposal=number), ADAM)]
    return steps


async def tell(data: Path, steps: list[tuple[Any, Any]]) -> None:
    casino = await opened(data, an_ambient())
    await play_one(casino)
    for command, by in steps:
        answer = await ask(casino, command, by)
        assert answer.accepted, answer
    await casino.close()


@pytest.mark.parametrize("player", ["", ALICE])
@pytest.mark.parametrize(
    "steps",
    [
        decided(CORRECT),
        decided(replace(CORRECT, amount_minor=-100)),
        decided(CORRECT, replace(CORRECT, amount_minor=-700)),
        decided(replace(CORRECT, amount_minor=-(10**12))),
        [DEPOSIT, *decided(replace(CORRECT, player=BOB))],
        [(OPEN, RITA), (CORRECT, RITA)],
    ],
    ids=["paid", "taken back", "twice", "refused", "a stranger", "proposed"],
)
def test_a_corrected_round_has_a_right_pack(
    steps: list[tuple[Any, Any]], player: str, tmp_path: Path
) -> None:
    """Money that a case moved is no part of the game, and yet accounted for."""
    asyncio.run(tell(tmp_path, steps))
    made = pack_of(tmp_path, ROUND, player=player)
    verdict = verify.judge_zip(made.zip, keys_of(tmp_path))
    assert verdict.is_right, verdict.lines


OF_BOB = b'"role":"resolver","player":"local.bob"}'


@pytest.fixture(scope="module")
def corrected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("corrected")
    asyncio.run(tell(data, decided(CORRECT)))
    return data


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"kind":"correction"', b'"kind":"void"'),
        (b'"amount_minor":2500,"reason"', b'"amount_minor":2400,"reason"'),
        (b'"role":"resolver","player":"local.alice"}', OF_BOB),
        (b'"id":"correction:t1-1-ab12:1"', b'"id":"correction:t1-1-ab12:2"'),
    ],
)
def test_a_correction_that_nobody_approved_so_is_wrong(
    old: bytes, new: bytes, corrected: Path
) -> None:
    """Even where the casino itself signed it."""
    files = verify.unzipped(pack_of(corrected, ROUND).zip)
    forged = signed_again(with_record(files, old, new), private_key(corrected))
    assert "money" in failed(verify.judge(forged, keys_of(corrected)))


def test_a_players_pack_says_nothing_of_anothers_case(tmp_path: Path) -> None:
    """Words of a case may name whom they like: Bob's are not for Alice to read."""
    told = replace(CORRECT, player=BOB, reason="bob's card was misread")
    asyncio.run(tell(tmp_path, [DEPOSIT, *decided(told)]))
    files = verify.unzipped(pack_of(tmp_path, ROUND, player=ALICE).zip)
    assert "bob" not in files["records.jsonl"].decode() + files["masked.jsonl"].decode()
    for name in ("history.txt", "timeline.csv", "lines.csv", "record.json"):
        assert b"bob" not in files[name]
    whole = verify.unzipped(pack_of(tmp_path, ROUND).zip)
    assert b"bob's card" in whole["records.jsonl"]
