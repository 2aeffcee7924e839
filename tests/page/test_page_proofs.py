"""Who may have the cards' proofs, and when: never before the cards may be known."""

from pathlib import Path
from typing import Any

import msgspec

from push22 import verify_cards
from tests.gateway.house import House, house
from tests.gateway.player import connected


async def _funded(the: House) -> None:
    asked = {"currency": "EUR", "amount_minor": 100_000}
    await the.ask("POST", "/operator/v1/players/alice/deposits", asked)


async def _proof(the: House, token: str, name: str) -> Any:
    return await the.play("GET", f"/player/v1/rounds/{name}/proof", token)


async def test_an_open_round_proves_what_lies_open(tmp_path: Path) -> None:
    """The hole card is a bare leaf; the record holds, and the order stays sealed."""
    async with house(tmp_path) as the, the.served() as address:
        await the.open_table("t1")
        await _funded(the)
        token = await the.session()
        async with connected(address, token) as player:
            await player.say(kind="watch", table="t1")
            await player.until(lambda: "t1" in player.tables)
            await player.bet("t1")
            name = player.round("t1")["round_id"]
            before = (await _proof(the, token, name)).json()
            await player.order("ready", name)
            await player.until(lambda: player.round("t1")["dealer"]["cards"])
            record = (await _proof(the, token, name)).json()
            root = player.tables["t1"]["shoe"]["root"]

    assert (before["shoe_cut"], before["dealt"]) == (None, [])
    assert before["shoe_committed"]["root"] == record["shoe_committed"]["root"] == root
    assert record["shoe_committed"]["sealed"] == ""
    cards = [
        card
        for event in record["dealt"]
        if event["type"] == "shoe.cards_dealt.v1"
        for card in event["cards"]
    ]
    [hole] = [card for card in cards if card["place"] == "hole"]
    assert not {"card", "salt", "proof"} & set(hole)
    said = verify_cards.check_text(msgspec.json.encode(record))
    assert "5 shown cards proved" in said


async def test_cards_that_lie_face_down_are_proved_afterwards(tmp_path: Path) -> None:
    """At a pitch table (LV-13) the shoe's events name no viewer, so they wait."""
    async with house(tmp_path) as the, the.served() as address:
        await the.open_table("t1", "lv-2d-pitch")
        await _funded(the)
        token = await the.session()
        async with connected(address, token) as player:
            await player.say(kind="watch", table="t1")
            await player.until(lambda: "t1" in player.tables)
            await player.bet("t1")
            name = player.round("t1")["round_id"]
            await player.order("ready", name)
            await player.until(lambda: player.round("t1")["dealer"]["cards"])
            early = await _proof(the, token, name)
            await player.finish("t1")
            await the.settled()
            late = await _proof(the, token, name)

    assert early.status_code == 404
    assert "shown cards proved" in verify_cards.check_text(late.content)


async def test_other_tables_do_not_exist(tmp_path: Path) -> None:
    """A round that is not there and one of another session's table look the same."""
    async with house(tmp_path) as the:
        await the.open_table("t1")
        await the.open_table("t2")
        token = await the.session(table="t2")
        found = [
            await _proof(the, token, name)
            for name in ("round-t1-1", "round-t2-99", "round-t9-1")
        ]

    assert [answer.status_code for answer in found] == [404] * 3
