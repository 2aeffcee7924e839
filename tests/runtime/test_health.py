"""How the tasks of a service end."""

import asyncio

import pytest

from runtime import health


async def test_a_task_that_had_to_be_cancelled_spoils_no_shutdown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its service ends in order all the same: a broker was away (case 39)."""
    monkeypatch.setattr(health, "STOP_S", 0.01)
    stuck = asyncio.create_task(asyncio.sleep(60))
    gone = asyncio.create_task(asyncio.sleep(60))
    gone.cancel()
    await asyncio.wait((gone,))

    await health.end_tasks((stuck, gone))
    await asyncio.wait((stuck,))
    assert stuck.cancelled()
