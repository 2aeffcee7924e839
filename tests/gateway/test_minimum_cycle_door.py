"""A table with a minimum cycle through the door: opened, shown, kept, and proved."""

from pathlib import Path
from typing import Any

from house import House, house
from player import Player, connected
from test_round import funded, seated

CYCLE_MS = 5000
TABLE = "t1"


async def open_table(the: House) -> None:
    asked = {
        "table": TABLE,
        "rule_set": "ny-switch-6d",
        "currency": "EUR",
        "timings": {"min_cycle_ms": CYCLE_MS},
    }
    await the.ask("POST", "/operator/v1/tables", asked)
    await the.settled()


async def is_betting(alice: Player, the: House) -> bool:
    """Tell whether bets are still taken once all has been said."""
    await the.settled()
    await alice.say(kind="watch", table=TABLE)
    many = len(alice.snapshots)
    await alice.until(lambda: len(alice.snapshots) > many)
    return bool(alice.round(TABLE)["phase"] == "betting")


async def finished(alice: Player, name: str) -> None:
    while (seen := alice.round(TABLE))["round_id"] == name:
        if seen["phase"] == "closed":
            return
        if not await alice.move(TABLE):
            await alice.hear()


async def test_the_next_deal_waits_for_the_cycle(tmp_path: Path) -> None:
    """G18: ready at once, dealt five seconds later by itself, and executed again."""
    verdict: dict[str, Any]
    async with house(tmp_path) as the, the.served() as address:
        await open_table(the)
        await funded(the)
        async with connected(address, await the.session()) as alice:
            await seated(alice, TABLE)
            start = the.clock.now()
            first = await alice.play_round(TABLE)
            await alice.until(lambda: alice.round(TABLE)["round_id"] != first)
            shown = alice.round(TABLE)
            await alice.bet(TABLE)
            ready = await alice.order("ready", shown["round_id"])
            waits = await is_betting(alice, the)
            the.clock.advance(seconds=CYCLE_MS / 1000 - 0.001)
            still = await is_betting(alice, the)
            the.clock.advance(seconds=0.001)
            await alice.until(lambda: alice.round(TABLE)["phase"] != "betting")
            await finished(alice, shown["round_id"])
            await the.settled()
        path = f"/support/v1/rounds/{shown['round_id']}/verdict"
        verdict = (await the.play("GET", path, the.support("viewer"))).json()

    assert alice.tables[TABLE]["timings"]["min_cycle_ms"] == CYCLE_MS
    assert shown["not_before"] == start + CYCLE_MS * 1000
    assert ready["accepted"]
    assert (waits, still) == (True, True)
    assert verdict["verdict"] == "MATCH", verdict
