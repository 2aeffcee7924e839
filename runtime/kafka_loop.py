"""Clients of Kafka live on the event loop of the standard library, and on no other.

uvloop raises RuntimeError where a write finds its connection lost, and asyncio's own
loop does not. aiokafka expects neither that nor what it does then: whichever of its
tasks wrote (fetching, coordinating, sending) ends for good, and nothing comes in or
goes out any more (aio-libs/aiokafka issue 1038; decision 0022).
"""

import asyncio

_PLAIN = "asyncio."


def refuse_other_loops() -> None:
    """Raise RuntimeError if the running loop is not the standard library's."""
    loop = type(asyncio.get_running_loop())
    if not loop.__module__.startswith(_PLAIN):
        raise RuntimeError(f"a client of Kafka would die with its broker on {loop}")
