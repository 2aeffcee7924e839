"""Fixtures of the runtime's tests."""

import os
from collections.abc import Iterator

import postgres_cluster
import pytest
from postgres_cluster import Cluster
from postgres_place import Place
from toys import toy_language

__all__ = ["toy_language"]


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """One PostgreSQL server for all tests of this process."""
    if os.environ.get(postgres_cluster.SKIP) == "1":
        pytest.skip(f"{postgres_cluster.SKIP}=1")
    started = Cluster.start()
    yield started
    started.stop()


@pytest.fixture
def database(cluster: Cluster) -> Iterator[str]:
    """A migrated database: schemas of toy and echo, one partition each."""
    with postgres_cluster.database(cluster) as name:
        yield name


@pytest.fixture
def empty_database(cluster: Cluster) -> Iterator[str]:
    """A database that was never migrated."""
    with postgres_cluster.database(cluster, "template0") as name:
        yield name


@pytest.fixture
def place(cluster: Cluster, database: str) -> Place:
    return Place(cluster, database)
