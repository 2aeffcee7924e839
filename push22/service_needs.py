"""What a service of the distributed casino needs from where it is started."""

import os
import socket

from push22.casino import SERVICES
from push22.errors import Failure
from runtime.ambient import KeyRing
from runtime.pull import addresses, token
from runtime.service import Service, needs_nothing

GATEWAY_PORT = 8022
PORTS = {
    "shoe": 8101,
    "table-orchestrator": 8102,
    "settlement": 8103,
    "wallet": 8104,
    "archive": 8105,
    "desk": 8106,
}
"""Each listens at its own, so that all of them run on one machine."""


def sources() -> dict[str, str]:
    """Return where each log's service is asked: on this machine, unless told."""
    here = {s.name: f"http://127.0.0.1:{PORTS[s.name]}" for s in SERVICES}
    return here | addresses()


def needed_token() -> str:
    """Return $PUSH22_TOKEN. Without it nobody could ask a service for lost records."""
    found = token()
    if not found.strip(", "):
        reason = "is not set: give all services the same one, of: openssl rand -hex 32"
        raise Failure("PUSH22_TOKEN", reason, exit_code=2)
    return found


def keys_of(service: Service) -> KeyRing:
    """Return the keys of $PUSH22_SEAL_KEYS; who never seals may go without.

    Such a service signs its snapshots with a key of this process alone. The next one
    takes them for forged, and reads the streams from their beginning.
    """
    is_sealing = any(d.needs is not needs_nothing for d in service.deciders.values())
    if is_sealing or os.environ.get("PUSH22_SEAL_KEYS"):
        return KeyRing.from_environment()
    return KeyRing.in_memory()


def bound(place: tuple[str, int]) -> socket.socket:
    """Take the port before anything else is begun; nobody is let in yet."""
    host, port = place
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    taken = socket.socket(family)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind(place)
    except OSError as error:
        taken.close()
        reason = f"{error.strerror or error}; choose another --port"
        raise Failure(f"{host}:{port}", reason) from error
    return taken
