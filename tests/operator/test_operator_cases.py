"""Corrections of an operator's player: asked of him, or owed to him, and told."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from contracts import desk as d
from contracts.envelope import Actor
from contracts.identities import case_stream
from contracts.wallet_calls import OpenSession
from push22.casino import PLATFORM, Casino
from push22.commands.audit import audited
from push22.inspect.parallel import verify_all
from push22.inspect.reader import Reader
from push22.operator.mock_faults import Rates
from tests.operator.conftest import (
    OPENING_MINOR,
    PLAYER,
    an_operator,
    settings_for,
)

CASE = "t1-1-ab12"
RITA, ADAM = Actor("support", "rita"), Actor("support", "adam")
ROLE = d.Role.RESOLVER


async def ask(casino: Casino, command: Any, by: Actor) -> None:
    answer = await casino.host.submit(casino.envelope(command, by))
    assert answer.accepted, answer


async def known(casino: Casino) -> None:
    """Wait until the operator has told who the player is."""
    for _ in range(4000):
        await casino.host.settle()
        wallet = await casino.host.state("wallet", f"wallet-{PLAYER}.EUR")
        if wallet.operator.session:
            return
        await asyncio.sleep(0.005)
    raise AssertionError("no session")


async def correct(casino: Casino, number: int, amount_minor: int) -> str:
    """Decide a correction by two people; return how it stands in the end."""
    facts = (CASE, PLAYER, "EUR", amount_minor, "dealt twice", 0, ROLE)
    await ask(casino, d.ProposeCorrection(*facts), RITA)
    await ask(casino, d.ApproveProposal(CASE, number, ROLE), ADAM)
    for _ in range(4000):
        await casino.host.settle()
        state = await casino.host.state("desk", case_stream(CASE))
        wallet = await casino.host.state("wallet", f"wallet-{PLAYER}.EUR")
        standing = state.proposals[number - 1].standing
        if standing != "approved" and not wallet.operator.calls:
            return str(standing)
        await asyncio.sleep(0.005)
    raise AssertionError(f"proposal {number} has no end")


@pytest.mark.parametrize(
    "rates",
    [Rates(), Rates(lost=200, unheard=200, error_after=100)],
    ids=["calm", "faulty"],
)
async def test_an_operator_is_asked_and_paid_as_the_cases_say(
    rates: Rates, tmp_path: Path
) -> None:
    """Whatever happens on the way, both books hold each correction once."""
    data = tmp_path / "data"
    with an_operator(tmp_path, rates=rates) as (mock, url):
        casino = await Casino.open(data, operators=settings_for(url))
        session = OpenSession(PLAYER, "EUR", f"token:{PLAYER}")
        await ask(casino, session, PLATFORM)
        await known(casino)
        opened = d.OpenCase(CASE, "round-t1-1", "alice's double", ROLE)
        await ask(casino, opened, RITA)
        due = OPENING_MINOR
        for number, amount in enumerate((2500, -1000, -10 * OPENING_MINOR), start=1):
            standing = await correct(casino, number, amount)
            due += amount if standing == "done" else 0
        stands = (await casino.host.state("desk", case_stream(CASE))).proposals
        await casino.close()
        his = mock.books.balances()

    assert stands[0].standing == "done", "what is owed to a player is owed for ever"
    assert stands[2].standing == "failed"
    assert his[f"player:{PLAYER}:EUR"] == due
    reader = Reader.open(data)
    assert audited(reader, lambda _: None).finish() == ()
    assert verify_all(reader, lambda _: None).is_match
    reader.close()
