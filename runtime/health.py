"""What every service's application shows of itself, and how its tasks end."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from faststream.asgi import AsgiResponse, get

from runtime.telemetry import get_logger

_log = get_logger("runtime.health")

STOP_S = 10.0


def health_routes(
    is_well: Callable[[], bool], is_ready: Callable[[], bool]
) -> list[tuple[str, Any]]:
    """Return /live and /ready: 200, or 503 where work gets stuck or is behind."""

    @get
    async def live(scope: Any) -> AsgiResponse:
        del scope
        return AsgiResponse(b"", 200 if is_well() else 503)

    @get
    async def ready(scope: Any) -> AsgiResponse:
        del scope
        return AsgiResponse(b"", 200 if is_well() and is_ready() else 503)

    return [("/live", live), ("/ready", ready)]


async def end_tasks(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Wait for tasks that were told to stop, not for ever; name those that failed."""
    done, late = await asyncio.wait(tasks, timeout=STOP_S)
    for task in late:
        task.cancel()
    for task in done:
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("a task had failed", error=repr(error))
