"""Whether what one person decided alone was counted for whose money it moved.

The desk believes a sum of its own day only, and of the player whose money is moved; it
did not always, and whoever writes a log need not. Here that is judged from the records,
which may come in any order that keeps each log's own. What was counted is compared with
the threshold in `correction_book.py`.
"""

from collections.abc import Iterator
from typing import NamedTuple

from contracts.alone import is_of_day
from contracts.desk import (
    AloneDay,
    CorrectionProposed,
    ProposalApproved,
    ProposalKind,
    VoidProposed,
)
from contracts.envelope import Micros
from contracts.round_events import RoundVoided

CHECK = "alone_counted"

Complaint = tuple[str, str, str]
"""The check, the case it concerns, and what is wrong there."""

Which = tuple[str, int]
"""The case and the proposal."""


class Known(NamedTuple):
    """What the gateway looked up for a proposal, and whether that was needed."""

    alone: AloneDay | None
    is_needed: bool


class AloneBook:
    """Follows what was decided alone, from its proposal to whose money moved."""

    def __init__(self) -> None:
        self._proposed: dict[Which, Known] = {}
        self._voids: dict[Which, AloneDay] = {}
        """Voids that one person decided, with whom they were counted for."""
        self._staked: dict[Which, frozenset[str]] = {}

    def proposed(self, event: CorrectionProposed | VoidProposed) -> None:
        is_needed = event.needs_sum or bool(event.command_id)
        self._proposed[event.case, event.proposal] = Known(event.alone, is_needed)

    def approved(self, event: ProposalApproved, at: Micros) -> Iterator[Complaint]:
        """Take in an approval that was recorded then; a second person's counts not."""
        which = event.case, event.proposal
        known = self._proposed.pop(which, None)
        if not event.is_alone:
            return
        for wrong in _wrong(event, known, at):
            yield CHECK, event.case, f"{_name(which)}: {wrong}"
        if event.alone is not None and event.kind is ProposalKind.VOID:
            self._voids[which] = event.alone

    def voided(self, event: RoundVoided) -> None:
        """Take in whose stakes a case's void gave back."""
        if event.order is not None:
            which = event.order.case, event.order.proposal
            staked = (stake.player for stake in event.stakes if stake.stake_minor)
            self._staked[which] = frozenset(staked)

    def uncounted(self) -> Iterator[Complaint]:
        """Compare whose stakes were given back with whom the voids counted for."""
        for which, alone in self._voids.items():
            others = self._staked.get(which, frozenset()) - set(alone.players)
            for player in sorted(others):
                text = f"{_name(which)}: gave back stakes of {player}, {_for(alone)}"
                yield CHECK, which[0], text


def _wrong(event: ProposalApproved, known: Known | None, at: Micros) -> Iterator[str]:
    """Tell in what an approval by one person was not counted as it must be.

    One from before days were added up names no day, and its proposal needed none.
    """
    alone = event.alone
    if known is not None and known.alone != alone:
        yield "it was proposed with another sum"
    if alone is None:
        if known is not None and known.is_needed:
            yield "the day's sum was not known"
        return
    if not is_of_day(alone.day, at):
        yield f"counted on {alone.day}, which was not the day"
    if event.kind is ProposalKind.CORRECTION and event.player not in alone.players:
        yield f"moves money of {event.player}, {_for(alone)}"
    if event.kind is ProposalKind.VOID and event.amount_minor and not alone.players:
        yield f"gives stakes back, {_for(alone)}"


def _for(alone: AloneDay) -> str:
    return f"counted for {', '.join(alone.players) or 'nobody'}"


def _name(which: Which) -> str:
    case, proposal = which
    return f"{case}:{proposal}"
