"""What watches a casino, as processes of a test's own: Prometheus, Alertmanager.

Each listens at a port of this machine that was free, keeps all in a folder that the
test gives, and ends with it.
"""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

import httpx
import pytest
from prometheus_client import CollectorRegistry, start_http_server

T = TypeVar("T")

BOUND_S = 60
"""For what takes a second on a machine that has nothing else to do."""


def program(package: str, *names: str) -> str:
    """Return where it is, by one of its names; its absence fails unless asked for."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None and os.environ.get("PUSH22_SKIP_PROMETHEUS") == "1":
        pytest.skip("PUSH22_SKIP_PROMETHEUS=1")
    assert found, f"install Debian's {package}, or set PUSH22_SKIP_PROMETHEUS=1"
    return found


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


@contextmanager
def told(registry: CollectorRegistry) -> Iterator[str]:
    """Answer `/metrics`; gives the address that Prometheus asks, host:port."""
    server, _ = start_http_server(0, "127.0.0.1", registry)
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def prometheus(
    folder: Path, *words: str, environment: Mapping[str, str] | None = None
) -> Iterator[str]:
    """Run one on the folder's prometheus.yml; gives its address when it is ready."""
    command = [
        program("prometheus", "prometheus"),
        f"--config.file={folder}/prometheus.yml",
        f"--storage.tsdb.path={folder}/data",
        *words,
    ]
    with _running(command, folder / "prometheus.log", environment) as address:
        yield address


@contextmanager
def alertmanager(folder: Path) -> Iterator[str]:
    """Run one on the folder's alertmanager.yml; gives its address when it is ready."""
    command = [
        program("prometheus-alertmanager", "prometheus-alertmanager", "alertmanager"),
        f"--config.file={folder}/alertmanager.yml",
        f"--storage.path={folder}/alertmanager",
        "--cluster.listen-address=",
    ]
    with _running(command, folder / "alertmanager.log") as address:
        yield address


@contextmanager
def _running(
    command: Sequence[str], log: Path, environment: Mapping[str, str] | None = None
) -> Iterator[str]:
    address = f"http://127.0.0.1:{free_port()}"
    listen = f"--web.listen-address={address.removeprefix('http://')}"
    with log.open("wb") as said:
        process = subprocess.Popen(
            [*command, listen],
            stdout=said,
            stderr=said,
            env={**os.environ, **(environment or {})},
        )
    try:
        eventually(lambda: process.poll() is not None or _ready(address))
        assert _ready(address), log.read_text()
        yield address
    finally:
        process.terminate()
        process.wait(20)


def _ready(address: str) -> bool:
    try:
        return httpx.get(f"{address}/-/ready", timeout=5).is_success
    except httpx.HTTPError:
        return False


def eventually(ask: Callable[[], T]) -> T | None:
    """Return the first answer that says something, or after the bound the last.

    Who does not answer says nothing yet.
    """
    until = time.monotonic() + BOUND_S
    found = None
    while not found and time.monotonic() < until:
        with suppress(httpx.HTTPError):
            found = ask()
        if not found:
            time.sleep(0.1)
    return found
