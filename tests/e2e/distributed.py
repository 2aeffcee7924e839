"""A distributed casino of a test's own: brokers, database, a process per service."""

import asyncio
import base64
import json
import os
import secrets
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from push22.casino import SERVICES
from runtime.kafka_settings import KafkaSettings
from runtime.topics_admin import make_topics
from tests.e2e.brokers import Kafka, free_port
from tests.postgres import Postgres

ROOT = Path(__file__).parents[2]
NAMES = tuple(service.name for service in SERVICES)
READY_S = 60.0


class Casino:
    """Every service as a process; any of them can be killed and started again."""

    def __init__(self, folder: Path, kafka: Kafka, postgres: Postgres) -> None:
        self.folder = folder
        self.kafka = kafka
        self.postgres = postgres
        self.database = f"casino_{secrets.token_hex(4)}"
        self.ports = {name: free_port() for name in NAMES}
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        key = base64.b64encode(secrets.token_bytes(32)).decode()
        sources = (f"{n}=http://127.0.0.1:{p}" for n, p in self.ports.items())
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PUSH22_KAFKA": kafka.bootstrap,
            "PUSH22_SEAL_KEYS": json.dumps({"active": "k1", "keys": {"k1": key}}),
            "PUSH22_SOURCES": ",".join(sources),
            "PUSH22_TOKEN": secrets.token_hex(16),
        }

    @property
    def settings(self) -> KafkaSettings:
        return KafkaSettings(self.kafka.bootstrap)

    @property
    def dsn(self) -> str:
        """The database, as its administrator."""
        return self.postgres.dsn(self.database)

    def prepare(self) -> None:
        """Make topics, database, schemas and roles."""
        self.postgres.create(self.database)
        self.run("migrate", "--dsn", self.dsn)
        asyncio.run(make_topics(self.settings, replicas=1))

    def run(self, *words: str) -> str:
        """Run a command of push22 to its end and return what it printed."""
        done = subprocess.run(
            [sys.executable, "-m", "push22", *words],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self, name: str) -> None:
        """Start one service; `wait` tells when it is ready."""
        role = f"push22_{name.replace('-', '_')}"
        dsn = self.postgres.dsn(self.database, role)
        with (self.folder / f"{name}.log").open("ab") as log:
            self._processes[name] = subprocess.Popen(
                [sys.executable, "-m", "push22", "serve", name]
                + ["--port", str(self.ports[name]), "--dsn", dsn],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def start_all(self) -> None:
        for name in NAMES:
            self.start(name)
        for name in NAMES:
            self.wait(name)

    def wait(self, name: str) -> None:
        """Wait until a service says that it is ready."""
        until = time.monotonic() + READY_S
        while time.monotonic() < until:
            assert self._processes[name].poll() is None, self.said(name)
            if self.status(name, "ready") == 204:
                return
            time.sleep(0.05)
        raise AssertionError(f"{name} is not ready:\n{self.said(name)}")

    def status(self, name: str, what: str) -> int:
        """Return the status of a service's /live or /ready; 0: nobody answers."""
        address = f"http://127.0.0.1:{self.ports[name]}/{what}"
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return int(error.code)
        except OSError:
            return 0

    def said(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()[-4000:]

    def kill(self, name: str) -> None:
        """End a service as a power cut would."""
        self._processes[name].kill()
        self._processes[name].wait(30)

    def stop(self, name: str) -> float:
        """Ask a service to stop; return how long it took."""
        begun = time.monotonic()
        process = self._processes[name]
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.wait(30)
        return time.monotonic() - begun

    def stop_all(self) -> None:
        for process in self._processes.values():
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in self._processes.values():
            process.wait(30)
