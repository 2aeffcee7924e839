"""Nobody is sent a card, a balance or a name that is somebody else's.

The bytes themselves are searched: of every message of the sockets and of every route.
"""

import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from house import House, house
from player import Player, connected
from test_routes import TABLE

from blackjack.script import read_script
from push22.stacked import StackedEntropy, stacked_order

ROUND = "round-t1-1"
SCRIPT = """
rules = "lv-2d-pitch"
cards = "2c 3d 9c 4s 5d 7h Kh"
play = []
[[box]]
box = 1
wager = 1000
[[box]]
box = 2
wager = 1000
"""
ALICES, BOBS, HOLE = ("2c", "4s"), ("3d", "5d"), "9c"
ALICE_MINOR, BOB_MINOR, BOBS_BET, BOBS_SIDE = 654_321, 777_331, 3_300, 100


class Evening(NamedTuple):
    """Alice of acme and Bob of its rival sit at one table; Carol of acme looks on."""

    the: House
    alice: Player
    bob: Player
    carol: Player
    tokens: dict[str, str]


@contextlib.asynccontextmanager
async def evening(data: Path) -> AsyncIterator[Evening]:
    entropy = StackedEntropy(stacked_order(read_script(SCRIPT)))
    async with house(data, entropy=entropy) as the, the.served() as address:
        await the.open_table("t1", "lv-2d-pitch")
        for name, operator, amount in (
            ("alice", "acme", ALICE_MINOR),
            ("bob", "rival", BOB_MINOR),
        ):
            path = f"/operator/v1/players/{name}/deposits"
            body = {"currency": "EUR", "amount_minor": amount}
            await the.ask("POST", path, body, operator=operator)
        tokens = {
            "alice": await the.session("alice"),
            "bob": await the.session("bob", "rival"),
            "carol": await the.session("carol"),
        }
        async with contextlib.AsyncExitStack() as stack:
            players = [
                await stack.enter_async_context(connected(address, token))
                for token in tokens.values()
            ]
            for player in players:
                await player.say(kind="watch", table="t1")
                await player.until(lambda player=player: player.tables)
            yield Evening(the, *players, tokens)


async def dealt(found: Evening) -> None:
    """Bet, and wait until the first hand is to be played."""
    bet = {"wagers_minor": [1000]}
    await found.alice.order("bet", ROUND, box=1, **bet)
    side = {"bet_the_set": BOBS_SIDE}
    bobs = {"wagers_minor": [BOBS_BET], "side_wagers_minor": side}
    await found.bob.order("bet", ROUND, box=2, **bobs)
    for player in (found.alice, found.bob):
        await player.until(lambda player=player: stand(player) == [1, 2])
        await player.order("ready", ROUND)
    for player in (found.alice, found.bob, found.carol):
        await player.until(lambda player=player: player.round("t1")["phase"] == "turn")


def stand(player: Player) -> list[int]:
    return [x["box"] for x in player.round("t1")["boxes"] if not x["pending"]]


async def played(found: Evening) -> None:
    for player, target in ((found.alice, "1.1"), (found.bob, "2.1")):
        await player.until(lambda p=player, t=target: is_due(p, t))
        answer = await player.order("act", ROUND, action="stand", target=target)
        assert answer["kind"] == "answer"
    for player in (found.alice, found.bob, found.carol):
        await player.until(lambda p=player: p.round("t1")["round_id"] != ROUND)


def is_due(player: Player, target: str) -> bool:
    decision = player.round("t1")["decision"]
    offers = decision["offers"] if decision else ()
    return any(offer["target"] == target and offer["due"] for offer in offers)


HAS_NOTHING = {
    "/player/v1/rounds/{round_id:str}/proof",
    "/player/v1/rounds/{round_id:str}",
    "/support/v1/rounds/{round_id:str}/evidence",
    "/support/v1/cases/{case:str}",
}
"""What may answer by a problem here: a round in play has none, and there is no case."""


async def everything_of(found: Evening, who: str) -> dict[str, str]:
    """Ask every route that only tells something; return the bytes of the answers.

    One that was asked wrongly would tell nothing, and nobody would miss it.
    """
    bodies = {}
    for method, route in TABLE:
        if method != "GET" or not route.startswith(f"/{who}/"):
            continue
        path = route.replace("{table:str}", "t1").replace("{round_id:str}", ROUND)
        name = "acme.alice" if who == "support" else "alice"
        path = path.replace("{player:str}", name).replace("{case:str}", "t1-1-none")
        path += "?currency=EUR" if "/players/" in path else ""
        path += "?since=0&until=9000000000000000" if "reports" in path else ""
        answer = await asked(found, who, path)
        assert answer.is_success or route in HAS_NOTHING, (route, answer.text)
        bodies[route] = answer.text
    return bodies


async def asked(found: Evening, who: str, path: str) -> Any:
    the = found.the
    if who == "operator":
        return await the.http.send(the.signed("GET", path))
    token = the.support("admin") if who == "support" else found.tokens["alice"]
    return await the.play("GET", path, token)


def holds(text: str, cards: tuple[str, ...]) -> list[str]:
    return [card for card in cards if f'"{card}"' in text]


async def test_cards_that_lie_face_down_are_sent_to_their_player_only(
    tmp_path: Path,
) -> None:
    """Each sees the own two cards; nobody sees the hole card before it is turned."""
    async with evening(tmp_path) as found:
        await dealt(found)
        alice, bob, carol = (
            "".join(x.received) for x in (found.alice, found.bob, found.carol)
        )
        everything = {**await everything_of(found, "player")}
        others = await everything_of(found, "operator")
        others |= await everything_of(found, "support")
        await played(found)
        after = "".join(found.carol.received)

    assert holds(alice, ALICES) == list(ALICES)
    assert holds(bob, BOBS) == list(BOBS)
    assert not holds(alice, (*BOBS, HOLE))
    assert not holds(bob, (*ALICES, HOLE))
    assert not holds(carol, (*ALICES, *BOBS, HOLE))
    assert holds(everything["/player/v1/tables/{table:str}"], ALICES) == list(ALICES)
    for route, text in everything.items():
        assert not holds(text, (*BOBS, HOLE)), route
    for route, text in others.items():
        assert not holds(text, (*ALICES, *BOBS, HOLE)), route
    assert holds(after, (*ALICES, *BOBS, HOLE)) == [*ALICES, *BOBS, HOLE]


async def test_the_options_of_a_hidden_hand_tell_nothing(tmp_path: Path) -> None:
    """What may be done with cards would tell which they are."""
    async with evening(tmp_path) as found:
        await dealt(found)
        offered = {
            name: found_offers(player)
            for name, player in (("bob", found.bob), ("alice", found.alice))
        }

    assert offered["alice"]["1.1"]
    assert not offered["bob"].get("1.1")


def found_offers(player: Player) -> dict[str, Any]:
    decision = player.round("t1")["decision"]
    return {offer["target"]: offer["options"] for offer in decision["offers"]}


async def test_a_hidden_side_wager_is_settled_unseen(tmp_path: Path) -> None:
    """Whether a set was bet on and came tells of cards that lie face down."""
    async with evening(tmp_path) as found:
        await dealt(found)
        await found.bob.until(lambda: found.bob.round("t1")["lines"])
        alices = json.dumps(found.alice.tables)

    assert "2.bet_the_set" in json.dumps(found.bob.tables)
    assert "2.bet_the_set" not in alices


@pytest.mark.parametrize("who", ["player", "operator"])
async def test_no_name_or_balance_of_anybody_else_is_sent(
    who: str, tmp_path: Path
) -> None:
    """Bob, his operator and his money are nowhere in what acme's side is sent."""
    async with evening(tmp_path) as found:
        await dealt(found)
        await played(found)
        await found.the.settled()
        texts = await everything_of(found, who)
        if who == "player":
            texts["socket"] = "".join(found.alice.received)
            texts["spectator"] = "".join(found.carol.received)
        bobs = {m["balance_minor"] for m in yous(found.bob)}

    assert len(bobs) > 1
    for route, text in texts.items():
        for word in ("bob", "rival", *map(str, bobs)):
            assert word not in text, (route, word)


def yous(player: Player) -> list[dict[str, Any]]:
    messages = map(json.loads, player.received)
    return [message for message in messages if message["kind"] == "you"]


async def test_a_refusal_by_the_wallet_is_its_players_own(tmp_path: Path) -> None:
    """That somebody cannot afford a bet is nobody else's business."""
    async with evening(tmp_path) as found:
        await found.bob.order("bet", ROUND, box=2, wagers_minor=[500_000])
        await found.bob.until(lambda: stand(found.bob) == [2])
        await found.bob.order("bet", ROUND, box=3, wagers_minor=[500_000])
        await found.bob.until(lambda: found.bob.you["refusals"])
        await found.alice.until(lambda: "wagers_refused" in found.alice.received[-1])
        alices = "".join(found.alice.received)

    assert found.bob.you["refusals"][0]["reason"] == "insufficient_funds"
    assert "insufficient" not in alices
