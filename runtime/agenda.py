"""What the agenda must say of a stream: it follows from the state alone (H10)."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from contracts.envelope import Envelope
from contracts.identities import category_of
from runtime.log import AgendaItem
from runtime.service import Owed, Service
from runtime.snapshots import folded

EFFECT = "effect:"
"""How the kind of a row begins that stands for an owed effect."""


def planned(stream: str, owed: Owed) -> tuple[AgendaItem, ...]:
    """Return a stream's agenda rows."""
    deadlines = tuple(
        AgendaItem(stream, owed.decision, deadline.kind, deadline.due_at)
        for deadline in owed.deadlines
    )
    effects = tuple(
        AgendaItem(stream, owed.decision, f"{EFFECT}{effect.id}", effect.due_at)
        for effect in owed.effects
    )
    return deadlines + effects


def is_effect(item: AgendaItem) -> bool:
    return item.kind.startswith(EFFECT)


class AgendaFault(NamedTuple):
    """A stream whose rows are not what its state owes."""

    stream: str
    text: str


def agenda_faults(
    service: Service,
    streams: Iterable[str],
    rows: Iterable[AgendaItem],
    history: Callable[[str], Iterable[Envelope]],
) -> Iterator[AgendaFault]:
    """Compare the agenda with what `streams`, and all streams with rows, owe.

    `streams` are those that may be open; `history` gives a stream's records.
    """
    kept: dict[str, set[AgendaItem]] = {}
    for row in rows:
        kept.setdefault(row.stream, set()).add(row)
    for stream in sorted({*streams, *kept}):
        try:
            owed = _owed(service, stream, history)
        except Exception as error:  # noqa: BLE001 - what fails is the verdict
            yield AgendaFault(stream, f"its records lead to no state: {error!r}")
            continue
        there = kept.get(stream, set())
        if owed - there:
            yield AgendaFault(stream, f"not planned: {_shown(owed - there)}")
        if there - owed:
            yield AgendaFault(stream, f"planned, but not owed: {_shown(there - owed)}")


def _owed(
    service: Service, stream: str, history: Callable[[str], Iterable[Envelope]]
) -> set[AgendaItem]:
    decider = service.deciders.get(category_of(stream))
    if decider is None:
        return set()
    state, _ = folded(decider, stream, history)
    return set(planned(stream, decider.resume(state)))


def _shown(items: set[AgendaItem]) -> str:
    return ", ".join(
        f"{item.kind} of decision {item.decision} at {item.due_at}"
        for item in sorted(items)
    )
