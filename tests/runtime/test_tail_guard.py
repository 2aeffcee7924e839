"""Nothing is appended over a session that nobody has compared (H3)."""

import pytest
from log_backends import draft
from postgres_place import Place

from runtime.log import Batch, LogUnavailable, Parked
from runtime.postgres_database import Reconnected
from runtime.tail_guard import TailGuard, TailLost

END_SESSIONS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE usename = 'push22_toy' AND datname = current_database()"
)


class Compared:
    """Counts how often the tail was compared, and says that it is lost, if it is."""

    def __init__(self) -> None:
        self.times = 0
        self.lost = False

    async def __call__(self) -> None:
        self.times += 1
        if self.lost:
            raise TailLost("Kafka has more")


async def test_h3_each_reconnect_is_compared_before_the_next_append(
    place: Place,
) -> None:
    """Sessions end; nothing is written, in no way, before the guard has looked."""
    compared = Compared()
    async with place.log() as log:
        guard = TailGuard(log, compared)
        with pytest.raises(Reconnected):
            await log.append(Batch(1, [draft("a-1", 1)]))
        await guard.check()
        await guard.check()
        await log.append(Batch(1, [draft("a-1", 1)]))
        assert compared.times == 1

        await place.execute(END_SESSIONS)
        for _ in range(4):
            with pytest.raises(LogUnavailable):
                await log.append(Batch(1, [draft("a-1", 2)]))
        with pytest.raises(Reconnected):
            parked = Parked("a-1", "command", "", "why", b"", 1)
            await log.append(Batch(1, parked=[parked]))
        await guard.check()
        await log.append(Batch(1, [draft("a-1", 2)]))
        assert compared.times == 2


async def test_h3_no_way_to_append_leads_around_the_guard(place: Place) -> None:
    """Also where everything is remembered and another connection is the new one."""
    async with place.log() as log:
        await TailGuard(log, Compared()).check()
        for version in (1, 2):
            await log.append(Batch(1, [draft("a-1", version)]))
        log.database.sessions += 1

        with pytest.raises(Reconnected):
            await log.append(Batch(1, [draft("a-1", 3)]))
        with pytest.raises(Reconnected):
            await log.database.write("SELECT 1")


async def test_h3_a_lost_tail_stays_closed(place: Place) -> None:
    """As long as the comparison fails nothing is appended, however often one tries."""
    compared = Compared()
    async with place.log() as log:
        guard = TailGuard(log, compared)
        compared.lost = True
        for _ in range(3):
            with pytest.raises(TailLost):
                await guard.check()
            with pytest.raises(Reconnected):
                await log.append(Batch(1, [draft("a-1", 1)]))
        assert await log.head(0) == (0, bytes(32))


async def test_h3_a_session_made_during_the_comparison_is_not_vouched_for(
    place: Place,
) -> None:
    """What was read before it may have been another database."""
    async with place.log(connections=1) as log:

        async def interrupted() -> None:
            await place.execute(END_SESSIONS)
            for _ in range(2):
                try:
                    await log.head(0)
                except Exception:  # noqa: BLE001 - the first one meets the old session
                    continue

        guard = TailGuard(log, interrupted)
        await guard.check()
        with pytest.raises(Reconnected):
            await log.append(Batch(1, [draft("a-1", 1)]))
