"""Who cannot reach Kafka or PostgreSQL at start says so, in time, and ends (FC4)."""

import asyncio
import errno
import os
import re
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from runtime import kafka_reach
from runtime.kafka_reach import KafkaRefused, check_reach
from runtime.kafka_settings import KafkaSettings
from runtime.log import LogUnavailable
from runtime.log_postgres import PostgresLog

BOUND_S = 60.0


def closed() -> str:
    """Return an address where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{taken.getsockname()[1]}"


@asynccontextmanager
async def silent() -> AsyncIterator[str]:
    """A server that takes every connection and never says a word."""
    over = asyncio.Event()

    async def keep(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await over.wait()
        writer.close()

    server = await asyncio.start_server(keep, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        over.set()
        server.close()
        await server.wait_closed()


async def served(service: str, kafka: str, folder: Path) -> tuple[int, str, float]:
    """Start a service; return its exit code, its last words, and how long it took."""
    begun = time.monotonic()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "push22", "serve", service, "--data", str(folder)),
        *("--dsn", f"postgresql://{closed()}/push22", "--port", "0"),
        env={**os.environ, "PUSH22_KAFKA": kafka, "PUSH22_TOKEN": "t"},
        stderr=asyncio.subprocess.PIPE,
    )
    _, said = await asyncio.wait_for(process.communicate(), BOUND_S)
    assert process.returncode is not None
    last = said.decode().splitlines()[-1]
    return process.returncode, last, time.monotonic() - begun


@pytest.mark.parametrize("service", ["wallet", "archive"])
async def test_fc4_a_broker_that_is_away_or_silent_is_named(
    service: str, tmp_path: Path
) -> None:
    """One line with the address, exit 1: whoever started it can start it again."""
    away = closed()
    code, last, _ = await served(service, away, tmp_path)
    assert code == 1
    assert last.startswith(f"push22: serve {service}: {away}: ")
    assert f"[Errno {errno.ECONNREFUSED}]" in last

    async with silent() as mute:
        code, last, took = await served(service, mute, tmp_path)
    assert code == 1
    assert f"{mute}: no answer within 15 s (PLAINTEXT)" in last
    assert took < BOUND_S


async def test_fc4_a_silent_database_is_named_within_a_bound() -> None:
    """The wait for a connection has an end."""
    async with silent() as mute:
        async with asyncio.timeout(30):
            with pytest.raises(LogUnavailable, match=mute):
                dsn = f"postgresql://postgres@{mute}/push22"
                await PostgresLog.open(dsn, "wallet", timeout_ms=1000)


async def test_fc4_each_broker_is_tried_and_each_reason_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A wrong address, an address that is none, certificates that are none."""
    monkeypatch.setattr(kafka_reach, "REACH_S", 0.5)
    away = closed()
    async with silent() as mute:
        with pytest.raises(KafkaRefused) as refused:
            await check_reach(KafkaSettings(f"{away},{mute},nowhere"))
    said = str(refused.value)
    assert away in said
    assert f"{mute}: no answer" in said
    assert "nowhere: it is no host:port" in said

    for ca in (tmp_path / "gone.pem", Path(__file__)):
        with pytest.raises(KafkaRefused, match=re.escape(f"PUSH22_KAFKA_CA: {ca}: ")):
            await check_reach(KafkaSettings(away, ca=str(ca)))
