"""The whole way: launched, seated, a round played, its history, and a restart in it."""

from pathlib import Path

from house import House, house
from player import Player, connected


async def funded(the: House, player: str = "alice", operator: str = "acme") -> None:
    path = f"/operator/v1/players/{player}/deposits"
    asked = {"currency": "EUR", "amount_minor": 100_000}
    await the.ask("POST", path, asked, operator=operator)


async def seated(player: Player, table: str) -> None:
    await player.say(kind="watch", table=table)
    await player.until(lambda: table in player.tables)


async def test_a_player_plays_a_round(tmp_path: Path) -> None:
    """From the operator's launch to the round in the player's history."""
    async with house(tmp_path) as the, the.served() as address:
        await the.open_table("t1")
        await funded(the)
        token = await the.session()
        async with connected(address, token) as player:
            await seated(player, "t1")
            name = await player.play_round("t1")
            await player.until(lambda: player.round("t1")["round_id"] != name)
            balance = player.you["balance_minor"]
        me = (await the.play("GET", "/player/v1/me", token)).json()
        await the.settled()
        rounds = (await the.play("GET", "/player/v1/rounds", token)).json()["rounds"]
        told = (await the.play("GET", f"/player/v1/rounds/{name}", token)).json()
        listed = await the.ask("GET", "/operator/v1/rounds")

    assert me["balance_minor"] == balance
    assert [line["round_id"] for line in rounds] == [name]
    assert rounds[0]["seats"][0]["player"] == "alice"
    assert 100_000 + rounds[0]["seats"][0]["net_minor"] == balance
    assert told["view"]["status"] == "settled"
    assert told["seats"] == {"p1": "alice"}
    assert {line["label"] for line in told["view"]["lines"]} >= {"1.1", "1.2"}
    assert [line["round_id"] for line in listed["rounds"]] == [name]


async def test_a_round_goes_on_after_a_restart(tmp_path: Path) -> None:
    """Who was in a round finds it, and the seat, where they were."""
    async with house(tmp_path) as the, the.served() as address:
        await the.open_table("t1")
        await funded(the)
        token = await the.session()
        async with connected(address, token) as player:
            await seated(player, "t1")
            await player.bet("t1")
            place, before = player.places["t1"], player.round("t1")
            clock = the.clock
    async with house(tmp_path, clock) as the, the.served() as address:
        async with connected(address, token) as player:
            await player.say(kind="watch", table="t1", feed=place[0], seq=place[1])
            await player.until(lambda: "t1" in player.tables)
            after = player.round("t1")
            assert player.snapshots == ["unknown_feed"]
            assert player.you["seats"] == {before["round_id"]: "p1"}
            assert after["boxes"] == before["boxes"]
            await player.finish("t1")
            await the.settled()
        path = f"/player/v1/rounds/{before['round_id']}"
        told = (await the.play("GET", path, token)).json()

    assert told["view"]["status"] == "settled"
