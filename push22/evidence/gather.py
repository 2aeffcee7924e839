"""A round's records, and what it needs of its shoe, as a pack holds them.

No other round's record is among them. What the shoe was committed to is a masked copy:
its record holds the sealed order besides, which nobody outside has to hold.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from contracts import catalog
from contracts.base import tag_of
from contracts.envelope import Envelope
from contracts.round_events import RoundClosed, RoundOpened
from contracts.shoe import ShoeCommitted, ShoeCut, ShoeRetired
from contracts.table_events import RoundTerms
from push22.errors import Failure
from push22.evidence.masking import Eyes, eyes_of, never_shown, without_causes
from push22.inspect.again import Again, executed_again
from push22.inspect.history import steps_in
from push22.inspect.reader import Reader
from runtime.log import Record
from services.archive.rebuild import RoundView, Step, view_at

Json = dict[str, Any]

_COMMITTED = tag_of(ShoeCommitted)
_CUT = tag_of(ShoeCut)
_RETIRED = tag_of(ShoeRetired)


class StillInPlay(Failure):
    """A pack is made of what lies open: in play, or in a shoe in use, cards may not."""


class Entry(msgspec.Struct, frozen=True):
    """Where a record stands. Its hashes are empty where they would tell too much."""

    sequence: int
    foreign: bool
    id: str
    type: str
    service: str
    log: str
    partition: int
    offset: int
    stream: str
    version: int
    shown: Literal["whole", "masked"]
    sha256: str = ""
    previous: str = ""
    hash: str = ""


class Shown(NamedTuple):
    """A record as the pack holds it: `line` is its bytes, or those of a masked copy."""

    entry: Entry
    line: bytes
    envelope: Envelope
    event: Any


class Gathered(NamedTuple):
    """All that a pack tells. `steps` are as the reader of the pack may see them."""

    round_id: str
    terms: RoundTerms
    steps: tuple[Step, ...]
    view: RoundView
    shown: tuple[Shown, ...]
    raw: tuple[Record, ...]
    again: Again
    eyes: Eyes

    @property
    def opened_at(self) -> int:
        return self._at(RoundOpened)

    @property
    def closed_at(self) -> int:
        return self._at(RoundClosed)

    def _at(self, kind: type) -> int:
        found = (step for step in self.steps if isinstance(step.event, kind))
        return next(found).record.recorded_at

    def of(self, kind: type) -> Iterator[Any]:
        return (item.event for item in self.shown if isinstance(item.event, kind))


def gather(reader: Reader, round_id: str, player: str = "") -> Gathered:
    """Collect a closed round. Raises Failure: also where it is still in play.

    With `player`, other players are hidden.
    """
    steps = steps_in(reader, round_id)
    if not any(isinstance(step.event, RoundClosed) for step in steps):
        reason = "is in play: a pack is made of a round that has ended"
        raise StillInPlay(round_id, reason, exit_code=2)
    terms = next(s.event.terms for s in steps if isinstance(s.event, RoundOpened))
    view = view_at(steps, steps[-1].sequence)
    if never_shown(steps) and not _is_retired(reader, terms.shoe):
        reason = "a hand was never shown (LV-13) and its shoe is in use: no pack yet"
        raise StillInPlay(round_id, reason, exit_code=2)
    eyes = eyes_of(round_id, steps, player)
    raw = {_id(r): r for r in reader.file.records_of_round(round_id)}
    shoe = list(_of_shoe(reader, terms.shoe))
    raw |= {_id(record): record for record in shoe}
    shown = [_shown_of_shoe(record, round_id, eyes) for record in shoe]
    seen = tuple(eyes.steps(steps))
    shown += [_shown(before, after, raw, eyes) for before, after in seen]
    return Gathered(
        round_id,
        terms,
        tuple(after for _, after in seen),
        eyes.view(view),
        tuple(shown),
        tuple(raw[item.entry.id] for item in shown),
        executed_again(reader, round_id),
        eyes,
    )


def _id(record: Record) -> str:
    return f"{record.stream}@{record.version}"


def _of_shoe(reader: Reader, shoe: str) -> Iterable[Record]:
    records = reader.file.records_of_stream("shoe", shoe, 0)
    return (record for record in records if record.type in (_COMMITTED, _CUT))


def _is_retired(reader: Reader, shoe: str) -> bool:
    records = reader.file.records_of_stream("shoe", shoe, 0)
    return any(record.type == _RETIRED for record in records)


def _shown_of_shoe(record: Record, round_id: str, eyes: Eyes) -> Shown:
    """Show what the shoe was committed to without its secrets, and how it was cut.

    A cut that an earlier round's players made is a copy that does not name them.
    """
    logged = catalog.decode_envelope(record.body)
    event = catalog.decode_event(logged)
    if isinstance(event, ShoeCommitted):
        event = replace(event, sealed=b"")
        envelope = without_causes(replace(logged, data=_raw(event)))
    elif logged.caused_by.startswith(f"{round_id}@"):
        envelope = eyes.shown(logged)
    else:
        envelope = without_causes(logged)
    is_whole = envelope is logged
    line = record.body if is_whole else msgspec.json.encode(envelope)
    entry = _entry((0, True), envelope, record, is_whole=is_whole)
    # A masked copy's digest tells nothing: what it was made of is long and random.
    if eyes.is_whole:
        entry = _hashed(entry, record)
    return Shown(entry, line, envelope, event)


def _shown(before: Step, after: Step, raw: dict[str, Record], eyes: Eyes) -> Shown:
    record, envelope = raw[before.record.id], after.record
    is_whole = before is after
    line = record.body if is_whole else msgspec.json.encode(envelope)
    place = (before.sequence, before.foreign)
    entry = _entry(place, envelope, record, is_whole=is_whole)
    if eyes.is_whole:
        entry = _hashed(entry, record)
    return Shown(entry, line, envelope, after.event)


def _entry(
    place: tuple[int, bool], envelope: Envelope, record: Record, *, is_whole: bool
) -> Entry:
    digest = sha256(record.body).hexdigest() if is_whole else ""
    return Entry(
        *place,
        envelope.id,
        envelope.type,
        envelope.service,
        envelope.log,
        envelope.partition,
        envelope.offset,
        envelope.stream,
        envelope.version,
        "whole" if is_whole else "masked",
        digest,
    )


def _hashed(entry: Entry, record: Record) -> Entry:
    digest = sha256(record.body).hexdigest()
    links = record.previous.hex(), record.hash.hex()
    return replace(entry, sha256=digest, previous=links[0], hash=links[1])


def _raw(event: Any) -> msgspec.Raw:
    return msgspec.Raw(catalog.encode(event))
