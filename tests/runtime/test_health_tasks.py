"""A part of a service that fails is told of when it fails."""

import asyncio

import pytest

from runtime import telemetry
from runtime.health import begin_task


async def test_a_part_that_failed_is_told_at_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nobody waits for it until the service stops, which may be never."""

    async def fails() -> None:
        raise OSError("no space left on device")

    telemetry.configure(json=True)
    task = begin_task(fails())
    await asyncio.wait([task])
    await asyncio.sleep(0)

    assert "no space left on device" in capsys.readouterr().err


async def test_a_part_that_was_cancelled_is_none_that_failed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whoever stops a service ends its parts: that is no news."""
    telemetry.configure(json=True)
    task = begin_task(asyncio.sleep(3600))
    task.cancel()
    await asyncio.wait([task])
    await asyncio.sleep(0)

    assert capsys.readouterr().err == ""
