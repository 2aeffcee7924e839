"""Who may read and write what in Kafka: each service its work, and nothing else.

Derived from the one table of topics and from what each service reads. A service reads
its own topic as well: it compares its end with the log's (H3).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from contracts.topics import TOPICS, Kind
from runtime.distributed import event_topic, topics_of
from runtime.service import Service

ARCHIVE = "archive"
GATEWAY = "gateway"


class Right(NamedTuple):
    """`operation` on topics, and for readers that share partitions their group."""

    user: str
    operation: Literal["Read", "Write"]
    topics: tuple[str, ...]
    group: str = ""

    def words(self) -> list[str]:
        """Return the words after `kafka-acls.sh --add --allow-principal User:...`."""
        named = [word for topic in self.topics for word in ("--topic", topic)]
        group = ["--group", self.group] if self.group else []
        return ["--operation", self.operation, *named, *group]


def rights(services: Iterable[Service]) -> Iterator[Right]:
    """Return the table: services with a log, the archive and the gateway."""
    for service in services:
        own = event_topic(service.name).name
        read = {own, *(topic.name for topic in topics_of(service))}
        yield Right(service.name, "Write", (own,))
        group = f"push22.{service.name}"
        yield Right(service.name, "Read", tuple(sorted(read)), group)
    events = _named(Kind.EVENTS)
    yield Right(ARCHIVE, "Read", (*events, *_named(Kind.CHECKPOINTS)))
    yield Right(ARCHIVE, "Write", _named(Kind.CHECKPOINTS))
    yield Right(GATEWAY, "Read", events)
    yield Right(GATEWAY, "Write", _named(Kind.COMMANDS))


def _named(kind: Kind) -> tuple[str, ...]:
    return tuple(sorted(topic.name for topic in TOPICS if topic.kind is kind))


def commands(table: Iterable[Right], prefix: str) -> Sequence[str]:
    """Return what an administrator of Kafka runs; accounts are `<prefix><service>`."""
    return [
        " ".join(
            (
                'kafka-acls.sh --bootstrap-server "$KAFKA"',
                '--command-config "$ADMINISTRATOR" --add',
                f"--allow-principal User:{prefix}{right.user}",
                *right.words(),
            )
        )
        for right in table
    ]
