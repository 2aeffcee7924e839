"""Whether Kafka lets us in, and if not, why.

The clients try again and again and keep the reason to themselves: a wrong password
looks like a broker that is away. So it is asked once before any of them starts.
"""

import asyncio
from typing import Any

from aiokafka.client import AIOKafkaClient
from aiokafka.conn import create_conn
from aiokafka.errors import KafkaError

from runtime.kafka_settings import KafkaSettings
from runtime.log import LogUnavailable

REACH_S = 15.0


class KafkaRefused(LogUnavailable):
    """No broker lets us in; the text says why, for each."""


async def check_reach(kafka: KafkaSettings) -> None:
    """Connect as any client would. Raises KafkaRefused within a bound."""
    settings = _client(kafka)
    reasons = []
    for server in kafka.servers:
        reason = await _refusal(server, settings)
        if not reason:
            return
        reasons.append(f"{server}: {reason}")
    raise KafkaRefused("; ".join(reasons))


def _client(kafka: KafkaSettings) -> dict[str, Any]:
    try:
        return kafka.client()
    except OSError as error:
        # Not there, or no certificates: the library names no file.
        raise KafkaRefused(f"PUSH22_KAFKA_CA: {kafka.ca}: {error}") from error


async def _refusal(server: str, settings: dict[str, Any]) -> str:
    """Return why a broker does not let us in; empty if it does."""
    host, _, port = server.rpartition(":")
    if not host or not port.isdecimal():
        return "it is no host:port"
    own = {name: value for name, value in settings.items() if name in _OF_CONNECTION}
    try:
        async with asyncio.timeout(REACH_S):
            connection = await create_conn(host.strip("[]"), int(port), **own)
            connection.close()
            await _ask({**settings, "bootstrap_servers": [server]})
    except TimeoutError:
        return f"no answer within {REACH_S:.0f} s ({settings['security_protocol']})"
    except (KafkaError, OSError) as error:
        return str(error) or type(error).__name__
    return ""


_OF_CONNECTION = frozenset(
    {
        "ssl_context",
        "security_protocol",
        "sasl_mechanism",
        "sasl_plain_username",
        "sasl_plain_password",
    }
)


async def _ask(settings: dict[str, Any]) -> None:
    """Ask who leads: what listens there may be anything."""
    client = AIOKafkaClient(**settings)
    try:
        await client.bootstrap()
    finally:
        await client.close()
