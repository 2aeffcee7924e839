"""The hash chain of one log partition, checked from its raw bytes (law 6).

`hash = SHA-256(previous hash || SHA-256(record bytes))`. A changed byte, a missing
record, a swapped pair and a cut tail each have their own verdict, with the place.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

import msgspec

from runtime.lineage import is_earlier, number

GENESIS = bytes(32)
"""The hash before a partition's first record."""

FAULTS_MAX = 100
"""After so many faults in one partition the check stops: the rest says no more."""


class Row(NamedTuple):
    """A record as the log stores it: its place, its bytes and its link."""

    offset: int
    stream: str
    version: int
    type: str
    round_id: str
    hash: bytes
    body: bytes


class Head(NamedTuple):
    """What the log's head row says: the last offset and its hash."""

    offset: int
    hash: bytes


class Fault(NamedTuple):
    """Something is wrong at `offset`; `kind` is a key of `FAULTS`."""

    kind: str
    offset: int
    text: str


FAULTS = {
    "changed_record": "a record's bytes are not those that were chained",
    "changed_hash": "a record's link is not the one that was chained",
    "missing_record": "offsets are missing",
    "reordered_records": "a record stands at another record's offset",
    "unreadable_record": "a record is no envelope",
    "misplaced_record": "a record and its row name different streams or versions",
    "shuffled_places": "records are placed in another order than their offsets",
    "astray_record": "a record is not found from its stream or its round",
    "version_gap": "a stream's versions are not gapless",
    "wrong_head": "the head's hash is not that of the last record",
    "cut_tail": "the head is ahead of the last record",
    "extra_tail": "records follow the head",
}


class ChainReport(NamedTuple):
    """What a check found. `end_hash` is the last record's."""

    records: int
    end_hash: bytes
    faults: tuple[Fault, ...]


class _Place(msgspec.Struct, gc=False):
    """The part of an envelope that says where it belongs."""

    id: str
    log: str
    partition: int
    offset: int
    stream: str
    version: int
    type: str
    round_id: str = ""


_PLACE = msgspec.json.Decoder(_Place)


class ChainCheck:
    """Checks one partition's rows, given in offset order.

    A stretch that begins in mid-log is told the link before it; which version of a
    stream comes first in it is then not known.
    """

    def __init__(
        self, log: str, partition: int, first: int, *, link: bytes = GENESIS
    ) -> None:
        self.log = log
        self.partition = partition
        self.expected = first
        self.link = link
        self._is_part = first > 1
        self.records = 0
        self.faults: list[Fault] = []
        self._versions: dict[str, int] = {}
        self._links: dict[int, bytes] = {}
        self._has_holes = False
        self._incarnation = ""
        self._doubtful: tuple[Row, bytes] | None = None

    def run(self, rows: Iterable[Row], head: Head) -> ChainReport:
        """Check every row and then the head."""
        for row in rows:
            self._row(row)
            if len(self.faults) >= FAULTS_MAX:
                return self._report()
        self._end(head)
        return self._report()

    def _report(self) -> ChainReport:
        return ChainReport(self.records, self.link, tuple(self.faults))

    def _fault(self, kind: str, offset: int, text: str) -> None:
        assert kind in FAULTS, f"unlisted fault {kind}"
        self.faults.append(Fault(kind, offset, text))

    def _row(self, row: Row) -> None:
        if not self._is_typed(row):
            return
        digest = sha256(row.body).digest()
        if self._doubtful is not None:
            self._settle_doubt(row, digest)
        is_next = row.offset == self.expected
        if not is_next:
            self._missing(row)
        self._place(row)
        before = self._links.get(row.offset - 1, self.link)
        link = sha256(before + digest).digest()
        if is_next and link != row.hash:
            self._doubtful = (row, link)
        self.link = row.hash
        self.expected = row.offset + 1
        self.records += 1

    def _is_typed(self, row: Row) -> bool:
        """SQLite stores any value in any column; no casino writes such a row."""
        wrong = [
            f"its {name} is no {kind.__name__} but {value!r}"
            for name, value, kind in (
                ("offset", row.offset, int),
                ("version", row.version, int),
                ("hash", row.hash, bytes),
                ("body", row.body, bytes),
            )
            if not isinstance(value, kind)
        ]
        if wrong:
            offset = row.offset if isinstance(row.offset, int) else self.expected
            text = f"{row.stream}@{row.version}: {', '.join(wrong)}"
            self._fault("unreadable_record", offset, text)
            self._pass_over(row, offset)
        return not wrong

    def _pass_over(self, row: Row, offset: int) -> None:
        """Go on after a row whose bytes can't be had: the rest may be whole."""
        self._doubtful = None
        self._has_holes = True
        self.expected = offset + 1
        self.records += 1
        if isinstance(row.hash, bytes):
            self.link = row.hash

    def _is_of_log(self, incarnation: str) -> bool:
        """A log that lost records goes on under a new name, never under an old one."""
        if incarnation == self._incarnation:
            return True
        is_next = number(incarnation) > number(self._incarnation)
        if not is_earlier(incarnation, self.log) or (self._incarnation and not is_next):
            return False
        self._incarnation = incarnation
        return True

    def _missing(self, row: Row) -> None:
        last = row.offset - 1
        what = (
            f"record {last} is"
            if last == self.expected
            else (f"records {self.expected} to {last} are")
        )
        self._fault("missing_record", self.expected, f"{what} missing")
        self._has_holes = True

    def _place(self, row: Row) -> None:
        """Compare what the record says of itself with where it stands."""
        try:
            place = _PLACE.decode(row.body)
        except msgspec.MsgspecError as error:
            self._fault("unreadable_record", row.offset, str(error))
            self._version(row)
            return
        if place.offset != row.offset:
            text = f"record {place.offset} stands at offset {row.offset}"
            self._fault("reordered_records", row.offset, text)
            self._links[place.offset] = row.hash
        elif place.stream != row.stream or place.version != row.version:
            text = (
                f"row {row.stream}@{row.version} holds {place.stream}@{place.version}"
            )
            self._fault("misplaced_record", row.offset, text)
        elif place.type != row.type or place.round_id != row.round_id:
            text = (
                f"row names {row.type} of {row.round_id or 'no round'}, "
                f"the record {place.type} of {place.round_id or 'no round'}"
            )
            self._fault("misplaced_record", row.offset, text)
        elif not self._is_of_log(place.log) or place.partition != self.partition:
            text = f"it belongs to partition {place.partition} of log {place.log}"
            self._fault("misplaced_record", row.offset, text)
        elif place.id != f"{place.stream}@{place.version}":
            text = f"{place.stream}@{place.version} calls itself {place.id}"
            self._fault("misplaced_record", row.offset, text)
        self._version(row)

    def _version(self, row: Row) -> None:
        """Versions are gapless, but where records are missing or misplaced anyway."""
        unknown = row.version - 1 if self._is_part else 0
        newest = self._versions.get(row.stream, unknown)
        expected = newest + 1
        self._versions[row.stream] = max(newest, row.version)
        explained = self._has_holes and row.version > expected
        if row.version != expected and not explained and not self._blamed(row):
            text = f"{row.stream} goes on with version {row.version}, not {expected}"
            self._fault("version_gap", row.offset, text)

    def _settle_doubt(self, row: Row, digest: bytes) -> None:
        """The next link tells whether a record or its own link was changed."""
        assert self._doubtful is not None
        doubtful, link = self._doubtful
        self._doubtful = None
        link_changed = sha256(link + digest).digest() == row.hash
        if link_changed:
            self.link = link
        self._blame(doubtful, link_changed=link_changed)

    def _blamed(self, row: Row) -> bool:
        return bool(self.faults) and self.faults[-1].offset == row.offset

    def _blame(self, row: Row, *, link_changed: bool) -> None:
        if self._blamed(row):
            return
        name = f"{row.stream}@{row.version}"
        if link_changed:
            self._fault("changed_hash", row.offset, f"the link of {name} was changed")
        else:
            self._fault("changed_record", row.offset, f"{name} was changed")

    def _end(self, head: Head) -> None:
        if self._doubtful is not None:
            row, link = self._doubtful
            self._blame(row, link_changed=link == head.hash)
            self.link = link if link == head.hash else self.link
        last = self.expected - 1
        if head.offset > last:
            text = f"the log ended at {head.offset}, now at {last}"
            self._fault("cut_tail", self.expected, text)
        elif head.offset < last:
            text = f"the head knows {head.offset}, the log has more"
            self._fault("extra_tail", head.offset + 1, text)
        elif head.hash != self.link:
            text = "the head's hash is not that of the last record"
            self._fault("wrong_head", last, text)
