"""A casino with its door as a process of its own, which a test may kill and restart."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

from tests.local_server import spawned

ROOT = Path(__file__).parents[2]
BOUND_S = 60


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


class Served:
    """`push22 serve` on a data directory; the same port in every life."""

    def __init__(self, data: Path, *options: str) -> None:
        self.data = data
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        words = ["serve", "--data", str(self.data), "--port", str(self.port)]
        self._process = spawned(
            [sys.executable, "-m", "push22", *words, *self._options],
            self.data.with_name("serve.log"),
            inside=ROOT,
            environment=os.environ.copy(),
        )
        until = time.monotonic() + BOUND_S
        while not self._is_ready():
            assert self._process.poll() is None, self.log()
            assert time.monotonic() < until, self.log()
            time.sleep(0.05)

    def _is_ready(self) -> bool:
        try:
            return httpx.get(f"{self.address}/ready", timeout=5).is_success
        except httpx.TransportError:
            return False

    def log(self) -> str:
        return self.data.with_name("serve.log").read_text()

    def stop(self, sign: signal.Signals = signal.SIGTERM) -> None:
        process = self._process
        if process is not None and process.poll() is None:
            process.send_signal(sign)
            process.wait(BOUND_S)

    def restart(self) -> None:
        """Kill it where it stands, and start it again."""
        self.stop(signal.SIGKILL)
        self.start()
