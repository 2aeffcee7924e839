"""What was proposed at the desk under which key: a repeat is to be the same command.

What the door looks up for a proposal may be another thing by then: a day's sum, what
is staked. The copy of the log may lag, so what is heard is remembered as well (H4).
"""

from collections import OrderedDict
from typing import NamedTuple

from contracts import catalog
from contracts import desk as d
from contracts.base import tag_of
from runtime.bus_memory import Delivery

Proposal = d.ProposeVoid | d.ProposeCorrection

DESK = "desk"

_KEPT = 10_000
_TAGS = frozenset((tag_of(d.ProposeVoid), tag_of(d.ProposeCorrection)))


class Key(NamedTuple):
    """Who proposed, and under which name."""

    who: str
    name: str


class Proposals:
    """Remembers the newest that were answered, accepted or refused."""

    def __init__(self) -> None:
        self._known: OrderedDict[Key, Proposal] = OrderedDict()

    def hear(self, delivery: Delivery) -> None:
        found = proposal_in(delivery)
        if found is None:
            return
        key, proposal = found
        self._known[key] = proposal
        if len(self._known) > _KEPT:
            self._known.popitem(last=False)

    def find(self, key: Key) -> Proposal | None:
        return self._known.get(key)


def proposal_in(delivery: Delivery) -> tuple[Key, Proposal] | None:
    """Return the command that a record answers, if somebody proposed by it."""
    if delivery.record.service != DESK:
        return None
    cause = delivery.envelope.cause
    if cause is None or cause.kind != "command":
        return None
    envelope = catalog.decode_command_envelope(cause.command)
    if envelope.actor.kind != "support" or envelope.type not in _TAGS:
        return None
    proposal: Proposal = catalog.decode_command(envelope)
    return Key(envelope.actor.who, envelope.id), proposal
