"""A pack of a round that was put right afterwards: the correction is no winnings."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from push22.checkpoints.keys import PUBLIC_NAME
from push22.evidence import verify
from tests.desk.asking import ROUND, a_case, a_house, correction, get, post
from tests.gateway.house import House

Record = dict[str, Any]


async def files_of(the: House, amount_minor: int) -> dict[str, bytes]:
    """Correct the round by two people; return its pack's files."""
    case = await a_case(the)
    await post(the, f"/cases/{case}/corrections", correction(amount_minor))
    await post(the, f"/cases/{case}/proposals/1/approve", {}, who="adam")
    await the.settled()
    answer = await get(the, f"/rounds/{ROUND}/evidence", "rita")
    assert answer.status_code == 200, answer.text
    return verify.unzipped(answer.content)


@pytest.mark.parametrize("amount_minor", [2500, -1000])
async def test_a_corrected_rounds_pack_is_right(
    amount_minor: int, tmp_path: Path
) -> None:
    """Paid or taken back, it is told apart from what the round settled."""
    async with a_house(tmp_path) as the:
        files = await files_of(the, amount_minor)

    keys = verify.read_keys((tmp_path / PUBLIC_NAME).read_bytes(), "keys")
    lines = verify.judge(files, keys).lines
    assert lines[-1] == "RIGHT"
    assert any("1 correction was approved" in str(line) for line in lines)


def nobody_else(order: Record) -> None:
    order["approved_by"] = order["proposed_by"]


def oneself_spelled_otherwise(order: Record) -> None:
    order["proposed_by"], order["approved_by"] = (
        "Rita Stra\N{LATIN SMALL LETTER SHARP S}e",
        "RITA STRASSE",
    )


def too_much_alone(order: Record) -> None:
    order["approved_by"] = order["proposed_by"]
    order["is_alone"], order["threshold_minor"] = True, 2499


def another_amount(order: Record) -> None:
    order["amount_minor"] = 2400


def another_player(order: Record) -> None:
    order["player"] = "acme.bob"


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (nobody_else, "no second person"),
        (oneself_spelled_otherwise, "no second person"),
        (too_much_alone, "no second person"),
        (another_amount, "not what was approved"),
        (another_player, "nobody approved it"),
    ],
)
async def test_a_correction_that_nobody_approved_is_wrong(
    spoil: Callable[[Record], None], words: str, tmp_path: Path
) -> None:
    """The verifier looks at the approval by itself, whoever signed the pack."""
    async with a_house(tmp_path) as the:
        files = await files_of(the, 2500)
    pack = verify.Pack(files, None)
    for _, check in (*verify.FIRST, *verify.CHECKS):
        check(pack)
    (order,) = pack.of("desk.proposal_approved")
    spoil(order.data)

    with pytest.raises(verify.Wrong, match=words):
        verify.check_corrections(pack)
