"""Nothing is appended over a database session that nobody has compared (H3).

Behind a new connection there may be another database than before: a restored backup,
or a standby that took over without the last commits. So the end of the log is compared
with Kafka after each one, before the first append.
"""

from collections.abc import Awaitable, Callable

from runtime.log import LogError
from runtime.log_postgres import PostgresLog


class TailLost(LogError):
    """Kafka holds more of this log than the log itself, or something else."""


class TailGuard:
    """Vouches for a log's sessions; its database refuses to write over any other."""

    def __init__(
        self, log: PostgresLog, compare: Callable[[], Awaitable[None]]
    ) -> None:
        self._database = log.database
        self._compare = compare
        self._database.vouched = 0

    async def check(self) -> None:
        """Compare, if a connection was made since the last time. Raises TailLost."""
        # Read first: one that is made meanwhile is not vouched for.
        sessions = self._database.sessions
        if sessions != self._database.vouched:
            await self._compare()
            self._database.vouched = sessions
