"""A local PostgreSQL server of a test run's own: made, started, broken, thrown away.

It listens on a socket in its folder and, if asked, on a loopback port. Its settings are
durable ones, and killing it kills every process of it.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from tests.local_server import BOUND_S, LocalServer

_INSTALLED = Path("/usr/lib/postgresql")
_ROOM_BYTES = 1 << 30
_HBA = """\
local all push22_locked scram-sha-256
local all all trust
host all all 127.0.0.1/32 trust
"""
_SETTINGS = ("max_connections=100", "shared_buffers=64MB", "log_min_messages=panic")


class Unavailable(Exception):
    """What a local server needs is not installed, or it did not come up."""


class Postgres(LocalServer):
    """One server on one folder; started again, it has the same port and data."""

    def __init__(self, folder: Path, *, port: int | None = None) -> None:
        super().__init__(folder)
        self.port = port

    def dsn(self, database: str = "postgres", role: str = "postgres") -> str:
        if self.port is None:
            return f"postgresql://{role}@/{database}?host={self.folder}"
        return f"postgresql://{role}@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Start it and wait until it answers; its first start makes the cluster."""
        if not (self.folder / "data" / "PG_VERSION").exists():
            self._initialise()
        listen = "" if self.port is None else "127.0.0.1"
        port = () if self.port is None else ("-p", str(self.port))
        settings = (f"listen_addresses={listen}", *_SETTINGS)
        options = [word for item in settings for word in ("-c", item)]
        words = ["-D", self._data, "-k", str(self.folder), *port, *options]
        server = [*_as_owner("INT"), str(binaries() / "postgres"), *words]
        self._spawn(server, inside="/")
        self._wait()

    def stop(self) -> None:
        """Shut down in order: sessions are ended, what they had committed stays."""
        self._shut_down(signal.SIGINT)

    def kill(self) -> None:
        """Lose every process of the server at once, as in a power cut."""
        process = self._running
        process.send_signal(signal.SIGSTOP)
        for pid in (*_children(process.pid), process.pid):
            os.kill(pid, signal.SIGKILL)
        process.wait(BOUND_S)

    def pause(self) -> None:
        """Let no process of the server move until `resume`."""
        process = self._running
        for pid in (process.pid, *_children(process.pid)):
            os.kill(pid, signal.SIGSTOP)

    def resume(self) -> None:
        process = self._running
        for pid in (*_children(process.pid), process.pid):
            os.kill(pid, signal.SIGCONT)

    def create(self, database: str) -> None:
        where = ("-h", str(self.folder), "-U", "postgres")
        port = () if self.port is None else ("-p", str(self.port))
        self._run("createdb", *where, *port, database)

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    def _initialise(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if os.getuid() == 0:
            # The server refuses to run as root.
            shutil.chown(self.folder, "postgres", "postgres")
        words = ("-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync")
        self._run("initdb", "-D", self._data, *words)
        (self.folder / "data" / "pg_hba.conf").write_text(_HBA)

    def _run(self, program: str, *words: str) -> None:
        done = subprocess.run(
            [*_as_owner(), str(binaries() / program), *words],
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=BOUND_S,
            check=False,
        )
        if done.returncode != 0:
            raise Unavailable(f"{program}: {done.stdout.decode()[-2000:]}")

    def _wait(self) -> None:
        port = () if self.port is None else ("-p", str(self.port))
        ready = [str(binaries() / "pg_isready"), "-q", "-h", str(self.folder), *port]
        until = time.monotonic() + BOUND_S
        while time.monotonic() < until and self._running.poll() is None:
            if subprocess.run(ready, check=False).returncode == 0:
                return
            time.sleep(0.05)
        log = (self.folder / "server.log").read_text()[-2000:]
        raise Unavailable(f"PostgreSQL did not come up:\n{log}")


def binaries() -> Path:
    """Return the directory of the newest server that is installed."""
    found = sorted(
        _INSTALLED.glob("*/bin/initdb"), key=lambda file: int(file.parts[-3])
    )
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    if on_path is None:
        raise Unavailable("PostgreSQL is not installed: no initdb")
    return Path(on_path).resolve().parent


def temporary_folder(prefix: str, where: str = "") -> Path:
    """Prefer memory: a server is as durable there, and waits for no disk."""
    memory = Path("/dev/shm")
    is_roomy = memory.is_dir() and shutil.disk_usage(memory).free > _ROOM_BYTES
    usual = str(memory) if is_roomy else "/tmp"
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=where or usual))
    folder.chmod(0o755)
    return folder


def outlives_nobody(sign: str) -> tuple[str, ...]:
    """Words before a command that end it when whoever started it is gone."""
    return ("setpriv", "--pdeathsig", sign) if shutil.which("setpriv") else ()


def _as_owner(sign: str = "") -> tuple[str, ...]:
    if os.getuid() != 0:
        return outlives_nobody(sign) if sign else ()
    owner = ("--reuid=postgres", "--regid=postgres", "--init-groups")
    return ("setpriv", *owner, *(("--pdeathsig", sign) if sign else ()))


def _children(parent: int) -> list[int]:
    """The server's own processes: each is a group of its own, so none is enough."""
    listed = Path(f"/proc/{parent}/task/{parent}/children").read_text()
    return [int(pid) for pid in listed.split()]
