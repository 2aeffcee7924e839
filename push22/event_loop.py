"""How a process that serves runs: its event loop, and how seldom it looks for garbage.

Nearly everything dies by its count of references. The collector looks for rings among
what was made since, and each time it looks wider it walks over all that there is: the
rule book, every route and its documents, none of which ever dies.
"""

import asyncio
import gc
from collections.abc import Coroutine
from typing import Any

import uvloop

YOUNG_MAX = 10_000
"""So many new objects are looked at at once: less than a millisecond."""


def run(main: Coroutine[Any, Any, None], *, speaks_kafka: bool) -> None:
    """Run to the end as `asyncio.run` does, on the loop that costs half as much.

    Not where Kafka is spoken: its client dies there with its broker (decision 0022).
    """
    factory = asyncio.new_event_loop if speaks_kafka else uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(main)


def keep_what_stands() -> None:
    """Take what was made to start out of every later look for garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_MAX, 10, 10)
