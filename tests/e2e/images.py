"""Kafka and PostgreSQL in containers, by testcontainers; the verbs are the local ones.

Each has a host port of its own that it keeps, so that it can be started again. No
reaper runs: it would need an image that a sealed network does not have.
"""

import asyncio
import os
import time
from abc import ABC, abstractmethod
from pathlib import Path

os.environ["TESTCONTAINERS_RYUK_DISABLED"] = "true"

import docker
from docker.errors import DockerException, ImageNotFound
from docker.models.containers import Container
from testcontainers.core.container import DockerContainer

from tests import postgres
from tests.e2e import brokers
from tests.e2e.brokers import ROOT, answers, free_port, leads
from tests.local_server import BOUND_S
from tests.postgres import Unavailable

_BUILT = ROOT / "build" / "airgap" / "images.env"
_USUAL = {"KAFKA_IMAGE": "apache/kafka:4.1.1", "POSTGRES_IMAGE": "postgres:17"}
PASSWORD = "push22"
_CLUSTER = "5L6g3nShT-eMCtK--X86sw"


class _Contained(ABC):
    """A container that can be killed, paused and started again on the same port."""

    def __init__(self, image: str, inside: int) -> None:
        self.port = free_port()
        self._is_made = False
        self._made = DockerContainer(image).with_bind_ports(inside, self.port)

    def start(self) -> None:
        if self._is_made:
            self._container.start()
        else:
            self._made.start()
            self._is_made = True
        until = time.monotonic() + BOUND_S
        while time.monotonic() < until:
            if self._is_ready():
                return
            time.sleep(0.1)
        raise Unavailable(self._container.logs(tail=40).decode())

    def stop(self) -> None:
        self._container.stop(timeout=20)

    def remove(self) -> None:
        """Throw it away with what it holds."""
        self._made.stop()

    def kill(self) -> None:
        self._container.kill()
        self._container.wait(timeout=BOUND_S)

    def pause(self) -> None:
        self._container.pause()

    def resume(self) -> None:
        self._container.unpause()

    @property
    def _container(self) -> Container:
        return self._made.get_wrapped_container()

    @abstractmethod
    def _is_ready(self) -> bool:
        """Tell whether the server serves clients."""


class Kafka(_Contained):
    """A broker in a container."""

    def __init__(self) -> None:
        super().__init__(image_of("KAFKA_IMAGE"), 9094)
        self.bootstrap = f"127.0.0.1:{self.port}"
        # Apache's image takes no line from a file as soon as one such variable is set.
        self._made.with_envs(
            CLUSTER_ID=_CLUSTER,
            KAFKA_PROCESS_ROLES="broker,controller",
            KAFKA_NODE_ID="1",
            KAFKA_CONTROLLER_QUORUM_VOTERS="1@localhost:9093",
            KAFKA_CONTROLLER_LISTENER_NAMES="CONTROLLER",
            KAFKA_INTER_BROKER_LISTENER_NAME="BROKER",
            KAFKA_LISTENERS="BROKER://:9092,CONTROLLER://:9093,HOST://:9094",
            KAFKA_ADVERTISED_LISTENERS="BROKER://localhost:9092,"
            f"HOST://{self.bootstrap}",
            KAFKA_LISTENER_SECURITY_PROTOCOL_MAP="BROKER:PLAINTEXT,HOST:PLAINTEXT,"
            "CONTROLLER:PLAINTEXT",
            KAFKA_LOG_DIRS="/var/lib/kafka/data",
            KAFKA_AUTO_CREATE_TOPICS_ENABLE="false",
            KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR="1",
            KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR="1",
            KAFKA_TRANSACTION_STATE_LOG_MIN_ISR="1",
            KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS="0",
            KAFKA_HEAP_OPTS="-Xms256m -Xmx512m",
        )

    def _is_ready(self) -> bool:
        return answers(self.port) and asyncio.run(
            leads({"bootstrap_servers": self.bootstrap})
        )


class Postgres(_Contained):
    """A server in a container."""

    def __init__(self) -> None:
        super().__init__(image_of("POSTGRES_IMAGE"), 5432)
        self._made.with_env("POSTGRES_PASSWORD", PASSWORD)

    def dsn(self, database: str = "postgres", role: str = "postgres") -> str:
        return f"postgresql://{role}:{PASSWORD}@127.0.0.1:{self.port}/{database}"

    def create(self, database: str) -> None:
        words = ["createdb", "--username=postgres", database]
        done = self._container.exec_run(words)
        assert done.exit_code == 0, done.output.decode()

    def _is_ready(self) -> bool:
        # Over the network: while the cluster is made, only the socket answers.
        words = ["pg_isready", "--quiet", "--host=127.0.0.1", "--username=postgres"]
        return self._container.exec_run(words).exit_code == 0


AnyKafka = brokers.Kafka | Kafka
AnyPostgres = postgres.Postgres | Postgres
"""What the fixtures lend: a server that a test may break, wherever it runs."""


def missing() -> str:
    """Tell why no container can be used here; nothing if one can."""
    try:
        engine = docker.from_env(timeout=10)
    except DockerException as reason:
        return f"no Docker engine: {reason}"
    try:
        for name in _USUAL:
            engine.images.get(image_of(name))
    except ImageNotFound as reason:
        return f"no image: {reason.explanation}. Run `make images`"
    finally:
        engine.close()
    return ""


def image_of(name: str) -> str:
    """Name an image: from the environment, as it was built here, or the usual one."""
    return os.environ.get(name) or _built(_BUILT).get(name) or _USUAL[name]


def _built(file: Path) -> dict[str, str]:
    if not file.exists():
        return {}
    lines = file.read_text().splitlines()
    return {name: value for name, _, value in (line.partition("=") for line in lines)}
