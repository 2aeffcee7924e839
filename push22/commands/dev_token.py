"""`push22 dev-token`: a support token for a gateway that was started with --dev."""

import sys
import time
from pathlib import Path

from push22.door.secrets import dev_token as made
from push22.inspect.opening import data_directory
from services.gateway.roles import Role


def dev_token(
    *, role: Role = "viewer", who: str = "developer", data: Path | None = None
) -> int:
    """Print a token of development's own issuer, good for eight hours.

    Only a gateway that was started with --dev on the same data believes it, and it
    must have been started once: it makes the key.

    Parameters
    ----------
    role
        viewer, resolver or admin.
    who
        The name that is recorded with what the token is used for.
    data
        The casino's data directory; else $PUSH22_DATA, else ./push22-data.

    """
    now = time.time_ns() // 1000
    sys.stdout.write(made(data_directory(data), who, role, now) + "\n")
    return 0
