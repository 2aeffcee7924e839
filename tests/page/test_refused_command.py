"""A refused command moves a round's version on: nobody may be left behind by it."""

from pathlib import Path

from tests.gateway.house import House, house
from tests.gateway.player import Player, connected


async def _seated(the: House, player: Player) -> None:
    await player.say(kind="watch", table="t1")
    await player.until(lambda: "t1" in player.tables)


async def test_who_was_refused_can_go_on(tmp_path: Path) -> None:
    """After another's refused command the decision on the newest view is taken."""
    async with house(tmp_path) as the, the.served() as address:
        await the.open_table("t1")
        asked = {"currency": "EUR", "amount_minor": 100_000}
        await the.ask("POST", "/operator/v1/players/alice/deposits", asked)
        alice, bob = await the.session("alice"), await the.session("bob")
        async with (
            connected(address, alice) as player,
            connected(address, bob) as other,
        ):
            await _seated(the, player)
            await _seated(the, other)
            await player.bet("t1")
            name = str(player.round("t1")["round_id"])
            await player.order("ready", name)
            await player.until(lambda: player.round("t1")["decision"])
            before = player.round("t1")["version"]
            refused = await other.order("act", name, action="hit", target="1.1")
            await player.until(lambda: player.round("t1")["version"] > before)
            assert await player.move("t1")
            told = [text for text in player.received if "command_refused" in text]
            await player.finish("t1")

    assert refused["reason"] == "not_your_box"
    assert "version_conflict" not in {p["reason"] for p in player.problems}
    assert told
    assert not any("not_your_box" in text or '"seat":"p' in text for text in told)
