"""`push22 play --door`: the bot as a player at a casino's door, with a launch token."""

import sys
from urllib.parse import urlsplit

from push22.client import (
    Ended,
    Garbled,
    Live,
    PlayerClient,
    Refused,
    Unreachable,
)
from push22.door_bot import CannotPlay, DoorBot, Stakes
from push22.errors import Failure
from push22.inspect.money import balance_line
from push22.stopping import run_until_stopped

_PREFIX = "launch="


def play_at_door(
    place: str, launch: str, stakes: tuple[int, int, int], rounds: int
) -> int:
    """Play rounds and print each one's id and the balance after it.

    `place` is the door's address, or the whole link that a player's browser opens.
    `stakes` are the boxes, and minor units on each main wager and on the side.
    """
    parts = urlsplit(place)
    address = f"{parts.scheme}://{parts.netloc}"
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise Failure("--door", "give an address: http://HOST:PORT", exit_code=2)
    if not launch and parts.fragment.startswith(_PREFIX):
        launch = parts.fragment.removeprefix(_PREFIX)
    if not launch:
        raise Failure("--launch", "give the launch token", exit_code=2)
    try:
        return run_until_stopped(_play(address, launch, Stakes(*stakes), rounds))
    except (Refused, Unreachable, Garbled, Ended, CannotPlay) as error:
        raise Failure(address, str(error)) from error
    except TimeoutError as error:
        raise Failure(address, "the table does not go on") from error


async def _play(address: str, launch: str, stakes: Stakes, rounds: int) -> int:
    async with await PlayerClient.launched(address, launch) as client:
        table = client.session.table or await _open_table(client)
        async with client.live() as live:
            bot = DoorBot(live, table, stakes)
            for _ in range(rounds):
                _say(await bot.play(), live)
    return 0


async def _open_table(client: PlayerClient) -> str:
    """Return the first table of the lobby that takes rounds."""
    for line in await client.tables():
        if line.status == "open":
            return line.table
    raise Failure(client.session.player, "there is no open table for this session")


def _say(round_id: str, live: Live) -> None:
    you = live.you
    sys.stdout.write(f"{balance_line(round_id, you.balance_minor, you.currency)}\n")
    sys.stdout.flush()
