"""Kafka and PostgreSQL for tests: in containers, or as processes of this machine.

PUSH22_E2E says which: `docker`, `local` or `skip`. Without it, containers are taken
where an engine and the images are there, and processes otherwise; nothing found fails.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import pytest

from tests.e2e import brokers, images
from tests.e2e.distributed import Casino
from tests.e2e.images import AnyKafka, AnyPostgres
from tests.postgres import Postgres, Unavailable, temporary_folder

CHOICE = "PUSH22_E2E"

Server = TypeVar("Server", AnyKafka, AnyPostgres)


@pytest.fixture(scope="session")
def kafka() -> Iterator[str]:
    """The bootstrap address of a broker that all tests share; none may break it."""
    with running(local_kafka, images.Kafka) as server:
        yield server.bootstrap


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The superuser's address of a database on a server that all tests share."""
    with running(local_postgres, images.Postgres) as server:
        server.create("push22")
        yield server.dsn("push22")


@pytest.fixture
def own_kafka() -> Iterator[AnyKafka]:
    """A broker of this test's own, to be killed, paused and started again."""
    with running(local_kafka, images.Kafka) as server:
        yield server


@pytest.fixture
def own_postgres() -> Iterator[AnyPostgres]:
    """A server of this test's own, to be killed, paused and started again."""
    with running(local_postgres, images.Postgres) as server:
        yield server


@pytest.fixture(scope="module")
def casino(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Casino]:
    """A running casino that all tests of a module play at."""
    folder = tmp_path_factory.mktemp("casino")
    with (
        running(local_kafka, images.Kafka) as kafka,
        running(local_postgres, images.Postgres) as postgres,
    ):
        made = Casino(folder, kafka, postgres)
        made.prepare()
        try:
            made.start_all()
            yield made
        finally:
            made.stop_all()


@contextmanager
def running(
    local: Callable[[], Server], contained: Callable[[], Server]
) -> Iterator[Server]:
    """Start a server where the choice falls, and throw it away in the end."""
    server = contained() if chosen() == "docker" else local()
    try:
        server.start()
        yield server
    except Unavailable as reason:
        pytest.fail(f"{reason}\n{images.missing() or 'Docker was not asked for'}")
    finally:
        server.remove()


def chosen() -> str:
    """Return `docker` or `local`; skip or fail where neither is wanted or there."""
    choice = os.environ.get(CHOICE, "")
    if choice == "skip":
        pytest.skip(f"{CHOICE}=skip")
    if choice not in ("", "docker", "local"):
        pytest.fail(f"{CHOICE}={choice}: it is docker, local or skip", pytrace=False)
    reason = "" if choice == "local" else images.missing()
    if choice == "docker" and reason:
        pytest.fail(f"{CHOICE}=docker, but {reason}", pytrace=False)
    return "local" if reason or choice == "local" else "docker"


def local_kafka() -> brokers.Kafka:
    return brokers.Kafka(temporary_folder("push22-kafka-"))


def local_postgres() -> Postgres:
    return Postgres(temporary_folder("push22-pg-"), port=brokers.free_port())
