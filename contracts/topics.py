"""The one table of topics: who writes which, by which key, and for how long.

Deployment creates them from here. A topic holds one service's records, all types of
them; its number changes only with a breaking change.
"""

from enum import StrEnum

from contracts.base import Value

PARTITIONS = 8
"""Equal for all, so that a table's streams share a partition number (H8); fixed."""

FOREVER = -1
_DAY_MS = 24 * 60 * 60 * 1000


class Kind(StrEnum):
    EVENTS = "events"
    COMMANDS = "commands"
    CHECKPOINTS = "checkpoints"


class Key(StrEnum):
    """What the routing key of a record is (H8)."""

    TABLE = "table"
    WALLET = "wallet"
    LOG = "log"
    DESK = "desk"
    """The table id of a case's round; an access stream itself, by its person."""


class Topic(Value, frozen=True):
    """`service` owns the topic: it writes events and takes commands."""

    name: str
    kind: Kind
    service: str
    key: Key
    partitions: int = PARTITIONS
    retention_ms: int = FOREVER


def _events(context: str, service: str, key: Key) -> Topic:
    return Topic(f"push22.{context}.events.v1", Kind.EVENTS, service, key)


def _commands(context: str, service: str, key: Key) -> Topic:
    """A command older than a day is refused, so none is kept longer (H4)."""
    return Topic(
        f"push22.{context}.commands.v1",
        Kind.COMMANDS,
        service,
        key,
        retention_ms=_DAY_MS,
    )


TOPICS = (
    _events("shoe", "shoe", Key.TABLE),
    _events("table", "table-orchestrator", Key.TABLE),
    _events("settlement", "settlement", Key.TABLE),
    _events("wallet", "wallet", Key.WALLET),
    _events("desk", "desk", Key.DESK),
    _commands("table", "table-orchestrator", Key.TABLE),
    _commands("wallet", "wallet", Key.WALLET),
    _commands("desk", "desk", Key.DESK),
    Topic("push22.checkpoints.v1", Kind.CHECKPOINTS, "archive", Key.LOG, 1),
)

BY_NAME = {topic.name: topic for topic in TOPICS}


def context_of(tag: str) -> str:
    """Return the context of a wire tag: `table` of `table.hit.v1`."""
    return tag.partition(".")[0]


def topic_of_event(tag: str) -> Topic:
    return BY_NAME[f"push22.{context_of(tag)}.events.v1"]


def topic_of_command(tag: str) -> Topic:
    return BY_NAME[f"push22.{context_of(tag)}.commands.v1"]
