"""The whole way: launched, seated, a round played, its history, and a restart in it."""

from pathlib import Path

from house import House, house
from player import Player, connected
from test_client_live import QUICK, at_door, player

from push22.door_bot import DoorBot, Stakes


async def funded(the: House, player: str = "alice", operator: str = "acme") -> None:
    path = f"/operator/v1/players/{player}/deposits"
    asked = {"currency": "EUR", "amount_minor": 100_000}
    await the.ask("POST", path, asked, operator=operator)


async def seated(alice: Player, table: str) -> None:
    await alice.say(kind="watch", table=table)
    await alice.until(lambda: table in alice.tables)


async def test_a_player_plays_a_round(tmp_path: Path) -> None:
    """From the operator's launch to the round in the player's history."""
    async with house(tmp_path) as the, at_door(the) as at:
        async with await player(*at) as alice, alice.live(QUICK) as live:
            name = await DoorBot(live, "t1", Stakes()).play()
            balance = live.you.balance_minor
            await the.settled()
            me = await alice.me()
            rounds = [line async for line in alice.rounds()]
            told = await alice.round(name)
        listed = [line.round_id async for line in at[0].rounds()]

    assert me.balance_minor == balance
    assert [line.round_id for line in rounds] == listed == [name]
    assert rounds[0].seats[0].player == "alice"
    assert 100_000 + rounds[0].seats[0].net_minor == balance
    assert told.view.status == "settled"
    assert told.seats == {"p1": "alice"}
    assert {line.label for line in told.view.lines} >= {"1.1", "1.2"}


async def test_a_round_goes_on_after_a_restart(tmp_path: Path) -> None:
    """Who was in a round finds it, and the seat, where they were."""
    async with house(tmp_path) as the, the.served() as address:
        await the.open_table("t1")
        await funded(the)
        token = await the.session()
        async with connected(address, token) as alice:
            await seated(alice, "t1")
            await alice.bet("t1")
            place, before = alice.places["t1"], alice.round("t1")
            clock = the.clock
    async with house(tmp_path, clock) as the, the.served() as address:
        async with connected(address, token) as alice:
            await alice.say(kind="watch", table="t1", feed=place[0], seq=place[1])
            await alice.until(lambda: "t1" in alice.tables)
            after = alice.round("t1")
            assert alice.snapshots == ["unknown_feed"]
            assert alice.you["seats"] == {before["round_id"]: "p1"}
            assert after["boxes"] == before["boxes"]
            await alice.finish("t1")
            await the.settled()
        path = f"/player/v1/rounds/{before['round_id']}"
        told = (await the.play("GET", path, token)).json()

    assert told["view"]["status"] == "settled"
