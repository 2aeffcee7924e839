"""A round whose money an operator keeps is replayed and judged like any other."""

from pathlib import Path

import pytest

from push22.__main__ import run
from push22.casino import LOG_NAME
from push22.checkpoints.keys import SigningKeys
from push22.door.index import FileIndex
from push22.evidence import verify
from push22.evidence.pack import Asked, make_pack
from push22.inspect.reader import Reader
from runtime.ambient import SystemClock
from services.gateway.ports import Query
from tests.operator.conftest import an_operator, settings_for
from tests.operator.evening import Evening


async def test_a_round_at_an_operator_is_looked_at_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Balances are the operator's, calls have attempts, and nothing is odd (V5)."""
    with an_operator(folder) as (_, url):
        evening = Evening(folder / "casino", settings_for(url, 5000))
        await evening.open()
        await evening.begin()
        await evening.play(1)
        await evening.quiet()
        await evening.close()
    index = FileIndex(folder / "casino" / LOG_NAME)
    row = index.find(Query(status="settled")).rows[0]
    replay = index.viewer.replay(row.round_id)
    verdict = index.viewer.verdict(row.round_id)

    assert replay is not None
    assert verdict is not None
    assert verdict.verdict == "MATCH"
    assert replay.gaps == ()
    nets = {seat.player: seat.net_minor for seat in row.seats}
    for purse in replay.purses:
        assert purse.is_operators
        assert purse.net_minor == nets[purse.player]
        assert {call.kind for call in purse.calls} >= {"debit"}
        assert all(call.attempts for call in purse.calls)
        assert all(call.operator_transaction for call in purse.calls)
        assert purse.before_minor is not None
        assert (purse.other_minor, purse.owed_minor) == (0, 0)
        assert purse.after_minor == purse.before_minor + purse.net_minor
    assert any(step.operator_transactions for step in replay.steps)
    assert run(["replay", row.round_id, "--data", str(folder / "casino")]) == 0
    assert "executed again: MATCH" in capsys.readouterr().out
    pack = pack_of(folder / "casino", row.round_id)
    assert verify.judge(pack).is_right, verify.judge(pack).lines
    for purse in replay.purses:
        ends = purse.before_minor, purse.net_minor, 0, 0, purse.after_minor
        told = f"{purse.player},operator,{','.join(map(str, ends))}\n"
        assert told in pack["lines.csv"].decode()


def pack_of(data: Path, round_id: str) -> dict[str, bytes]:
    reader = Reader.open(data)
    try:
        made = make_pack(
            reader, Asked(round_id, "rita"), SigningKeys(data), SystemClock()
        )
    finally:
        reader.close()
    found: dict[str, bytes] = verify.unzipped(made.zip)
    return found
