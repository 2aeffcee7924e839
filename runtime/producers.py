"""A producer that ends: its flush would wait for a broker that is away, for ever."""

import asyncio

from aiokafka import AIOKafkaProducer

from runtime.telemetry import get_logger

_log = get_logger("runtime.producers")

FLUSH_S = 3.0
CLOSE_S = 5.0
"""So long its sender and its connections are given to end."""


class BoundedProducer(AIOKafkaProducer):  # type: ignore[misc]
    """Flushes for a while at its end, and holds up nobody if it does not end."""

    async def stop(self) -> None:
        """What is not acknowledged by then was never said to be."""
        ending = asyncio.ensure_future(super().stop())
        done, _ = await asyncio.wait((ending,), timeout=FLUSH_S)
        if not done:
            # The flush waits for its sender or for its sender's end (case 39).
            if (task := self._sender.sender_task) is not None:
                task.cancel()
            done, _ = await asyncio.wait((ending,), timeout=CLOSE_S)
        if not done:
            _log.warning("a producer is left behind: it does not end")
            ending.cancel()
            return
        ending.result()
