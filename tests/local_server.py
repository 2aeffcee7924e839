"""A server of a test run's own: a process on a folder, which it leaves with it."""

import shutil
import signal
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

BOUND_S = 90


class LocalServer(ABC):
    """Started, shut down in order, thrown away; what it says is in `server.log`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def _spawn(self, words: Sequence[str], *, inside: str | Path) -> None:
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                words,
                cwd=inside,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

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
