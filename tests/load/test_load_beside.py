"""The sampler beside: another process measures, and is the load's own expense."""

import asyncio
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, Gauge, start_http_server

from push22.load.beside import SamplerBeside
from push22.load.places import Place
from push22.load.sampling import use_of
from push22.load.settings import PLAYERS


def place_with(metrics: dict[str, str]) -> Place:
    here = {"itself": os.getpid()}
    return Place(door="", operators="", metrics=metrics, pids=here)


async def test_samples_come_from_another_process_until_it_is_ended() -> None:
    """What it uses itself is counted with the players; nothing is left behind."""
    registry = CollectorRegistry()
    lag = Gauge("push22_consumer_lag_seconds", "", ("source",), registry=registry)
    lag.labels("shoe").set(2.5)
    server, serving = start_http_server(0, addr="127.0.0.1", registry=registry)
    sampler = SamplerBeside(
        place_with({"shoe": f"http://127.0.0.1:{server.server_port}/metrics"})
    )
    before = _children()
    running = asyncio.create_task(sampler.run())
    async with asyncio.timeout(60):
        while len(sampler.samples) < 2:
            await asyncio.sleep(0.05)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    server.shutdown()
    server.server_close()
    serving.join()

    first, second = sampler.samples[:2]
    assert first.lag_s == second.lag_s == 2.5
    assert second.at > first.at
    assert second.uses[PLAYERS].cpu_s >= first.uses[PLAYERS].cpu_s > 0
    assert second.uses[PLAYERS].rss_bytes > use_of(os.getpid()).rss_bytes / 2
    assert "itself" in second.uses
    assert _children() == before


async def test_a_sampler_that_ends_by_itself_ends_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The load goes on to its audit; the report says what was not measured."""
    monkeypatch.setattr(sys, "executable", "/bin/false")
    sampler = SamplerBeside(place_with({}))

    await sampler.run()

    assert sampler.samples == []


async def test_a_sampler_that_stands_still_is_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is asked first; nothing is left behind."""
    monkeypatch.setattr("push22.load.beside._END_S", 0.2)
    before = _children()
    sampler = SamplerBeside(place_with({}))
    running = asyncio.create_task(sampler.run())
    async with asyncio.timeout(60):
        while not sampler.samples:
            await asyncio.sleep(0.05)
    (child,) = set(_children().split()) - set(before.split())
    os.kill(int(child), signal.SIGSTOP)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running

    assert _children() == before


def _children() -> str:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text()
