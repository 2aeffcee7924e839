"""What a mirror takes in of one partition: checked, and held until it can be placed.

Repeats are dropped. After a gap nothing is held: the source is read again. At the first
record that does not fit (H9) the source is halted.
"""

from collections import deque
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

import msgspec

from runtime.lineage import is_earlier
from runtime.log import NO_HASH, Record
from runtime.sqlite_places import Places

HELD_MAX = 1000
"""So many records of a source are kept in memory: the rest is read again later."""


class SourceName(NamedTuple):
    """A partition of a service's log."""

    service: str
    partition: int

    def __str__(self) -> str:
        return f"{self.service}/{self.partition}"


@dataclass(slots=True)
class MirroredLog:
    """A service's log. The first record says which incarnation it is of."""

    incarnation: str
    places: Places
    is_registered: bool = False

    def may_hold(self, incarnation: str) -> bool:
        """Tell whether a record is of this log: earlier or later, but no other."""
        known = self.incarnation or incarnation
        return is_earlier(incarnation, known) or is_earlier(known, incarnation)

    def learn(self, incarnation: str) -> None:
        """Remember the latest incarnation, which is to be written down."""
        if is_earlier(incarnation, self.incarnation or incarnation):
            incarnation = self.incarnation or incarnation
        self.is_registered = self.is_registered and incarnation == self.incarnation
        self.incarnation = incarnation


class _Cause(msgspec.Struct, gc=False):
    kind: str
    id: str


class _Place(msgspec.Struct, gc=False):
    """The part of an envelope that says where it belongs, and what it answers."""

    id: str
    type: str
    service: str
    log: str
    partition: int
    offset: int
    stream: str
    version: int
    round_id: str = ""
    cause: _Cause | None = None


_PLACE = msgspec.json.Decoder(_Place)


class Held(NamedTuple):
    """A record, and the id of the record that it answers; empty if it answers none."""

    record: Record
    cause: str


class Source:
    """A partition: what is held of it, and where that ends."""

    __slots__ = ("halted", "hash", "held", "log", "name", "offset")

    def __init__(
        self, name: SourceName, log: MirroredLog, offset: int = 0, link: bytes = NO_HASH
    ) -> None:
        self.name = name
        self.log = log
        self.offset = offset
        self.hash = link
        self.held: deque[Held] = deque()
        self.halted = ""

    @property
    def room(self) -> int:
        """Return how many records more can be held now."""
        return 0 if self.halted else HELD_MAX - len(self.held)

    def take(self, record: Record) -> bool:
        """Hold a record if it is new; False if it must be read again later."""
        if self.halted or self._is_repeat(record):
            return True
        if record.offset != self.offset + 1 or not self.room:
            return False
        try:
            place = _PLACE.decode(record.body)
        except msgspec.MsgspecError as error:
            self.halt(record, f"it is no record: {error}")
            return True
        if wrong := self._misfit(record, place):
            self.halt(record, wrong)
            return True
        self.log.learn(place.log)
        self.held.append(Held(record, _answered(place)))
        self.offset, self.hash = record.offset, record.hash
        return True

    def _is_repeat(self, record: Record) -> bool:
        """Only under the same incarnation: else both are one offset, and two stories.

        The latest record of all is compared; what came before it is chained to it.
        """
        if record.offset == self.offset and record.hash != self.hash:
            self.halt(record, "fork: the copy has another record there")
        return record.offset <= self.offset

    def _misfit(self, record: Record, place: _Place) -> str:
        """Say why a record does not go on from the last one; empty if it does."""
        if not self.log.may_hold(place.log):
            return f"it is of log {place.log}, not {self.log.incarnation}"
        if wrong := _unchained(record, place, self.hash):
            return wrong
        answered = _answered(place)
        if answered and not answered.rpartition("@")[2].isdecimal():
            return f"it answers {answered}, which names no record"
        return ""

    def halt(self, record: Record, why: str) -> None:
        """Take nothing more: what follows on a wrong record is not to be believed."""
        name = f"{record.stream}@{record.version}"
        self.halted = f"{self.name} offset {record.offset}, {name}: {why}"


def misfit(record: Record, log: str, link: bytes) -> str:
    """Say why a record of incarnation `log` does not go on from a link; else empty."""
    try:
        place = _PLACE.decode(record.body)
    except msgspec.MsgspecError as error:
        return f"it is no record: {error}"
    if not is_earlier(place.log, log):
        return f"it is of log {place.log}, not {log}"
    return _unchained(record, place, link)


def _unchained(record: Record, place: _Place, link: bytes) -> str:
    """Hold a record to the link before it, and what is said of it to its bytes."""
    if record.previous != link:
        return "fork: it follows on another record than the one before it here"
    chained = sha256(record.previous + sha256(record.body).digest()).digest()
    if chained != record.hash:
        return "chain: its bytes are not those that were chained"
    stands = (record.service, record.partition, record.offset, record.stream,
              record.version, record.type, record.round_id)  # fmt: skip
    says = (place.service, place.partition, place.offset, place.stream,
            place.version, place.type, place.round_id)  # fmt: skip
    if stands != says or place.id != f"{place.stream}@{place.version}":
        return f"it calls itself {place.id}, offset {place.offset}"
    return ""


def answered_by(record: Record) -> str:
    """Return the id of the record that this one answers; empty if it names none."""
    try:
        cause = _answered(_PLACE.decode(record.body))
    except msgspec.MsgspecError:
        return ""
    return cause if cause.rpartition("@")[2].isdecimal() else ""


def _answered(place: _Place) -> str:
    """Only the first event of an input names it; the others follow in its stream."""
    cause = place.cause
    return cause.id if cause is not None and cause.kind == "event" else ""
