"""What a topic should be like, and in what one that is there is otherwise.

Pure: `runtime/topics_admin.py` asks the broker. Only what may lose or refuse records
is a risk; a topic that keeps more, or more safely, than it need is otherwise and well.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from contracts.topics import FOREVER, Topic

RECORD_BYTES_MAX = 1024 * 1024
PARTITIONS = "partitions"
COPIES = "copies"
IN_STEP = "min.insync.replicas"
_REPLICAS_OF_TWO = 3
"""So many copies may lose one and take records still; of two, neither could be lost."""


class Found(NamedTuple):
    """A topic as its broker tells it; of its partitions, the one with the fewest."""

    partitions: int
    copies: int
    in_step: int
    settings: Mapping[str, str]


class Difference(NamedTuple):
    """`risk` says what may be lost or refused; without one it is harmless."""

    what: str
    there: str
    wanted: str
    risk: str = ""

    def __str__(self) -> str:
        line = f"{self.what} is {self.there}, wanted {self.wanted}"
        return f"UNSAFE: {line}: {self.risk}" if self.risk else f"otherwise: {line}"


def settings_of(topic: Topic, copies: int) -> dict[str, str]:
    """Return what a topic is made with, of so many copies."""
    return {
        # acks=all waits for the copies that are in step, and that may be the leader
        # alone: two of three have a record before anybody is told that it is kept.
        IN_STEP: "2" if copies >= _REPLICAS_OF_TWO else "1",
        "retention.ms": str(topic.retention_ms),
        # A broker may have a bound of its own for topics that say nothing.
        "retention.bytes": str(FOREVER),
        "cleanup.policy": "delete",
        "max.message.bytes": str(RECORD_BYTES_MAX),
        # A record has its own time within. The broker would refuse one whose sender's
        # clock runs an hour ahead, and keep commands by clocks that it does not know.
        "message.timestamp.type": "LogAppendTime",
    }


def differences(topic: Topic, found: Found, replicas: int) -> list[Difference]:
    """Return in what a topic is otherwise than the table says, of so many replicas."""
    return [*_shape(topic, found, replicas), *_settings(topic, found)]


def is_mendable(difference: Difference, found: Found) -> bool:
    """Whether setting it makes it safe, takes no record and stops nobody who writes."""
    if not difference.risk or difference.what not in found.settings:
        return False
    return difference.what != IN_STEP or found.in_step >= int(difference.wanted)


def _shape(topic: Topic, found: Found, replicas: int) -> Iterator[Difference]:
    if found.partitions != topic.partitions:
        yield Difference(
            PARTITIONS,
            str(found.partitions),
            str(topic.partitions),
            "their number never changes, records would be looked for in others",
        )
    if found.copies < replicas:
        yield Difference(
            COPIES, str(found.copies), str(replicas), "fewer brokers may be lost"
        )


def _settings(topic: Topic, found: Found) -> Iterator[Difference]:
    for what, wanted in settings_of(topic, found.copies).items():
        there = found.settings[what]
        if there == wanted:
            continue
        if what == IN_STEP:
            risk = _risk_of_copies(int(there), int(wanted), found.copies)
        else:
            risk = _risk(what, there, wanted)
        yield Difference(what, there, wanted, risk)


def _risk_of_copies(there: int, wanted: int, copies: int) -> str:
    if there > copies:
        return f"of {copies} copies it takes no record"
    return "a record may be lost that counts as kept" if there < wanted else ""


def _risk(what: str, there: str, wanted: str) -> str:
    match what:
        case "retention.ms" | "retention.bytes":
            is_shorter = int(there) != FOREVER and (
                int(wanted) == FOREVER or int(there) < int(wanted)
            )
            return "it deletes records that are needed" if is_shorter else ""
        case "max.message.bytes":
            is_less = int(there) < int(wanted)
            return "it refuses records that are logged" if is_less else ""
        case "cleanup.policy":
            return "of each key it keeps the last record only"
        case _:
            return "it refuses records of a clock that runs ahead"
