"""`push22 migrate`, as an administrator meets it."""

import pytest
from postgres_cluster import Cluster

from push22.__main__ import run
from push22.casino import SERVICES
from runtime.postgres_migrations import newest
from runtime.postgres_roles import schema_of

Said = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PUSH22_DSN", raising=False)


def test_all_services_get_their_logs_and_then_nothing_more(
    cluster: Cluster, empty_database: str, capsys: Said
) -> None:
    """It says what it did; run again it says that there is nothing to do."""
    dsn = cluster.dsn(empty_database)
    assert run(["migrate", "--dsn", dsn]) == 0
    first = capsys.readouterr().out
    assert run(["migrate", "--dsn", dsn]) == 0
    again = capsys.readouterr().out.splitlines()

    for service in SERVICES:
        assert f"schema {schema_of(service.name)}: 0001_log applied\n" in first
    assert len(again) == len(SERVICES)
    assert all(line.endswith("nothing to do") for line in again)


def test_one_service_is_named_and_gets_its_password(
    cluster: Cluster,
    empty_database: str,
    capsys: Said,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Database and password come from the environment; the password is not shown."""
    monkeypatch.setenv("PUSH22_DSN", cluster.dsn(empty_database))
    monkeypatch.setenv("PUSH22_PASSWORD_TABLE_ORCHESTRATOR", "open sesame")
    monkeypatch.setenv("PUSH22_PASSWORD_SHOE", "not asked for")

    assert run(["migrate", "--service", "table-orchestrator"]) == 0
    said = capsys.readouterr().out

    assert "role push22_table_orchestrator: password set\n" in said
    assert "sesame" not in said
    assert "shoe" not in said
    schemas = "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'push22%'"
    found = cluster.execute(schemas, empty_database)
    assert found == [("push22_table_orchestrator",)]


@pytest.mark.parametrize(
    ("words", "exit_code", "said"),
    [
        ([], 2, "give --dsn or PUSH22_DSN"),
        (["--dsn", "mysql://x"], 2, "give --dsn or PUSH22_DSN"),
        (["--dsn", "postgresql://x/y", "--service", "bank"], 2, "no service bank"),
        (["--dsn", "postgresql://u:secret@/x?host=/none"], 1, "postgresql /none/x"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    words: list[str], exit_code: int, said: str, capsys: Said
) -> None:
    """No traceback, and no password."""
    assert run(["migrate", *words]) == exit_code
    error = capsys.readouterr().err

    assert error.startswith("push22: ")
    assert said in error
    assert error.count("\n") == 1
    assert "secret" not in error


def test_a_newer_schema_is_refused(
    cluster: Cluster, empty_database: str, capsys: Said
) -> None:
    """An old program leaves the log of a newer one alone."""
    dsn = cluster.dsn(empty_database)
    assert run(["migrate", "--dsn", dsn, "--service", "shoe"]) == 0
    sql = "INSERT INTO push22_shoe.schema_versions VALUES (99, 'later')"
    cluster.execute(sql, empty_database)

    assert run(["migrate", "--dsn", dsn]) == 1
    assert f"schema 99, this version knows {newest()}" in capsys.readouterr().err
