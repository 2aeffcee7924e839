"""Time never runs back behind what a log has recorded (docs/decisions/0016).

Answers are forgotten and commands expire by the same time (H4). If it ran back, a
command could be taken again whose answer was already forgotten.
"""

from collections.abc import Iterable
from datetime import UTC, datetime

from contracts.envelope import Micros
from runtime.ambient import Clock
from runtime.log import Log, LogError

BEHIND_MAX_US = 5_000_000
"""So far a clock may be behind at start: time stands still until it has caught up."""


class ClockBehind(LogError):
    """The clock is so far behind the log that either of them must be wrong."""


class LogTime:
    """The time by which a log is written: the clock's, but never an earlier one."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._latest: Micros = 0

    def learn(self, alive_at: Micros) -> None:
        """Go on from the time at which the log was last alive."""
        self._latest = max(self._latest, alive_at)

    def now(self) -> Micros:
        self._latest = max(self._latest, self._clock.now())
        return self._latest


async def check_clock(logs: Iterable[Log], clock: Clock) -> None:
    """Refuse to start far behind what is recorded. Raises ClockBehind."""
    for log in logs:
        alive_at, now = await log.alive_at(), clock.now()
        if alive_at - now > BEHIND_MAX_US:
            raise ClockBehind(
                f"the log of {log.service} was written until {_shown(alive_at)},"
                f" but the clock says {_shown(now)}: set the clock right, or wait"
            )


def _shown(time: Micros) -> str:
    return datetime.fromtimestamp(time / 1_000_000, UTC).isoformat(" ", "milliseconds")
