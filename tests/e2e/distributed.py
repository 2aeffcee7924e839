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
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import asyncpg

from push22.casino import SERVICES
from runtime.kafka_settings import KafkaSettings
from runtime.postgres_roles import schema_of
from runtime.topics_admin import make_topics
from tests.e2e.brokers import free_port
from tests.e2e.images import PASSWORD, AnyKafka, AnyPostgres
from tests.local_server import spawned
from tests.postgres import outlives_nobody

ROOT = Path(__file__).parents[2]
NAMES = tuple(service.name for service in SERVICES)
ARCHIVE = "archive"
ALL = (*NAMES, ARCHIVE)
READY_S = 120.0
COMMAND_S = 600.0
"""No command of push22 takes longer, however much was played."""


CUT = """
    CREATE TABLE kept_records AS TABLE {schema}.records;
    CREATE TABLE kept_heads AS TABLE {schema}.heads;
    ALTER TABLE {schema}.records DISABLE TRIGGER ALL;
    ALTER TABLE {schema}.heads DISABLE TRIGGER ALL;
    DELETE FROM {schema}.records r USING {schema}.heads h
    WHERE r.part = h.part AND r."offset" = h.next_offset - 1 AND r."offset" > 1;
    UPDATE {schema}.heads h SET next_offset = next_offset - 1, hash = r.hash
    FROM {schema}.records r
    WHERE r.part = h.part AND r."offset" = h.next_offset - 2;
"""
GIVE_BACK = """
    INSERT INTO {schema}.records TABLE kept_records ON CONFLICT DO NOTHING;
    UPDATE {schema}.heads h SET next_offset = k.next_offset, hash = k.hash
    FROM kept_heads k WHERE k.part = h.part;
    ALTER TABLE {schema}.records ENABLE ALWAYS TRIGGER records_stay;
    ALTER TABLE {schema}.heads ENABLE ALWAYS TRIGGER heads_go_forward;
    DROP TABLE kept_records, kept_heads;
"""


def _word(service: str) -> str:
    return schema_of(service).removeprefix("push22_").upper()


class Casino:
    """Every service as a process; any of them can be killed and started again."""

    def __init__(self, folder: Path, kafka: AnyKafka, postgres: AnyPostgres) -> None:
        self.folder = folder
        self.kafka = kafka
        self.postgres = postgres
        self.database = f"casino_{secrets.token_hex(4)}"
        self.ports = {name: free_port() for name in ALL}
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
            **{f"PUSH22_PASSWORD_{_word(name)}": PASSWORD for name in NAMES},
        }

    @property
    def processes(self) -> list[subprocess.Popen[bytes]]:
        """What runs, or has run, of all services."""
        return list(self._processes.values())

    @property
    def settings(self) -> KafkaSettings:
        return KafkaSettings(self.kafka.bootstrap)

    @property
    def archive(self) -> str:
        """The directory of the archive's copy."""
        return str(self.folder / "archive")

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
        done = self._done(*words)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def told(self, *words: str) -> str:
        """Return what a command prints that may have found something wrong."""
        return self._done(*words).stdout

    def refusal(self, *words: str) -> str:
        """Run a command that must refuse; return why."""
        done = self._done(*words)
        assert done.returncode == 1, done.stdout + done.stderr
        return done.stderr

    def _done(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "push22", *words],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=COMMAND_S,
            check=False,
        )

    def start(self, name: str, *before: str, **variables: str) -> None:
        """Start one service; `wait` tells when it is ready.

        `before`: words to put before the program's own, in place of `-m push22`.
        """
        port = self.ports[name]
        where = ["--data", self.archive]
        if name != ARCHIVE:
            where = ["--dsn", self.postgres.dsn(self.database, schema_of(name))]
        program = [sys.executable, *(before or ("-m", "push22"))]
        words = ["serve", name, "--port", str(port), *where]
        self._processes[name] = spawned(
            [*outlives_nobody("KILL"), *program, *words],
            self.folder / f"{name}.log",
            environment={**self.environment, **variables},
        )

    def start_all(self) -> None:
        for name in ALL:
            self.start(name)
        for name in ALL:
            self.wait(name)

    def wait(self, name: str) -> None:
        """Wait until a service says that it is ready."""
        until = time.monotonic() + READY_S
        while time.monotonic() < until:
            assert self._processes[name].poll() is None, self.said(name)
            if self.status(name, "ready") == 200:
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

    def pause(self, name: str) -> None:
        """Let a service stand still, as a machine that swaps does, until `resume`."""
        self._processes[name].send_signal(signal.SIGSTOP)

    def stands_still(self, name: str) -> bool:
        """Tell whether the kernel has a service stopped, not only asked to be."""
        pid = self._processes[name].pid
        told = Path(f"/proc/{pid}/stat").read_text()
        return told.rpartition(")")[2].split()[0] == "T"

    def resume(self, name: str) -> None:
        self._processes[name].send_signal(signal.SIGCONT)

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
                process.send_signal(signal.SIGCONT)
                process.send_signal(signal.SIGTERM)
        for process in self._processes.values():
            process.wait(30)

    def start_second(self, name: str) -> subprocess.Popen[bytes]:
        """Start another instance of a service beside the one that runs."""
        known, port = self._processes[name], self.ports[name]
        self.ports[name] = free_port()
        try:
            self.start(name)
            self.wait(name)
            return self._processes[name]
        finally:
            self._processes[name], self.ports[name] = known, port

    def end_second(self, second: subprocess.Popen[bytes]) -> None:
        second.kill()
        second.wait(30)

    def refused(self, name: str) -> str:
        """Wait until a service gives up, and return what it said."""
        assert self._processes[name].wait(60) != 0
        return self.said(name)

    async def disconnect(self, name: str) -> None:
        """End all sessions of a service, as a failover to another server does."""
        connection = await asyncpg.connect(self.dsn)
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1",
            schema_of(name),
        )
        await connection.close()

    async def ask(self, name: str, sql: str) -> Any:
        """Return one value from a service's schema."""
        connection = await asyncpg.connect(
            self.dsn, server_settings={"search_path": schema_of(name)}
        )
        try:
            return await connection.fetchval(sql)
        finally:
            await connection.close()

    async def lose_tail(self, name: str) -> Callable[[], Awaitable[None]]:
        """Cut the last records off a log, as an old backup would; return the way back.

        Only whoever owns the database can: the triggers have to be put aside.
        """
        schema = schema_of(name)
        connection = await asyncpg.connect(self.dsn)
        await connection.execute(CUT.format(schema=schema))
        await connection.close()
        return lambda: self._give_tail_back(schema)

    async def _give_tail_back(self, schema: str) -> None:
        connection = await asyncpg.connect(self.dsn)
        await connection.execute(GIVE_BACK.format(schema=schema))
        await connection.close()
