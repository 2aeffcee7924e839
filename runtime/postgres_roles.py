"""Who may do what in PostgreSQL: an owner that migrates, and one role per service.

A service reads and adds records; it can neither change nor remove one, nor look into
another service's schema.
"""

import base64
import hashlib
import hmac
import re
import secrets
from typing import Any, TypeAlias

import asyncpg

OWNER = "push22_owner"

GRANTS = {
    "schema_versions": "SELECT",
    "log": "SELECT",
    "heads": "SELECT, UPDATE (next_offset, hash, alive_at)",
    "records": "SELECT, INSERT",
    "positions": "SELECT, INSERT, UPDATE",
    "answers": "SELECT, INSERT, DELETE",
    "agenda": "SELECT, INSERT, DELETE",
    "snapshots": "SELECT, INSERT, UPDATE",
    "parked": "SELECT, INSERT, UPDATE (verdict, decided_by, why)",
    "published": 'SELECT, UPDATE ("offset")',
    "leases": "SELECT, INSERT, UPDATE",
    "incarnations": "SELECT",
    "accepted": "SELECT",
}
"""Everything a service may do in its own schema, by table."""

_SERVICE = re.compile(r"[a-z][a-z0-9-]{0,40}")
_SCRAM_ROUNDS = 4096

# The driver is generic to the type checker only.
Connection: TypeAlias = "asyncpg.Connection[Any]"


def schema_of(service: str) -> str:
    """Return the name of a service's schema, which is also that of its role."""
    if _SERVICE.fullmatch(service) is None:
        raise ValueError(f"{service!r} names no service")
    return f"push22_{service.replace('-', '_')}"


async def ensure_role(connection: Connection, role: str, *, login: bool) -> bool:
    """Create a role without any right of its own; tell whether it is new."""
    sql = "SELECT 1 FROM pg_roles WHERE rolname = $1"
    if await connection.fetchval(sql, role):
        return False
    try:
        async with connection.transaction():
            await connection.execute(
                f"CREATE ROLE {role} {'LOGIN' if login else 'NOLOGIN'}"
                " NOSUPERUSER NOCREATEDB NOCREATEROLE"
            )
    except (asyncpg.DuplicateObjectError, asyncpg.UniqueViolationError):
        # Roles are shared by all databases: another one was migrated just now.
        return False
    return True


async def become_owner_at_will(connection: Connection) -> None:
    """Let whoever migrates act as the owner."""
    me = await connection.fetchval("SELECT current_user")
    sql = "SELECT pg_has_role(current_user, $1, 'MEMBER')"
    if not await connection.fetchval(sql, OWNER):
        await connection.execute(f'GRANT {OWNER} TO "{me}"')


async def set_password(connection: Connection, service: str, password: str) -> str:
    """Store a verifier, made here: the password appears in no server's log."""
    role = schema_of(service)
    verifier = scram_verifier(password, secrets.token_bytes(16))
    await connection.execute(f"ALTER ROLE {role} PASSWORD '{verifier}'")
    return f"role {role}: password set"


async def grant(connection: Connection, schema: str) -> None:
    """Give a service exactly what it needs, and take anything else away."""
    await connection.execute(f"REVOKE ALL ON SCHEMA {schema} FROM PUBLIC, {schema}")
    await connection.execute(
        f"REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM PUBLIC, {schema}"
    )
    await connection.execute(f"GRANT USAGE ON SCHEMA {schema} TO {schema}")
    for table, rights in GRANTS.items():
        await connection.execute(f"GRANT {rights} ON {schema}.{table} TO {schema}")


def scram_verifier(password: str, salt: bytes) -> str:
    """Return what PostgreSQL stores of a password (RFC 5803)."""
    if not (password.isascii() and password.isprintable() and password):
        raise ValueError("a password consists of printable ASCII characters")
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, _SCRAM_ROUNDS)
    stored = hashlib.sha256(_hmac(salted, b"Client Key")).digest()
    server = _hmac(salted, b"Server Key")
    return (
        f"SCRAM-SHA-256${_SCRAM_ROUNDS}:{_base64(salt)}"
        f"${_base64(stored)}:{_base64(server)}"
    )


def _hmac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")


def _base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
