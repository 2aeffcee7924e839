"""The door before the casino behind Kafka, as a process that dies in mid-round."""

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.distributed import ARCHIVE, Casino
from tests.e2e.doorway import Doorway
from tests.e2e.marks import CASINO
from tests.e2e.topics import delete_records
from tests.gateway.player import Player, connected

pytestmark = [*CASINO, pytest.mark.timeout(600)]

TABLE = "d1"
OPENING_MINOR = 100_000
DEPOSIT = ("POST", "/operator/v1/players/dora/deposits")
MONEY = {"currency": "EUR", "amount_minor": OPENING_MINOR, "reference": "first"}
SLOW = {"betting_ms": 20_000, "decision_ms": 300_000}
ROUNDS_MAX = 20
WAIT_S = 60.0


@pytest.fixture
def doorway(casino: Casino) -> Iterator[Doorway]:
    door = Doorway(casino, casino.folder)
    door.start()
    yield door
    door.kill()


async def test_a_round_goes_on_behind_a_door_that_was_killed(
    casino: Casino, doorway: Doorway
) -> None:
    """Operator, player, bet, kill -9 in the player's turn, and on to the end.

    Kafka has nothing of the time before any more: the door begins at the archive's
    copy, and what that lacks the services tell.
    """
    opening = {"table": TABLE, "rule_set": "ny-switch-6d", "currency": "EUR"}
    await doorway.ask("POST", "/operator/v1/tables", {**opening, "timings": SLOW})
    first = await doorway.ask(*DEPOSIT, MONEY, key="deposit-dora-1")
    token = await doorway.session("dora", TABLE)

    async with connected(doorway.socket, token) as player:
        await player.say(kind="watch", table=TABLE)
        await player.until(lambda: TABLE in player.tables)
        await turn_reached(player)
        before, place = player.round(TABLE), player.places[TABLE]
        await asyncio.to_thread(doorway.kill)
    await asyncio.to_thread(casino.wait, ARCHIVE)
    for topic in ("push22.table.events.v1", "push22.wallet.events.v1"):
        await delete_records(casino, topic)
    await asyncio.to_thread(doorway.start)

    async with connected(doorway.socket, token) as player:
        await player.say(kind="watch", table=TABLE, feed=place[0], seq=place[1])
        await player.until(lambda: TABLE in player.tables)
        assert player.snapshots == ["unknown_feed"]
        assert player.round(TABLE) == before
        assert player.you["seats"] == {before["round_id"]: "p1"}
        await player.finish(TABLE)
        await told_all(doorway, token, player)

    again = await doorway.ask(*DEPOSIT, MONEY, key="deposit-dora-1")
    assert again == first, "a repeat of before the kill has its answer"
    await balanced(casino, doorway)


async def turn_reached(player: Player) -> None:
    """Play until a round waits for a decision on a hand."""
    for _ in range(ROUNDS_MAX):
        await player.until(lambda: player.round(TABLE)["phase"] == "betting")
        name = player.round(TABLE)["round_id"]
        await player.bet(TABLE)
        await player.order("ready", name)
        await player.until(lambda: _is_due(player.round(TABLE)))
        if player.round(TABLE)["phase"] == "turn":
            return
        await player.finish(TABLE)
    raise AssertionError("no round with a turn")


def _is_due(seen: dict[str, Any]) -> bool:
    return bool(seen["decision"]) or seen["phase"] == "closed"


async def told_all(doorway: Doorway, token: str, player: Player) -> None:
    """Balance and history say the same, once the archive has all of it."""
    until = time.monotonic() + WAIT_S
    while True:
        rounds = (await doorway.history(token))["rounds"]
        if rounds and all(x["status"] != "open" for x in rounds):
            break
        assert time.monotonic() < until, rounds
        await asyncio.sleep(0.2)
    net = sum(seat["net_minor"] for x in rounds for seat in x["seats"])
    await player.until(lambda: player.you["balance_minor"] == OPENING_MINOR + net)


async def balanced(casino: Casino, doorway: Doorway) -> None:
    """The operator is told the same balance, and every log holds."""
    path = "/operator/v1/players/dora/balance?currency=EUR"
    told = await doorway.ask("GET", path)
    await asyncio.to_thread(casino.wait, ARCHIVE)
    copy = ("--data", casino.archive)
    audited = await asyncio.to_thread(casino.run, "audit", *copy)
    verified = await asyncio.to_thread(casino.run, "verify", "--all", *copy)

    assert told["balance_minor"] > 0
    assert "every cent is accounted for" in audited
    assert "MATCH: all" in verified
