"""The event loop of a process that serves."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import uvloop


def run(main: Coroutine[Any, Any, None], *, speaks_kafka: bool) -> None:
    """Run to the end as `asyncio.run` does, on the loop that costs half as much.

    Not where Kafka is spoken: its client dies there with its broker (decision 0022).
    """
    factory = asyncio.new_event_loop if speaks_kafka else uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(main)
