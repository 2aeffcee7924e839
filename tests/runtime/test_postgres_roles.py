"""Who may do what: the service's role, the owner, and whoever migrates."""

import asyncio

import asyncpg
import pytest
from log_backends import draft
from postgres_cluster import Cluster, execute
from postgres_place import Place

from runtime.log import Batch, LogUnavailable, NewerSchema
from runtime.log_postgres import PostgresLog
from runtime.postgres_migrations import migrate, migrations, newest
from runtime.postgres_roles import GRANTS, schema_of

CHANGES = [
    "UPDATE records SET body = ''",
    "DELETE FROM records",
    "TRUNCATE records",
]


@pytest.fixture
def written(place: Place) -> Place:
    """A log with one record."""

    async def write() -> None:
        async with place.log() as log:
            await log.append(Batch(1, [draft("a-1", 1)]))

    asyncio.run(write())
    return place


@pytest.mark.parametrize(
    "sql",
    [
        *CHANGES,
        "DROP TABLE records",
        "ALTER TABLE records DISABLE TRIGGER ALL",
        "DROP TRIGGER records_stay ON records",
        "DELETE FROM heads",
        "UPDATE log SET incarnation = 'x'",
        "UPDATE answers SET outcome = ''",
        "DELETE FROM parked",
        "DELETE FROM leases",
        "UPDATE parked SET body = ''",
        "INSERT INTO schema_versions VALUES (99, 'x')",
        "CREATE TABLE more (a int)",
        "SET ROLE push22_owner",
    ],
)
async def test_a_service_can_only_add(written: Place, sql: str) -> None:
    """Its role may not change a record, nor anything that keeps records."""
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await execute(f"{written.service}&search_path=push22_toy", sql)
    assert await written.execute("SELECT count(*) FROM records") == [(1,)]


@pytest.mark.parametrize("table", GRANTS)
async def test_a_service_sees_nothing_of_another_one(place: Place, table: str) -> None:
    """Services share a database, but no table: not even to read."""
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="push22_echo"):
        await execute(place.service, f"SELECT * FROM push22_echo.{table}")


@pytest.mark.parametrize("sql", CHANGES)
@pytest.mark.parametrize("role", ["postgres", "push22_owner"])
async def test_nobody_changes_a_record(written: Place, sql: str, role: str) -> None:
    """The owner and the superuser meet the triggers, even while replicating."""
    replicating = "SET session_replication_role = replica; " if role[0] == "p" else ""
    connection = await asyncpg.connect(f"{written.admin}&search_path=push22_toy")
    await connection.execute(f"{replicating}SET ROLE {role}")
    with pytest.raises(asyncpg.RestrictViolationError, match="law 7"):
        await connection.execute(sql)
    await connection.close()
    assert await written.execute("SELECT count(*) FROM records") == [(1,)]


@pytest.mark.parametrize("sql", ["next_offset = 1", "part = 7"])
async def test_a_head_only_goes_forward(written: Place, sql: str) -> None:
    """A head that went back would give an offset twice."""
    with pytest.raises(asyncpg.RestrictViolationError, match="only goes forward"):
        await written.execute(f"UPDATE heads SET {sql}")


async def test_every_table_has_its_grants(place: Place) -> None:
    """No table is forgotten, and none is open to all."""
    sql = """
        SELECT relname FROM pg_class
        WHERE relkind = 'r' AND relnamespace = $1::regnamespace
    """
    found = {row[0] for row in await place.execute(sql, "push22_toy")}
    assert found == set(GRANTS)


async def test_migrating_again_changes_nothing(place: Place) -> None:
    """Records, incarnation and grants are as they were; stray grants are gone."""
    async with place.log() as log:
        await log.append(Batch(1, [draft("a-1", 1)]))
        before = log.incarnation
    await place.execute("GRANT DELETE, UPDATE ON records TO push22_toy, PUBLIC")

    said = await migrate(place.admin, ["toy"])

    assert said == [f"schema push22_toy: at {newest()}, nothing to do"]
    async with place.log() as log:
        assert log.incarnation == before
        assert len(await log.read(0, 0, 10)) == 1
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await execute(place.service, "DELETE FROM push22_toy.records")


async def test_a_newer_schema_is_not_touched(place: Place) -> None:
    """One newer schema stops the migration of all, with both numbers."""
    await place.execute("INSERT INTO schema_versions VALUES (99, 'later')")
    with pytest.raises(NewerSchema, match="push22_toy has schema 99"):
        await migrate(place.admin, ["third", "toy"])
    sql = "SELECT FROM pg_namespace WHERE nspname = 'push22_third'"
    assert not await place.execute(sql)


async def test_a_log_that_was_never_migrated_says_what_to_do(
    cluster: Cluster, empty_database: str
) -> None:
    """A service creates nothing itself: it has no right to."""
    with pytest.raises(LogUnavailable, match="run push22 migrate"):
        await PostgresLog.open(cluster.dsn(empty_database), "toy")


async def test_migrations_at_the_same_time_wait_for_each_other(
    cluster: Cluster, empty_database: str
) -> None:
    """Every process of a roll-out may try: one does it."""
    dsn = cluster.dsn(empty_database)
    said = await asyncio.gather(*[migrate(dsn, ["toy", "echo"]) for _ in range(4)])

    applied = [line for lines in said for line in lines if "applied" in line]
    assert sorted(applied) == [
        f"schema push22_{service}: {name} applied"
        for service in ("echo", "toy")
        for _, name, _ in migrations()
    ]


async def test_a_migration_that_fails_leaves_nothing(
    cluster: Cluster, empty_database: str
) -> None:
    """Each is one transaction: after a fault it can be run again."""
    dsn = cluster.dsn(empty_database)
    with pytest.raises(LogUnavailable, match="log_partitions_check"):
        await migrate(dsn, ["toy"], partitions=-1)
    assert not await execute(dsn, "SELECT FROM pg_namespace WHERE nspname ~ 'toy'")
    await migrate(dsn, ["toy"])


async def test_an_administrator_need_not_be_a_superuser(
    cluster: Cluster, empty_database: str
) -> None:
    """Who may create roles and schemas in this database can migrate it."""
    admin = cluster.dsn(empty_database)
    await execute(admin, "DROP ROLE IF EXISTS mover")
    await execute(admin, "CREATE ROLE mover LOGIN CREATEROLE")
    await execute(admin, f"GRANT CREATE ON DATABASE {empty_database} TO mover")

    said = await migrate(cluster.dsn(empty_database, "mover"), ["toy", "third-one"])

    assert "schema push22_third_one: 0001_log applied" in said
    place = Place(cluster, empty_database)
    async with place.log() as log:
        await log.append(Batch(1, [draft("a-1", 1)]))


async def test_a_password_lets_a_service_in(
    cluster: Cluster, empty_database: str
) -> None:
    """It is stored as a SCRAM verifier; no other password opens the log."""
    admin = cluster.dsn(empty_database)
    await migrate(admin, ["locked"], {"locked": "correct horse"})

    def dsn(password: str) -> str:
        return cluster.dsn(empty_database, f"push22_locked:{password}")

    log = await PostgresLog.open(dsn("correct%20horse"), "locked", connections=1)
    await log.close()
    with pytest.raises(LogUnavailable, match="authentication") as refused:
        await PostgresLog.open(dsn("wrong-horse"), "locked", connections=1)
    assert "wrong-horse" not in str(refused.value)


@pytest.mark.parametrize("name", ["", "Toy", "a;b", 'a"b', "a b", "1a", "x" * 60])
def test_only_plain_words_name_a_service(name: str) -> None:
    """Its schema and role are written into statements."""
    with pytest.raises(ValueError, match="names no service"):
        schema_of(name)
