"""Snapshots: a stream's state as it once was, so that less of it has to be read.

They follow from the log and are never trusted for themselves: each is bound to the
record it was made after and signed under the seal keys. One that does not fit is
passed over, and the stream is read from its beginning.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from contracts import catalog
from contracts.base import is_refusal
from contracts.envelope import Envelope
from contracts.identities import category_of
from contracts.strict import check_nesting
from runtime.ambient import KeyRing
from runtime.log import Record, Snapshot
from runtime.service import Decider, Service

if TYPE_CHECKING:
    from runtime.states import StreamState


class NotOurs(ValueError):
    """A stored snapshot that cannot be begun at."""


class _Signed(msgspec.Struct, frozen=True):
    """What is stored: `record` is the chain hash of the record at its version."""

    key: str
    record: bytes
    signature: bytes
    state: msgspec.Raw


_READ = msgspec.json.Decoder(_Signed)
_ENCODE = msgspec.json.Encoder(order="deterministic").encode


def made(keys: KeyRing, record: Record, state: Any) -> Snapshot:
    """Make the snapshot of a stream's state after a committed record."""
    text = _ENCODE(state)
    signature = keys.sign(_signed(record.stream, record.version, record.hash, text))
    whole = _Signed(keys.active, record.hash, signature, msgspec.Raw(text))
    return Snapshot(record.stream, record.version, _ENCODE(whole))


def due(
    keys: KeyRing, touched: Iterable["StreamState"], records: Iterable[Record]
) -> list[Snapshot]:
    """Make those that the next commit keeps: only now their records have hashes."""
    last = {record.stream: record for record in records}
    found = [entry for entry in touched if entry.snapshot_due()]
    for entry in found:
        entry.snapshot_version = entry.version
    return [made(keys, last[e.stream], e.state) for e in found]


def opened(keys: KeyRing, snapshot: Snapshot, decider: Decider) -> tuple[Any, bytes]:
    """Return the state, and the hash of the record that it must follow.

    Raises NotOurs, also for one that is not of today's shape.
    """
    stored = _read(snapshot)
    text = _signed(
        snapshot.stream, snapshot.version, stored.record, bytes(stored.state)
    )
    if not keys.has_signed(text, stored.signature, stored.key):
        raise NotOurs("its signature does not fit")
    return _state(stored, decider), stored.record


def _read(snapshot: Snapshot) -> _Signed:
    try:
        check_nesting(snapshot.state)
        return _READ.decode(snapshot.state)
    except (ValueError, TypeError, msgspec.MsgspecError) as error:
        raise NotOurs(str(error)) from error


def _signed(stream: str, version: int, link: bytes, state: bytes) -> bytes:
    return b"\0".join(
        (stream.encode(), str(version).encode(), link.hex().encode(), state)
    )


def _state(stored: _Signed, decider: Decider) -> Any:
    try:
        return msgspec.json.decode(stored.state, type=decider.state_type)
    except msgspec.MsgspecError as error:
        raise NotOurs(str(error)) from error


class SnapshotFault(NamedTuple):
    """A stored snapshot that is not what its stream's records lead to."""

    stream: str
    version: int
    text: str


def snapshot_faults(
    service: Service,
    snapshots: Iterable[Snapshot],
    history: Callable[[str], Iterable[Envelope]],
) -> Iterator[SnapshotFault]:
    """Compare snapshots with the fold of their streams; no keys are needed.

    `history` gives a stream's records, oldest first. One that is not of today's shape
    is no fault: it is never used.
    """
    for snapshot in snapshots:
        text = _fault(service, snapshot, history)
        if text:
            yield SnapshotFault(snapshot.stream, snapshot.version, text)


def _fault(
    service: Service,
    snapshot: Snapshot,
    history: Callable[[str], Iterable[Envelope]],
) -> str:
    decider = service.deciders.get(category_of(snapshot.stream))
    if decider is None or decider.state_type is None:
        return f"{service.name} keeps no snapshot of such a stream"
    try:
        kept = _state(_read(snapshot), decider)
    except NotOurs:
        return ""
    try:
        state, version = folded(decider, snapshot.stream, history, snapshot.version)
    except Exception as error:  # noqa: BLE001 - what fails is the verdict
        return f"its records lead to no state: {error!r}"
    if version != snapshot.version:
        return f"the stream ends at {version}, before its snapshot"
    return "" if state == kept else "its records lead to another state"


def folded(
    decider: Decider,
    stream: str,
    history: Callable[[str], Iterable[Envelope]],
    to: int | None = None,
) -> tuple[Any, int]:
    """Return a stream's state after version `to` or its last, and that version."""
    state, version = decider.initial(stream), 0
    for envelope in history(stream):
        if to is not None and envelope.version > to:
            break
        state = evolved(decider, state, envelope)
        version = envelope.version
    return state, version


def evolved(decider: Decider, state: Any, envelope: Envelope) -> Any:
    """Return the state after a record; a refusal changes nothing."""
    if is_refusal(envelope.type):
        return state
    return decider.evolve(state, catalog.decode_event(envelope))
