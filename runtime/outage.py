"""How long nobody was there: open deadlines are extended by it first (H10)."""

from collections.abc import Iterable, Iterator

from contracts.envelope import Micros
from runtime.inputs import Input, from_outage
from runtime.service import OutageEnded

ALONE_MS = 1_000
SHARED_MS = 3_000
"""Each instance says every second that it is alive: less is no outage of all."""


class Outage:
    """What is to be told to open streams before anything else is handled."""

    def __init__(self, service: str, least_ms: int) -> None:
        self._service = service
        self._least_ms = least_ms
        self._told: list[tuple[str, int]] = []

    def learn(self, alive_at: Micros, now: Micros, streams: Iterable[str]) -> None:
        """Note what the log says now; what was noted before may be told already."""
        by_ms = (now - alive_at) // 1000
        is_one = alive_at and by_ms >= self._least_ms
        self._told = [(stream, by_ms) for stream in streams] if is_one else []

    def inputs(self, now: Micros) -> Iterator[Input]:
        for stream, by_ms in self._told:
            yield from_outage(self._service, stream, OutageEnded(by_ms), now)

    def over(self) -> None:
        """It was told, and that is durable."""
        self._told = []
