"""`push22 migrate`: make or update the roles and schemas of the logs in PostgreSQL."""

import asyncio
import os
import sys

from push22.casino import SERVICES
from push22.errors import Failure
from runtime.log import LogError
from runtime.postgres_migrations import migrate as migrated
from runtime.postgres_roles import schema_of

_NAMES = [service.name for service in SERVICES]


def migrate(*, dsn: str | None = None, service: list[str] | None = None) -> int:
    """Bring each service's role and schema in PostgreSQL to the present.

    Each service gets a role of the name of its schema, which may read and add records
    but never change them. $PUSH22_PASSWORD_<SERVICE> becomes a role's password, for
    instance $PUSH22_PASSWORD_TABLE_ORCHESTRATOR; without it none is set or changed.
    Running it again changes nothing. A newer schema is refused.

    Parameters
    ----------
    dsn
        The database, as an administrator: postgresql://user@host/database; else
        $PUSH22_DSN.
    service
        One service, and again for more of them; else all that have a log.

    """
    address = dsn or os.environ.get("PUSH22_DSN", "")
    if not address.startswith(("postgresql://", "postgres://")):
        raise Failure("migrate", "give --dsn or PUSH22_DSN: postgresql://...", 2)
    chosen = service or _NAMES
    if unknown := sorted(set(chosen) - set(_NAMES)):
        raise Failure("migrate", f"no service {', '.join(unknown)}", 2)
    try:
        done = asyncio.run(migrated(address, chosen, _passwords(chosen)))
    except (LogError, ValueError) as error:
        raise Failure("migrate", str(error)) from error
    sys.stdout.writelines(f"{line}\n" for line in done)
    return 0


def _passwords(services: list[str]) -> dict[str, str]:
    """Return the passwords that the environment gives."""
    found = {}
    for name in services:
        word = schema_of(name).removeprefix("push22_").upper()
        password = os.environ.get(f"PUSH22_PASSWORD_{word}")
        if password:
            found[name] = password
    return found
