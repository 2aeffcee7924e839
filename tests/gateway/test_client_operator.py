"""The operator's and support's clients at the real door: every call, and its answer."""

from pathlib import Path

import pytest
from house import KEYS, House, house
from test_client_live import QUICK, at_door, player

from push22.client import (
    Bet,
    Key,
    Limits,
    OperatorClient,
    PlayerClient,
    Refused,
    SupportClient,
    Timings,
)
from push22.door_bot import DoorBot, Stakes

DAY_US = 24 * 3600 * 1_000_000


def clock(the: House) -> float:
    return the.clock.now() / 1_000_000


async def test_an_operator_runs_its_tables(tmp_path: Path) -> None:
    """Opened, listed, looked at, changed and closed."""
    async with house(tmp_path) as the, at_door(the) as (operator, _):
        opened = await operator.open_table(
            "t2",
            "lv-6d",
            "EUR",
            limits=Limits(2000, 90_000, 500),
            timings=Timings(betting_ms=5000),
            key="open-t2-1",
        )
        again = await operator.open_table(
            "t2",
            "lv-6d",
            "EUR",
            limits=Limits(2000, 90_000, 500),
            timings=Timings(betting_ms=5000),
            key="open-t2-1",
        )
        with pytest.raises(Refused) as refused:
            await operator.open_table("t2", "lv-6d", "EUR")
        changed = await operator.change_limits("t2", Limits(3000, 90_000, 500))
        await the.settled()
        lines = {line.table: line for line in await operator.tables()}
        state = await operator.table("t2")
        closed = await operator.close_table("t2", "the end of the day")
        await the.settled()
        after = await operator.table("t2")

    assert opened == again
    assert opened.id == "open-t2-1"
    assert refused.value.reason == "table_exists"
    assert changed.stream == closed.stream == opened.stream == "table-t2"
    assert lines["t2"].is_own
    assert lines["t2"].limits.min_minor == 3000
    assert state.view.timings.betting_ms == 5000
    assert (state.view.status, after.view.status) == ("open", "closed")


async def test_money_rounds_and_reports(tmp_path: Path) -> None:
    """What was played is listed, told, added up and paid out."""
    async with house(tmp_path) as the, at_door(the) as (operator, address):
        began = the.clock.now()
        async with await player(operator, address) as alice, alice.live(QUICK) as live:
            played = [await DoorBot(live, "t1", Stakes()).play() for _ in range(3)]
            seen = live.tables["t1"].view.round
            assert seen is not None
            await alice.order(Bet(seen.round_id, 1, (1000, 1000)))
            await the.settled()
        voided = await operator.void(seen.round_id, "the dealer was taken ill")
        await the.settled()
        found = {x.round_id: x async for x in operator.rounds(page=2)}
        only = [x async for x in operator.rounds(status="void")]
        told = await operator.round(played[0])
        report = await operator.report(began, began + DAY_US, "table")
        csv = await operator.report_csv(0, began + DAY_US)
        balance = await operator.balance("alice", "EUR")
        out = await operator.withdraw(
            "alice", "EUR", balance.balance_minor, reference="payout-7"
        )
        await the.settled()
        empty = await operator.balance("alice", "EUR")
        with pytest.raises(Refused) as refused:
            await operator.withdraw("alice", "EUR", 1)

    assert set(found) == {*played, seen.round_id}
    assert [x.round_id for x in only] == [seen.round_id]
    assert voided.stream == seen.round_id
    assert told.seats == {"p1": "alice"}
    assert report.rows[0].rounds == 4
    assert report.rows[0].void_rounds == 1
    assert balance.balance_minor == 100_000 + report.rows[0].net_minor
    assert csv.splitlines()[0] == "operator,acme"
    assert out.accepted
    assert empty.balance_minor == 0
    assert refused.value.reason == "insufficient_funds"


async def test_support_finds_reads_and_voids(tmp_path: Path) -> None:
    """As far as the role of its token goes."""
    async with house(tmp_path) as the, at_door(the) as (operator, address):
        async with await player(operator, address) as alice, alice.live(QUICK) as live:
            seen = await live.watch("t1")
            assert seen.view.round is not None
            name = seen.view.round.round_id
            await live.order(Bet(name, 1, (1000, 1000)))
            await the.settled()
        async with SupportClient(address, the.support("admin")) as support:
            found = [x async for x in support.rounds(player="acme.alice")]
            records = await support.records(name)
            case = await support.void(name, "a complaint was right", key="void-0001")
            waiting = [x.case async for x in support.cases(round_id=name)]
            with pytest.raises(Refused) as alone:
                await support.approve(case.case, 1)
        async with SupportClient(address, the.support("admin", "dave")) as second:
            done = await second.approve(case.case, 1, key="approve-1")
            await the.settled()
        async with SupportClient(address, the.support("admin")) as support:
            after = await support.records(name)
            operators = await support.operators()
        async with SupportClient(address, the.support("viewer")) as viewer:
            with pytest.raises(Refused) as refused:
                await viewer.void(name, "no")

    assert [x.round_id for x in found] == [name]
    assert found[0].seats[0].player == "acme.alice"
    assert "table.round_opened.v1" in {record.type for record in records}
    assert "table.round_voided.v1" in {record.type for record in after}
    assert [x.operator for x in operators] == ["acme", "rival"]
    assert refused.value.problem.status == 403
    assert waiting == [case.case]
    assert alone.value.problem.reason == "self_approval"
    assert done.proposals[0].decided_by == "dave"


async def test_a_name_cannot_lead_elsewhere(tmp_path: Path) -> None:
    """A slash in a name is part of the name: the door refuses it."""
    async with house(tmp_path) as the, at_door(the) as (operator, _):
        with pytest.raises(Refused) as refused:
            await operator.balance("alice/../bob", "EUR")
        with pytest.raises(Refused) as table:
            await operator.table("t1?x=1")

    assert refused.value.problem.status in (400, 404)
    assert table.value.problem.status in (400, 404)


async def test_a_wrong_key_and_a_used_launch_are_told(tmp_path: Path) -> None:
    """Both are `401`, with a reason of their own."""
    async with house(tmp_path) as the, at_door(the) as (operator, address):
        async with OperatorClient(
            address, Key("acme.k1", KEYS["k2"]), clock=lambda: clock(the)
        ) as wrong:
            with pytest.raises(Refused) as unknown:
                await wrong.tables()
        async with OperatorClient(address, Key("acme.k1", KEYS["k1"])) as late:
            with pytest.raises(Refused) as skewed:
                await late.tables()
        launch = await operator.launch("alice", "EUR", "t1")
        alice = await PlayerClient.launched(address, launch.launch_token)
        with pytest.raises(Refused) as used:
            await PlayerClient.launched(address, launch.launch_token)
        rules = await alice.rules("t1")
        lobby = await alice.tables()
        await alice.close()

    assert unknown.value.problem.status == 401
    assert skewed.value.reason == "clock_skew"
    assert used.value.reason == "launch_used"
    assert alice.session.table == "t1"
    assert (rules.rule_set, rules.wagers) == ("ny-switch-6d", 2)
    assert [line.table for line in lobby] == ["t1"]
