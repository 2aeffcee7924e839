"""A local Kafka broker of a test run's own, from the jars that Maven copied.

One JVM, broker and controller in one, on free loopback ports and a folder of its own.
It can be killed, paused and started again on the same data and the same ports.
"""

import asyncio
import base64
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from aiokafka.client import AIOKafkaClient
from aiokafka.errors import KafkaError

from tests.local_server import BOUND_S, LocalServer
from tests.postgres import Postgres, Unavailable, outlives_nobody

ROOT = Path(__file__).parents[2]
CONFIGURED = ROOT / "deploy" / "kafka"

KAFKA_PORT = 9092
POSTGRES_PORT = 5432

_JAVA = ("-Xms256m", "-Xmx512m", "-XX:+UseSerialGC")


class Kafka(LocalServer):
    """One broker on one folder; started again, it has the same ports and data."""

    def __init__(self, folder: Path, *, port: int | None = None) -> None:
        super().__init__(folder)
        self.port = port or free_port()
        self.bootstrap = f"127.0.0.1:{self.port}"
        self._controller = free_port()

    def start(self) -> None:
        """Start it and wait until it leads; its first start formats the folder."""
        self._configure()
        if not (self.folder / "data" / "meta.properties").exists():
            self._format()
        server = [*outlives_nobody("KILL"), *java(), "kafka.Kafka"]
        self._spawn([*server, self._properties], inside=self.folder)
        self._wait()

    def stop(self) -> None:
        """Shut down in order."""
        self._shut_down(signal.SIGTERM)

    def kill(self) -> None:
        """Lose the broker as in a power cut."""
        self._running.kill()
        self._running.wait(BOUND_S)

    def pause(self) -> None:
        """Keep its connections open and answer nothing until `resume`."""
        self._running.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._running.send_signal(signal.SIGCONT)

    @property
    def _properties(self) -> str:
        return str(self.folder / "server.properties")

    def _format(self) -> None:
        cluster = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        tool = ["kafka.tools.StorageTool", "format", f"--cluster-id={cluster}"]
        done = subprocess.run(
            [*java(), *tool, "-c", self._properties, *self._format_words()],
            capture_output=True,
            timeout=BOUND_S,
            check=False,
        )
        if done.returncode != 0:
            raise Unavailable(f"storage was not formatted: {done.stderr.decode()}")

    def _format_words(self) -> list[str]:
        """Say what else the storage begins with: users, where they are asked for."""
        return []

    def _client(self) -> dict[str, object]:
        """Return what a client is made with."""
        return {"bootstrap_servers": self.bootstrap}

    def _configure(self) -> None:
        broker, controller = f"127.0.0.1:{self.port}", f"127.0.0.1:{self._controller}"
        own = {
            "controller.quorum.voters": f"1@{controller}",
            "listeners": f"BROKER://{broker},CONTROLLER://{controller}",
            "advertised.listeners": f"BROKER://{broker}",
            "log.dirs": str(self.folder / "data"),
        }
        self.folder.mkdir(parents=True, exist_ok=True)
        lines = "".join(f"{key}={value}\n" for key, value in own.items())
        shared = (CONFIGURED / "server.properties").read_text()
        Path(self._properties).write_text(f"{shared}\n{lines}")

    def _wait(self) -> None:
        until = time.monotonic() + BOUND_S
        while time.monotonic() < until and self._running.poll() is None:
            if answers(self.port) and asyncio.run(leads(self._client())):
                return
            time.sleep(0.1)
        log = (self.folder / "server.log").read_text()[-3000:]
        raise Unavailable(f"Kafka did not come up:\n{log}")


def java() -> list[str]:
    """Return the words that run a class of Kafka's, up to the class."""
    libs = ROOT / (os.environ.get("PUSH22_KAFKA_LIBS") or "build/kafka/libs")
    program = shutil.which("java")
    if program is None:
        raise Unavailable("Java is not installed: no local Kafka broker")
    if not any(libs.glob("kafka_*.jar")):
        raise Unavailable(f"no jars of Kafka in {libs}: run `make jars`")
    logs = f"-Dlog4j2.configurationFile={CONFIGURED / 'log4j2.properties'}"
    return [program, *_JAVA, logs, "-cp", f"{libs}/*"]


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def answers(port: int) -> bool:
    """Tell whether somebody listens; a client of Kafka would log that nobody does."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


async def leads(settings: dict[str, object]) -> bool:
    """Tell whether a broker is there that serves clients."""
    client = AIOKafkaClient(**settings, request_timeout_ms=5_000)
    try:
        await client.bootstrap()
        return bool(client.cluster.brokers())
    except KafkaError:
        return False
    finally:
        await client.close()


def developer(folder: Path) -> None:
    """Run both servers for a developer until interrupted; what they hold is kept."""
    postgres = Postgres(folder / "postgres", port=usual_port(POSTGRES_PORT))
    kafka = Kafka(folder / "kafka", port=usual_port(KAFKA_PORT))
    is_new = not (postgres.folder / "data").exists()
    with running(postgres), running(kafka):
        if is_new:
            postgres.create("push22")
        lines = f"PUSH22_KAFKA={kafka.bootstrap}\nPUSH22_DSN={postgres.dsn('push22')}\n"
        sys.stdout.write(f"{lines}# both run until Ctrl-C; their data is in {folder}\n")
        sys.stdout.flush()
        with suppress(KeyboardInterrupt):
            signal.pause()


@contextmanager
def running(server: Kafka | Postgres) -> Iterator[None]:
    server.start()
    try:
        yield
    finally:
        server.stop()


def usual_port(port: int) -> int:
    """Keep the port that everybody knows, unless somebody else has it."""
    return free_port() if answers(port) else port


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    kept = Path(tempfile.gettempdir()) / "push22-broker"
    developer(Path(*sys.argv[1:2]).resolve() if sys.argv[1:] else kept)
