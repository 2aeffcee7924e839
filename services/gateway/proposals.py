"""What was proposed at the desk under which key: a repeat is to be the same command.

What the door looks up for a proposal may be another thing by then: a day's sum, what
is staked. The copy of the log may lag, so what is heard is remembered as well (H4).
Under one key the same may be asked for in one case only: anything else is new.
"""

from collections import OrderedDict
from collections.abc import Iterable
from typing import Any, NamedTuple

from contracts import catalog
from contracts import desk as d
from contracts.base import is_refusal, tag_of
from contracts.envelope import Micros
from runtime.bus_memory import Delivery

Proposal = d.ProposeVoid | d.ProposeCorrection

DESK = "desk"

ANSWERS_KEPT_US = 48 * 3600 * 1_000_000
"""So long the desk answers a repeat as before; then it decides anew (H4)."""

_KEPT = 10_000
_TAGS = frozenset((tag_of(d.ProposeVoid), tag_of(d.ProposeCorrection)))


class Key(NamedTuple):
    """Who proposed, under which name, in which case."""

    who: str
    name: str
    case: str


class Known(NamedTuple):
    """A proposal that the desk has answered, and when."""

    proposal: Proposal
    at: Micros
    is_accepted: bool


class Proposals:
    """Remembers the newest that were answered, accepted or refused."""

    def __init__(self) -> None:
        self._known: OrderedDict[Key, Known] = OrderedDict()

    def hear(self, delivery: Delivery) -> None:
        found = proposal_in(delivery)
        if found is None:
            return
        key, known = found
        self._known[key] = _better(self._known.get(key), known)
        if len(self._known) > _KEPT:
            self._known.popitem(last=False)

    def find(self, key: Key, records: Iterable[Delivery]) -> Known | None:
        """Look it up in what was heard, and in the records of its case."""
        best = self._known.get(key)
        for found in map(proposal_in, records):
            if found is not None and found[0] == key:
                best = _better(best, found[1])
        return best


def _better(before: Known | None, now: Known) -> Known:
    """What was accepted stays so, though a repeat was refused since."""
    return before if before is not None and before.is_accepted else now


def proposal_in(delivery: Delivery) -> tuple[Key, Known] | None:
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
    key = Key(envelope.actor.who, envelope.id, proposal.case)
    at, is_accepted = cause.now, not is_refusal(delivery.record.type)
    return key, Known(proposal, at, is_accepted)


def is_same(one: Proposal, other: Proposal) -> bool:
    """Tell whether the same was asked for, whatever was looked up for it."""
    return _asked_for(one) == _asked_for(other)


def _asked_for(proposal: Proposal) -> tuple[Any, ...]:
    said = (type(proposal), proposal.case, proposal.reason)
    if isinstance(proposal, d.ProposeVoid):
        return said
    return (*said, proposal.player, proposal.currency, proposal.amount_minor)


def own_minor(proposal: Proposal) -> int:
    """Return how much a proposal is about, whichever way it goes."""
    if isinstance(proposal, d.ProposeVoid):
        return proposal.staked_minor
    return abs(proposal.amount_minor)
