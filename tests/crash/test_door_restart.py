"""Two players behind a door that is killed, and whose connections are cut.

They play on by the client library alone; then every cent and every record is looked at.
"""

import asyncio
import base64
import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection

from push22.client import Key, Live, OperatorClient, Patience, PlayerClient, Retries
from push22.door_bot import DoorBot, Stakes
from tests.crash.serving import BOUND_S, ROOT, Served

SECRET = b"0" * 32
ROUNDS = 8
RESTARTS = 3
FUNDS_MINOR = 500_000
PATIENT = Patience(again=Retries(first_s=0.05, most_s=0.5))
PLAYERS = ("alice", "bob")

pytestmark = [pytest.mark.slow, pytest.mark.crash, pytest.mark.timeout(400)]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    secret = base64.b64encode(SECRET).decode()
    operators = tmp_path / "operators.toml"
    operators.write_text(
        f'[acme]\ncurrencies = ["EUR"]\nkeys = {{ k1 = "{secret}" }}\n'
    )
    found = Served(tmp_path / "data", "--operators", str(operators))
    found.start()
    try:
        yield found
    finally:
        found.stop()


def push22(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "push22", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=BOUND_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def in_mid_round(live: Live) -> ClientConnection | None:
    """Return the connection while the player's own round is dealt and not over."""
    seen = live.tables.get("t1")
    shown = seen.view.round if seen else None
    if shown is None or shown.round_id not in live.you.seats:
        return None
    return live._line._socket if shown.phase in ("insurance", "turn") else None


async def broken(served: Served, lives: list[Live]) -> tuple[int, int]:
    """Cut connections in mid-round, and kill the door in mid-round; count both."""
    cuts = restarts = 0
    while restarts < RESTARTS:
        for live in lives:
            socket = await live.until(lambda live=live: in_mid_round(live), BOUND_S)
            socket.transport.abort()
            cuts += 1
        await lives[0].until(lambda: in_mid_round(lives[0]), BOUND_S)
        await asyncio.to_thread(served.restart)
        restarts += 1
    return cuts, restarts


async def seated(
    stack: contextlib.AsyncExitStack, operator: OperatorClient, name: str
) -> Live:
    """Give a player money, launch it, and open a live session."""
    await operator.deposit(name, "EUR", FUNDS_MINOR, key=f"deposit-{name}")
    launch = await operator.launch(name, "EUR", "t1")
    address = launch.url.partition("/play/")[0]
    client = await PlayerClient.launched(address, launch.launch_token)
    stack.push_async_callback(client.close)
    return await stack.enter_async_context(client.live(PATIENT))


async def balance_of(operator: OperatorClient, live: Live) -> int:
    """Return the operator's balance of a player, once the player sees it as well."""
    told = await operator.balance(live.you.player, "EUR")
    await live.until(lambda: live.you.balance_minor == told.balance_minor)
    return told.balance_minor


async def books(operator: OperatorClient) -> tuple[int, dict[str, int]]:
    """Return how many rounds are settled, and what each player should have."""
    settled, books = 0, dict.fromkeys(PLAYERS, FUNDS_MINOR)
    async for line in operator.rounds(page=7):
        settled += line.status == "settled"
        for seat in line.seats:
            books[seat.player] += seat.net_minor
    return settled, books


async def test_two_players_play_on_over_cuts_and_restarts(served: Served) -> None:
    """Each plays all its rounds; client, operator, audit and verify agree."""
    async with contextlib.AsyncExitStack() as stack:
        key = Key("acme.k1", SECRET)
        operator = await stack.enter_async_context(OperatorClient(served.address, key))
        await operator.open_table("t1", "ny-switch-6d", "EUR", key="open-table-1")
        lives = [await seated(stack, operator, name) for name in PLAYERS]
        breaking = asyncio.create_task(broken(served, lives))

        async def evening(live: Live) -> list[str]:
            bot, played = DoorBot(live, "t1", Stakes(side_minor=100)), []
            while len(played) < ROUNDS or not breaking.done():
                played.append(await bot.play())
            return played

        played = await asyncio.gather(*map(evening, lives))
        cuts, restarts = await breaking
        balances = {x.you.player: await balance_of(operator, x) for x in lives}
        settled, expected = await books(operator)
    served.stop()

    assert (cuts, restarts) == (2 * RESTARTS, RESTARTS)
    assert all(len(set(rounds)) == len(rounds) >= ROUNDS for rounds in played)
    assert settled >= ROUNDS
    assert balances == expected
    assert "every cent is accounted for" in push22("audit", "--data", str(served.data))
    checked = push22("verify", "--all", "--data", str(served.data))
    assert "MATCH: all" in checked
