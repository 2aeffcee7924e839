"""What every service's application shows of itself, and how its tasks end.

/metrics is for Prometheus; it is served beside /live and /ready, on the service's own
port, which the casino's own machines reach and nobody else.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from faststream.asgi import AsgiResponse, get
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from runtime.telemetry import get_logger

_log = get_logger("runtime.health")

STOP_S = 10.0


def health_routes(
    is_well: Callable[[], bool], is_ready: Callable[[], bool]
) -> list[tuple[str, Any]]:
    """Return /live and /ready, 503 where work gets stuck or is behind, and /metrics."""

    @get
    async def live(scope: Any) -> AsgiResponse:
        del scope
        return AsgiResponse(b"", 200 if is_well() else 503)

    @get
    async def ready(scope: Any) -> AsgiResponse:
        del scope
        return AsgiResponse(b"", 200 if is_well() and is_ready() else 503)

    @get
    async def metrics(scope: Any) -> AsgiResponse:
        del scope
        headers = {"content-type": CONTENT_TYPE_LATEST}
        return AsgiResponse(generate_latest(), 200, headers)

    return [("/live", live), ("/ready", ready), ("/metrics", metrics)]


def begin_task(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Begin a part of a service. That it failed is told at once, not when it stops."""
    task = asyncio.create_task(work)
    task.add_done_callback(_tell_failure)
    return task


def _tell_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("a part of the service failed", error=repr(error))


async def end_tasks(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Wait for tasks that were told to stop, not for ever."""
    _, late = await asyncio.wait(tasks, timeout=STOP_S)
    for task in late:
        task.cancel()
