"""The client at the real door: a round played, lost connections, and who may not in."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from house import KEYS, House, house

from push22.client import (
    Accepted,
    Act,
    Bet,
    Ended,
    Key,
    Live,
    OperatorClient,
    Patience,
    PlayerClient,
    Problem,
    Ready,
    Refused,
    Retries,
    Withdraw,
)
from push22.door_bot import CannotPlay, DoorBot, Stakes
from services.gateway.rates import Buckets, Rate

RULES = "ny-switch-6d"
QUICK = Patience(
    hello_s=20, answer_s=60, lost_s=60, again=Retries(first_s=0.01, most_s=0.05)
)


def address_of(socket: str) -> str:
    return "http://" + socket.removeprefix("ws://").partition("/")[0]


@contextlib.asynccontextmanager
async def at_door(
    the: House, funds_minor: int = 100_000
) -> AsyncIterator[tuple[OperatorClient, str]]:
    """Serve a house with a table, `alice` with money, and its operator's client."""
    unbound = Buckets(Rate(10**6, 10**6))
    the.door.players = the.door.operators = the.door.addresses = unbound
    async with the.served() as socket:
        address = address_of(socket)
        key = Key("acme.k1", KEYS["k1"])
        async with OperatorClient(
            address, key, clock=lambda: the.clock.now() / 1_000_000
        ) as operator:
            await operator.open_table("t1", RULES, "EUR")
            await operator.deposit("alice", "EUR", funds_minor)
            await the.settled()
            yield operator, address


async def player(
    operator: OperatorClient, address: str, name: str = "alice", table: str = ""
) -> PlayerClient:
    launch = await operator.launch(name, "EUR", table)
    return await PlayerClient.launched(address, launch.launch_token)


@contextlib.asynccontextmanager
async def alice_live(
    at: tuple[OperatorClient, str],
) -> AsyncIterator[tuple[PlayerClient, Live]]:
    """Launch `alice` and open a live session."""
    async with await player(*at) as alice, alice.live(QUICK) as live:
        yield alice, live


def cut(live: Live) -> None:
    """Break the connection as a network does."""
    socket = live._line._socket
    assert socket is not None
    socket.transport.abort()


async def test_the_bot_plays_through_the_door(tmp_path: Path) -> None:
    """Rounds by basic strategy; the door, the operator and the player agree."""
    async with (
        house(tmp_path) as the,
        at_door(the) as at,
        alice_live(at) as (alice, live),
    ):
        bot = DoorBot(live, "t1", Stakes(side_minor=100))
        played = [await bot.play() for _ in range(12)]
        closed = live.tables["t1"].closed
        await the.settled()
        me = await alice.me()
        history = [line.round_id async for line in alice.rounds(page=5)]
        told = await alice.round(played[0])
        proof = await alice.proof(played[0])
        lines = {x.round_id: x async for x in at[0].rounds(page=5)}
        balance = await at[0].balance("alice", "EUR")

    assert len(set(played)) == 12
    assert sorted(history, key=number) == sorted(played, key=number)
    assert closed is not None
    assert closed.round_id == played[-1]
    assert closed.net_minor("p1") == lines[played[-1]].seats[0].net_minor
    assert me.balance_minor == balance.balance_minor == live.you.balance_minor
    nets = [line.seats[0].net_minor for line in lines.values()]
    assert balance.balance_minor == 100_000 + sum(nets)
    assert told.view.status == "settled"
    assert proof["format"] == "push22-shoe-record-v1"


def number(round_id: str) -> int:
    return int(round_id.rpartition("-")[2])


async def test_a_cut_connection_is_made_again_in_mid_round(tmp_path: Path) -> None:
    """After each order the line breaks; the round is played to its end all the same."""
    async with (
        house(tmp_path) as the,
        at_door(the) as at,
        alice_live(at) as (alice, live),
    ):
        bot = DoorBot(live, "t1", Stakes())
        cuts = 0
        playing = asyncio.create_task(bot.play())
        orders = 0
        while not playing.done():
            await asyncio.sleep(0.005)
            if bot.orders > orders and live._line._socket is not None:
                orders, cuts = bot.orders, cuts + 1
                cut(live)
        await playing
        await the.settled()
        fresh = await alice.table("t1")
        await live.until(lambda: live.tables["t1"].seq >= fresh.seq)
        view = live.tables["t1"].view
        balance = await at[0].balance("alice", "EUR")
        bets = [
            record
            for record in await the.casino.host.bus.log(
                "table-orchestrator"
            ).read_stream("round-t1-1", 0)
            if record.type == "table.wagers_placed.v1"
        ]

    assert cuts >= 3
    assert live.connections == cuts + 1
    assert view == fresh.view
    assert live.you.balance_minor == balance.balance_minor
    assert len(bets) == 1


async def test_an_order_sent_into_a_broken_line_is_answered(tmp_path: Path) -> None:
    """What was not heard, or whose answer was not, is said again under its id."""
    async with (
        house(tmp_path) as the,
        at_door(the) as at,
        alice_live(at) as (alice, live),
    ):
        seen = await live.watch("t1")
        assert seen.view.round is not None
        name = seen.view.round.round_id
        ordering = asyncio.create_task(
            live.order(Bet(name, 1, (1000, 1000)), key="bet-0001")
        )
        await asyncio.sleep(0)
        cut(live)
        answer = await ordering
        again = await live.order(Bet(name, 1, (1000, 1000)), key="bet-0001")
        over_http = await alice.order(Bet(name, 1, (1000, 1000)), key="bet-0001")

    assert isinstance(answer, Accepted)
    assert answer == again == over_http


async def test_a_refusal_is_a_value_with_its_reason(tmp_path: Path) -> None:
    """Live as a value, over HTTP as an exception that holds the same one."""
    async with (
        house(tmp_path) as the,
        at_door(the) as at,
        alice_live(at) as (alice, live),
    ):
        seen = await live.watch("t1")
        assert seen.view.round is not None
        name = seen.view.round.round_id
        early = await live.order(Ready(name))
        missing = await live.order(Act("round-t9-1", "hit", "1.1"))
        bad = await live.order(Act(name, "fly", "1.1"))
        with pytest.raises(Refused) as refused:
            await alice.order(Ready(name))
        await live.order(Bet(name, 1, (1000, 1000)))
        stale = await live.order(Act(name, "hit", "1.1", expected_version=1))
        taken_back = await live.order(Withdraw(name, 1))

    assert early == refused.value.problem == Problem("no_bet", 409)
    assert isinstance(missing, Problem)
    assert (missing.reason, missing.status) == ("not_found", 404)
    assert isinstance(bad, Problem)
    assert (bad.reason, bad.status) == ("malformed", 400)
    assert isinstance(stale, Problem)
    assert stale.reason == "stale_version"
    assert isinstance(taken_back, Accepted)


async def test_a_table_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """Watching it says so, and the session goes on."""
    async with (
        house(tmp_path) as the,
        at_door(the) as at,
        alice_live(at) as (_, live),
    ):
        with pytest.raises(Refused) as refused:
            await live.watch("t9")
        await live.watch("t1")
        await live.unwatch("t1")
        watched = dict(live.tables)

    assert refused.value.reason == "not_found"
    assert watched == {}


async def test_a_newer_connection_ends_the_older_session(tmp_path: Path) -> None:
    """Two of one player would take turns for ever: the older one gives in."""
    async with (
        house(tmp_path) as the,
        at_door(the) as at,
        alice_live(at) as (alice, live),
        alice.live(QUICK) as newer,
    ):
        with pytest.raises(Ended, match="newer"):
            await live.until(lambda: None)
        with pytest.raises(Ended, match="newer"):
            await live.order(Ready("round-t1-1"))
        await newer.watch("t1")


async def test_a_bad_session_does_not_knock_for_ever(tmp_path: Path) -> None:
    """The door says that the token is no good, and that is the end."""
    async with house(tmp_path) as the, at_door(the) as (operator, address):
        alice = await player(operator, address)
        live = Live(address.replace("http", "ws") + "/player/v1/socket", "a.b.c", QUICK)
        with pytest.raises(Ended, match="not valid"):
            async with live:
                pass
        await alice.close()

    assert live.connections == 0


async def test_a_flood_of_orders_is_slowed_and_answered(tmp_path: Path) -> None:
    """Each order that came too fast is said again when the door takes more."""
    async with (
        house(tmp_path) as the,
        at_door(the) as at,
        alice_live(at) as (_, live),
    ):
        the.door.players = Buckets(Rate(10, 10))
        ordering = [
            asyncio.create_task(live.order(Act("round-t9-1", "hit", "1.1")))
            for _ in range(30)
        ]
        while not all(task.done() for task in ordering):
            await asyncio.sleep(0.05)
            the.clock.advance(seconds=0.2)
        answers = [task.result() for task in ordering]

    assert [x.reason for x in answers if isinstance(x, Problem)] == ["not_found"] * 30


async def test_a_bot_without_money_says_so(tmp_path: Path) -> None:
    """The wallet's refusal ends its play, with the reason."""
    async with (
        house(tmp_path) as the,
        at_door(the, 500) as at,
        alice_live(at) as (_, live),
    ):
        with pytest.raises(CannotPlay, match="insufficient_funds"):
            await DoorBot(live, "t1", Stakes()).play()


async def test_many_play_at_one_table_in_one_process(tmp_path: Path) -> None:
    """Bots that find one another's boxes taken sit down beside them."""
    names = ("alice", "bob", "carol")
    async with house(tmp_path) as the, at_door(the) as (operator, address):
        for name in names[1:]:
            await operator.deposit(name, "EUR", 100_000)
        async with contextlib.AsyncExitStack() as stack:
            bots = []
            for name in names:
                client = await player(operator, address, name)
                live = await stack.enter_async_context(client.live(QUICK))
                stack.push_async_callback(client.close)
                bots.append(DoorBot(live, "t1", Stakes()))

            async def evening(bot: DoorBot) -> list[str]:
                return [await bot.play() for _ in range(3)]

            stepping = asyncio.create_task(ticking(the))
            played = await asyncio.gather(*map(evening, bots))
            stepping.cancel()

    assert [len(rounds) for rounds in played] == [3, 3, 3]


async def ticking(the: House) -> None:
    """Let the table's clocks run: who has left would be waited for."""
    while True:
        await asyncio.sleep(0.05)
        the.clock.advance(seconds=0.5)
