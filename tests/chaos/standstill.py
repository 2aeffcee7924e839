"""Ends a case in which nobody gets on, and says what each side was waiting for."""

import asyncio
import time

import asyncpg

from runtime.postgres_roles import schema_of
from tests.chaos.crowd import ANSWER_S, Crowd
from tests.e2e.distributed import ALL, NAMES, Casino

STILL_S = ANSWER_S + 30.0
"""Longer than any command may be without its answer: nothing comes by itself then."""

_STEP_S = 1.0
_LAST = """
    SELECT stream, type FROM {schema}.records ORDER BY part, "offset" DESC LIMIT 8
"""


async def watch(casino: Casino, crowd: Crowd) -> None:
    """Raise AssertionError when no round has closed for too long."""
    closed, moved_at = crowd.closed, time.monotonic()
    while time.monotonic() - moved_at < STILL_S:
        await asyncio.sleep(_STEP_S)
        if crowd.closed != closed:
            closed, moved_at = crowd.closed, time.monotonic()
    raise AssertionError(
        f"no round closed for {STILL_S:.0f} s\n{await told(casino, crowd)}"
    )


async def told(casino: Casino, crowd: Crowd) -> str:
    """Say what the players see, what the services say, and what the logs end with."""
    lines = [*_of_players(crowd)]
    for name in ALL:
        said = {
            w: await asyncio.to_thread(casino.status, name, w)
            for w in ("live", "ready")
        }
        lines.append(f"== {name}: {said}\n{casino.said(name)}")
    lines += [await _end_of(casino, name) for name in NAMES]
    return "\n".join(lines)


def _of_players(crowd: Crowd) -> list[str]:
    witness = crowd.door.host
    unanswered = sorted(set(witness.sent) - set(witness.answers))
    lines = [
        f"players hear: {crowd.remote.is_listening}",
        f"sent without an answer: {[witness.sent[name] for name in unanswered]}",
        f"moves given up: {crowd.failures[-5:]}",
    ]
    for player in crowd.players:
        rounds = player.follower.rounds
        seen = {name: rounds.version(name) for name in rounds.open_rounds()}
        lines.append(f"{player.table.id}: {len(player.closed)} closed, open {seen}")
    return lines


async def _end_of(casino: Casino, name: str) -> str:
    try:
        connection = await asyncpg.connect(casino.dsn)
        rows = await connection.fetch(_LAST.format(schema=schema_of(name)))
        await connection.close()
    except (asyncpg.PostgresError, OSError) as error:
        return f"-- {name} cannot be read: {error!r}"
    return f"-- {name} ends with {[tuple(row) for row in rows]}"
