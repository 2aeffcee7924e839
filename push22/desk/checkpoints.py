"""The signed checkpoints that a round's records are under, held to the logs.

Looked at are those that cover a record of the round, and the last one of each log: it
shows a tail that was cut with everything that remembered it. Whether the whole series
joins is for `push22 verify`.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from contracts.checkpoints import Checkpoint, Statement
from push22.inspect.reader import LogName, Reader
from push22.inspect.witness import Held, Witness, keys_for
from runtime.ambient import KeyMissing
from services.archive.chain import FAULTS_MAX, Head, Row
from services.archive.checkpoints import (
    CheckpointFault,
    Keys,
    believed,
    decode,
    fingerprint,
    said,
)
from services.archive.series import Series
from services.gateway.desk.verdict import CheckpointTold

HOLDS = "holds"
NOT_CHECKED = "not_checked"

_BEFORE = """
    SELECT body FROM checkpoints WHERE service = ? AND part = ? AND since < ?
    ORDER BY since DESC LIMIT 1
"""
_LAST = 2**62


def known_keys(reader: Reader) -> Keys:
    """Return the public keys beside the logs: without them nothing is believed."""
    try:
        return keys_for(reader)
    except KeyMissing:
        return {}


def last_number(reader: Reader) -> int:
    """Return the newest checkpoint's number: each one may change a verdict."""
    row = reader.sql.execute("SELECT max(number) FROM checkpoints").fetchone()
    return int(row[0] or 0)


class Mark(NamedTuple):
    """A checkpoint as it is kept, and what can be believed of it."""

    log: LogName
    body: bytes
    found: Statement | CheckpointFault

    def covers(self, offset: int) -> bool:
        found = self.found
        return isinstance(found, Statement) and found.since < offset <= found.offset

    def told(self, keys: Keys, verdict: str, text: str, own: int) -> CheckpointTold:
        checkpoint, statement = _claimed(self.body)
        key = keys.get(checkpoint.key_id) if checkpoint else None
        return CheckpointTold(
            service=self.log.service,
            partition=self.log.partition,
            since=statement.since if statement else 0,
            offset=statement.offset if statement else 0,
            own=own,
            made_at=statement.made_at if statement else 0,
            fingerprint=fingerprint(checkpoint) if checkpoint else "",
            key_id=checkpoint.key_id if checkpoint else "",
            key_since=key.since if key else 0,
            key_until=key.until if key else 0,
            verdict=verdict,
            text=text,
        )


class Cover:
    """The checkpoints of one log over a round's records there."""

    def __init__(
        self, reader: Reader, log: LogName, offsets: list[int], keys: Keys
    ) -> None:
        self._keys = keys
        self._offsets = offsets
        found = dict.fromkeys(_before(reader, log, offset, keys) for offset in offsets)
        self._marks = [mark for mark in found if mark and self._is_about(mark)]
        self._good = tuple(
            x.found for x in self._marks if isinstance(x.found, Statement)
        )
        self._held = Held(log, Witness(Series(self._good, ())))
        self._last_seen = 0

    def _is_about(self, mark: Mark) -> bool:
        """Tell whether it covers a record of the round, or nobody can say."""
        return isinstance(mark.found, CheckpointFault) or self._own(mark) > 0

    def _own(self, mark: Mark) -> int:
        return sum(map(mark.covers, self._offsets))

    @property
    def first(self) -> int:
        """Return where reading has to begin."""
        return min((x.since + 1 for x in self._good), default=_LAST)

    @property
    def last(self) -> int:
        return max((x.offset for x in self._good), default=0)

    @property
    def uncovered(self) -> int:
        """Count the round's records that nothing signed is about."""
        return len(self._offsets) - sum(map(self._own, self._marks))

    def passing(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Pass the stretch's rows on, and compare them with what was signed."""
        for row in self._held.passing(rows):
            yield row
            if isinstance(row.offset, int):
                self._last_seen = row.offset

    def told(self, faults: int) -> Iterator[CheckpointTold]:
        """Tell each checkpoint's verdict, once the rows are read.

        So many `faults` were found in the chain: at the last one reading ends.
        """
        is_whole = faults < FAULTS_MAX
        wrong = {x.offset: x for x in self._held.faults(is_whole=is_whole)}
        for mark in self._marks:
            if isinstance(mark.found, CheckpointFault):
                verdict, text = mark.found.kind, mark.found.text
            elif fault := wrong.get(mark.found.offset):
                verdict, text = fault.kind, fault.text
            elif mark.found.offset <= self._last_seen:
                verdict, text = HOLDS, ""
            elif is_whole:
                verdict, text = "lost_tail", f"the log ends at {self._last_seen}"
            else:
                verdict, text = NOT_CHECKED, "too much is wrong before its end"
            yield mark.told(self._keys, verdict, text, self._own(mark))


def last_of(
    reader: Reader, log: LogName, keys: Keys, told: Iterable[CheckpointTold]
) -> Iterator[CheckpointTold]:
    """Tell whether a log still reaches to its last checkpoint, if it was not told."""
    mark = _before(reader, log, _LAST, keys)
    if mark is None:
        return
    if isinstance(mark.found, CheckpointFault):
        last = mark.told(keys, mark.found.kind, mark.found.text, 0)
    else:
        last = mark.told(keys, *_reaches(reader, log, mark.found), 0)
    if last.fingerprint not in {x.fingerprint for x in told}:
        yield last


def _reaches(reader: Reader, log: LogName, statement: Statement) -> tuple[str, str]:
    head = reader.head(log) or Head(0, b"")
    link = reader.link_at(log, statement.offset)
    if link is None and head.offset < statement.offset:
        text = (
            f"the log ends at {head.offset}, "
            f"signed was that it held {statement.offset} records"
        )
        return "lost_tail", text
    if link is None or link.hex() != statement.hash:
        text = f"the hash of record {statement.offset} is not the one that was signed"
        return "changed_chain", text
    return HOLDS, ""


def _before(reader: Reader, log: LogName, offset: int, keys: Keys) -> Mark | None:
    """Return the last checkpoint that begins before a record."""
    row = reader.sql.execute(_BEFORE, (*log[:2], offset)).fetchone()
    if row is None:
        return None
    body = row[0] if isinstance(row[0], bytes) else b""
    return Mark(log, body, _read(body, log, keys))


def _read(body: bytes, log: LogName, keys: Keys) -> Statement | CheckpointFault:
    name = f"{log.service}/{log.partition}"
    try:
        found = believed(decode(body), keys)
    except ValueError as error:
        return CheckpointFault("unreadable_checkpoint", name, 0, str(error))
    if isinstance(found, Statement) and (found.service, found.partition) != log[:2]:
        text = f"in its place is one about {found.service}/{found.partition}"
        return CheckpointFault("removed_checkpoint", name, 0, text)
    return found


def _claimed(body: bytes) -> tuple[Checkpoint | None, Statement | None]:
    """Return what a checkpoint says, believed or not."""
    try:
        checkpoint = decode(body)
        return checkpoint, said(checkpoint)
    except ValueError:
        return None, None
