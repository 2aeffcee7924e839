"""How to reach Kafka, from the environment; and the clients with safe settings.

The defaults of the libraries lose messages: acknowledgement by one broker, positions
at the end of the topic, topics made on the fly. None of them is left as it is.
"""

import asyncio
import os
import ssl
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError
from faststream.security import BaseSecurity, SASLScram512

from contracts.topics import TOPICS, Kind
from runtime.ending import ends_within, leave_behind
from runtime.kafka_loop import refuse_other_loops
from runtime.producers import BoundedProducer

REQUEST_BYTES_MAX = 1024 * 1024
SENDING: Final[dict[str, Any]] = {
    "acks": "all",
    "enable_idempotence": True,
    "linger_ms": 0,
}
"""How records are sent: kept by all copies in step, once, in order, and at once."""

_GOOD_DEAL_BYTES = 256 * 1024
_CLOSING_S = 5.0


class KafkaSettings(msgspec.Struct, frozen=True):
    """`username` empty: no SASL; `ca` empty: no TLS."""

    bootstrap: str
    username: str = ""
    password: str = ""
    ca: str = ""

    @classmethod
    def from_environment(
        cls, values: Mapping[str, str] = os.environ
    ) -> "KafkaSettings":
        """Read PUSH22_KAFKA and its _USERNAME, _PASSWORD and _CA (a file)."""
        bootstrap = values.get("PUSH22_KAFKA", "")
        if not bootstrap:
            raise ValueError("give PUSH22_KAFKA: host:port[,host:port...]")
        return cls(
            bootstrap,
            values.get("PUSH22_KAFKA_USERNAME", ""),
            values.get("PUSH22_KAFKA_PASSWORD", ""),
            values.get("PUSH22_KAFKA_CA", ""),
        )

    @property
    def servers(self) -> list[str]:
        return self.bootstrap.split(",")

    def _tls(self) -> ssl.SSLContext | None:
        return ssl.create_default_context(cafile=self.ca) if self.ca else None

    def client(self) -> dict[str, Any]:
        """Return what every client of aiokafka is made with."""
        found: dict[str, Any] = {"bootstrap_servers": self.servers}
        if self.ca:
            found["ssl_context"] = self._tls()
        if self.username:
            found |= {
                "sasl_mechanism": "SCRAM-SHA-512",
                "sasl_plain_username": self.username,
                "sasl_plain_password": self.password,
            }
        protocol = "SASL_" * bool(self.username) + ("SSL" if self.ca else "PLAINTEXT")
        return found | {"security_protocol": protocol}

    def security(self) -> BaseSecurity | None:
        """Return the same for the broker of FastStream."""
        if self.username:
            return SASLScram512(
                username=self.username,
                password=self.password,
                ssl_context=self._tls(),
                use_ssl=bool(self.ca),
            )
        return BaseSecurity(self._tls(), use_ssl=True) if self.ca else None

    def producer(self) -> BoundedProducer:
        """Make a producer that keeps order and loses nothing it acknowledged."""
        refuse_other_loops()
        return BoundedProducer(
            **SENDING,
            max_batch_size=256 * 1024,
            max_request_size=REQUEST_BYTES_MAX,
            request_timeout_ms=20_000,
            **self.client(),
        )

    def reader(self, *, patience_ms: int = 0) -> AIOKafkaConsumer:
        """Make a consumer of no group, which is told where to read.

        With patience it waits so long for a good deal to read at once.
        """
        refuse_other_loops()
        return AIOKafkaConsumer(
            auto_offset_reset="earliest",
            enable_auto_commit=False,
            fetch_min_bytes=_GOOD_DEAL_BYTES if patience_ms else 1,
            fetch_max_wait_ms=patience_ms or 500,
            **self.client(),
        )


def event_places() -> list[TopicPartition]:
    """Return every partition of every event topic: what a reader of all is told."""
    return [
        TopicPartition(topic.name, part)
        for topic in TOPICS
        if topic.kind is Kind.EVENTS
        for part in range(topic.partitions)
    ]


async def end(consumer: AIOKafkaConsumer) -> None:
    """Stop a consumer whose work is done; a broker that is away holds up nobody.

    Nothing waits for it any longer, also not for its answer to being cancelled.
    """
    ending = asyncio.ensure_future(consumer.stop())
    if not await ends_within(_CLOSING_S, ending):
        leave_behind(ending)
        return
    with suppress(KafkaError, OSError):
        ending.result()
