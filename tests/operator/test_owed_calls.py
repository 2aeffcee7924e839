"""An operator who refuses what he owes: told, listed, mended, tried again."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from contracts.operator_wallet import Status
from contracts.wallet_calls import RetryCall
from push22.__main__ import run
from push22.casino import PLATFORM
from push22.operator.mock_server import MockOperator
from tests.operator.conftest import an_operator, settings_for
from tests.operator.evening import CURRENCY, Evening

MENDED = "DELETE FROM transactions WHERE kind = 'credit' AND status <> 'ok'"
"""A refusal is kept under its id: he takes it out with what was wrong."""

TOLD = "a call to an operator needs a person"


def refuse_credits(mock: MockOperator, patch: pytest.MonkeyPatch) -> None:
    """Let the operator say that every round is over for him."""
    usual = mock.books._refusal

    def refusal(kind: str, request: Any, refuse: str) -> Status:
        return Status.ROUND_CLOSED if kind == "credit" else usual(kind, request, refuse)

    patch.setattr(mock.books, "_refusal", refusal)


def listed(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[Any]]:
    """Return what `push22 calls` exits with and says."""
    capsys.readouterr()
    code = run(["calls", "--operator", "acme", "--json", "--data", str(folder)])
    lines = capsys.readouterr().out.splitlines()
    return code, [msgspec.json.decode(line) for line in lines]


async def test_a_refused_credit_is_told_listed_and_made_when_it_is_mended(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The player is paid in the end, and the books of both agree."""
    casino = folder / "casino"
    with an_operator(folder) as (mock, url):
        evening = Evening(casino, settings_for(url, 5000))
        await evening.open()
        await evening.begin()
        with monkeypatch.context() as patch, capture_logs() as said:
            refuse_credits(mock, patch)
            await evening.play(1)
            while not (alarmed := alarms(listed(casino, capsys)[1])):
                await evening.move()
            told = [x["call"] for x in said if x["event"] == TOLD]
            await evening.close()

        check_alarms(alarmed, told)
        code, calls = listed(casino, capsys)
        assert (code, bool(calls[0]["alarmed_at"])) == (1, True)
        for call, expected in ((alarmed[0]["call"], 0), ("no-such-call", 2)):
            words = ["calls", "retry", call, "--data", str(casino)]
            assert await asyncio.to_thread(run, words) == expected

        mock.books.sql.execute(MENDED)
        await evening.open()
        await evening.catch_up()
        await made_again(evening, alarms(listed(casino, capsys)[1]))
        await evening.quiet()
        await evening.close()
        statement = folder / "acme.jsonl"
        lines = map(msgspec.json.encode, mock.books.statement())
        statement.write_bytes(b"\n".join(lines))

    assert listed(casino, capsys) == (0, [])
    where = ("--data", str(casino))
    assert run(["audit", *where, "--statement", str(statement)]) == 0
    assert run(["verify", "--all", *where]) == 0


def check_alarms(alarmed: list[Any], told: list[str]) -> None:
    """Each is of a credit, and was told once."""
    assert {(x["kind"], x["reason"]) for x in alarmed} == {("credit", "round_closed")}
    assert all(x["amount_minor"] > 0 for x in alarmed)
    assert len(told) == len(set(told))
    assert {x["call"] for x in alarmed} <= set(told)


def alarms(calls: list[Any]) -> list[Any]:
    return [call for call in calls if call["alarmed_at"]]


async def made_again(evening: Evening, calls: list[Any]) -> None:
    """Have each call made now; one that was made meanwhile is not owed any more."""
    for call in calls:
        command = RetryCall(call["player"], CURRENCY, call["call"])
        answer = await evening.follower.send(command, PLATFORM)
        assert answer.accepted or answer.reason == "call_not_owed"
