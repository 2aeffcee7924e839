"""A server of a test run's own: a process on a folder, which it leaves with it."""

import shutil
import signal
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BOUND_S = 180

_STARTER = ThreadPoolExecutor(1)
"""Who dies with its parent dies with the thread that started it: this one stays."""


def spawned(
    words: Sequence[str],
    log: Path,
    *,
    inside: str | Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """Start a process that writes what it says to a file."""

    def start() -> subprocess.Popen[bytes]:
        with log.open("ab") as said:
            return subprocess.Popen(
                words,
                cwd=inside,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
            )

    return _STARTER.submit(start).result()


class LocalServer(ABC):
    """Started, shut down in order, thrown away; what it says is in `server.log`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def _spawn(self, words: Sequence[str], *, inside: str | Path) -> None:
        log = self.folder / "server.log"
        self._process = spawned(words, log, inside=inside)

    @property
    def _running(self) -> subprocess.Popen[bytes]:
        assert self._process is not None, "the server was never started"
        return self._process

    def _shut_down(self, sign: signal.Signals) -> None:
        process = self._running
        if process.poll() is None:
            self.resume()
            process.send_signal(sign)
            process.wait(BOUND_S)

    def remove(self) -> None:
        """Throw it away with what it holds."""
        if self._process is not None:
            self.stop()
        shutil.rmtree(self.folder)

    @abstractmethod
    def stop(self) -> None:
        """Shut down in order."""

    @abstractmethod
    def resume(self) -> None:
        """Let it go on after a pause, if it was paused."""
