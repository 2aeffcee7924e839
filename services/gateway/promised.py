"""What this door has let one person decide alone, and has not heard the end of.

The desk knows one case, and its answer may be long in coming. Until then what was sent
counts as decided, for the next that is looked up. What is never heard of again counts
for its whole day: a second person decides then.
"""

from collections.abc import Iterator
from typing import Any

from contracts import desk as d
from contracts.alone import Counted
from runtime.bus_memory import Delivery
from services.gateway.proposals import DESK, Key, Proposal, own_minor, proposal_in

_DAYS_KEPT = 3
_PROPOSED = d.VoidProposed | d.CorrectionProposed


class Promised:
    """Commands under way, by who sent them under which name."""

    def __init__(self) -> None:
        self._sent: dict[Key, Proposal] = {}

    def find(self, key: Key) -> Proposal | None:
        return self._sent.get(key)

    def add(self, key: Key, proposal: Proposal) -> None:
        """Count a proposal from now on, unless it cannot be decided alone."""
        alone = proposal.alone
        if alone is None or own_minor(proposal) <= 0:
            return
        if alone.minor + own_minor(proposal) > proposal.threshold_minor:
            return
        self._sent[key] = proposal
        days = sorted({_day(sent) for sent in self._sent.values()})
        kept = days[-_DAYS_KEPT:]
        self._sent = {x: sent for x, sent in self._sent.items() if _day(sent) in kept}

    def drop(self, key: Key) -> None:
        """Forget what the desk will not follow any more."""
        self._sent.pop(key, None)

    def minor(self, counted: Counted) -> int:
        return sum(map(own_minor, self._about(counted)))

    def _about(self, counted: Counted) -> Iterator[Proposal]:
        for sent in self._sent.values():
            is_then = (sent.currency, _day(sent)) == (counted.currency, counted.day)
            if is_then and sent.alone and counted.player in sent.alone.players:
                yield sent

    def hear(self, delivery: Delivery) -> None:
        """Count no longer what is decided, refused, or left to a second person.

        Whoever adds up what was decided alone has to hear it first.
        """
        if delivery.record.service != DESK or not self._sent:
            return
        event = delivery.event
        if isinstance(event, d.ProposalApproved):
            who, name = delivery.envelope.actor.who, delivery.envelope.caused_by
            self.drop(Key(who, name, event.case))
        elif not _is_decided_next(event) and (found := proposal_in(delivery)):
            self.drop(found[0])


def _day(proposal: Proposal) -> str:
    return proposal.alone.day if proposal.alone is not None else ""


def _is_decided_next(event: Any) -> bool:
    """Tell whether the next record approves what was proposed."""
    if not isinstance(event, _PROPOSED):
        return False
    return event.why_second is None and event.alone is not None
