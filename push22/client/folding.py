"""A table's view, folded from a snapshot and the deltas after it."""

from typing import Any

import msgspec
from msgspec.structs import fields, replace

from push22.client.messages import Delta, Snapshot
from push22.client.problems import Garbled
from push22.client.views import Round, Table


class Seen(msgspec.Struct, frozen=True):
    """A table as it was last told, and the place in its feed.

    `closed` is the round that was closed last while it was watched: the next one may
    be open before anybody looks.
    """

    feed: str
    seq: int
    view: Table
    closed: Round | None = None


def whole(snapshot: Snapshot, before: Seen | None = None) -> Seen:
    """Begin with a snapshot; what was closed before is remembered."""
    kept = None if before is None else before.closed
    seen = Seen(snapshot.feed, snapshot.seq, snapshot.view, kept)
    return _remembering(seen)


def followed(seen: Seen, delta: Delta) -> Seen | None:
    """Return the table after a delta, or `None` where one before it is missing.

    A delta that came already changes nothing. Raises Garbled.
    """
    if delta.feed != seen.feed or delta.seq > seen.seq + 1:
        return None
    if delta.seq <= seen.seq:
        return seen
    try:
        view = _changed(seen.view, delta.changes)
    except msgspec.MsgspecError as error:
        raise Garbled(f"{delta.table} {delta.seq}: {error}") from error
    return _remembering(replace(seen, seq=delta.seq, view=view))


def _changed(view: Table, changes: dict[str, msgspec.Raw]) -> Table:
    """The round's members lie bare, those of the table itself under `table`."""
    rest = dict(changes)
    of_table = rest.pop("table", None)
    if of_table is not None:
        view = replace(view, **_decoded(of_table, _TABLE))
    if rest and view.round is not None:
        view = replace(view, round=replace(view.round, **_members(rest, _ROUND)))
    return view


def _decoded(raw: msgspec.Raw, types: dict[str, Any]) -> dict[str, Any]:
    return _members(msgspec.json.decode(raw, type=dict[str, msgspec.Raw]), types)


def _members(members: dict[str, msgspec.Raw], types: dict[str, Any]) -> dict[str, Any]:
    """Decode each member; what a newer door knows besides is left out."""
    return {
        name: msgspec.json.decode(raw, type=types[name])
        for name, raw in members.items()
        if name in types
    }


_TABLE = {field.name: field.type for field in fields(Table)}
_ROUND = {field.name: field.type for field in fields(Round)}


def _remembering(seen: Seen) -> Seen:
    if seen.view.round is None or not seen.view.round.is_closed:
        return seen
    return replace(seen, closed=seen.view.round)
