"""Which players a record names: whoever hides names has to know them all."""

from collections.abc import Iterator
from typing import Any

from contracts.envelope import Actor


def players_named(event: Any, actor: Actor) -> Iterator[str]:
    """Return every player that an event or its actor names; some may be empty."""
    yield getattr(event, "player", "")
    yield from getattr(event, "players", ())
    if actor.kind == "player":
        yield actor.who
    terms = getattr(event, "terms", None)
    if terms is not None:
        entry = terms.entry
        yield from (*(entry.admitted or ()), *(entry.unrestricted or ()))
        yield from (*entry.barred, *entry.minimum_only)
        yield from (*entry.minimums_minor, *entry.maximums_minor)
