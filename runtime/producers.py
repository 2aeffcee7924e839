"""A producer that ends: its flush would wait for a broker that is away, for ever."""

import asyncio

from aiokafka import AIOKafkaProducer

FLUSH_S = 3.0


class BoundedProducer(AIOKafkaProducer):  # type: ignore[misc]
    """Flushes for a while at its end, and leaves no task and no connection behind."""

    async def stop(self) -> None:
        """What is not acknowledged by then was never said to be."""
        ending = asyncio.ensure_future(super().stop())
        done, _ = await asyncio.wait((ending,), timeout=FLUSH_S)
        if not done:
            # The flush waits for its sender or for its sender's end (case 39).
            self._sender.sender_task.cancel()
        await ending
