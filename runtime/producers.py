"""A producer that ends: its flush would wait for a broker that is away, for ever."""

import asyncio

from aiokafka import AIOKafkaProducer

from runtime.ending import ends_within, leave_behind
from runtime.telemetry import get_logger

_log = get_logger("runtime.producers")

FLUSH_S = 3.0
CLOSE_S = 1.5
"""So long its sender and its connections are given to end; who stops it waits 5 s."""


class BoundedProducer(AIOKafkaProducer):  # type: ignore[misc]
    """Flushes for a while at its end, and holds up nobody if it does not end."""

    async def stop(self) -> None:
        """What is not acknowledged by then was never said to be."""
        ending = asyncio.ensure_future(super().stop())
        has_ended = await ends_within(FLUSH_S, ending)
        if not has_ended:
            # The flush waits for its sender or for its sender's end (case 39).
            if (task := self._sender.sender_task) is not None:
                task.cancel()
            has_ended = await ends_within(CLOSE_S, ending)
        if not has_ended:
            _log.warning("a producer is left behind: it does not end")
            leave_behind(ending)
            return
        ending.result()
