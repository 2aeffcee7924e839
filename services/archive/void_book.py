"""Voids that a case ordered and the approvals behind them, from records of two logs.

Either may be read first. All of them are remembered: voids are rare.
"""

from collections.abc import Iterator
from typing import NamedTuple

from contracts.desk import ProposalApproved, ProposalKind, VoidProposed
from contracts.round_events import RoundVoided

Complaint = tuple[str, str, str]
"""A check, the case or round it concerns, and what is wrong there."""

Which = tuple[str, int]
"""The case and the proposal."""


class Meant(NamedTuple):
    """What is approved as it was proposed: the round, its stakes then, by whom."""

    round_id: str
    currency: str
    staked_minor: int
    by: str


class VoidBook:
    """Follows each ordered void from its proposal to the round that it ended."""

    def __init__(self) -> None:
        self._proposed: dict[Which, Meant] = {}
        self._approved: dict[Which, ProposalApproved] = {}
        self._voided: dict[Which, RoundVoided] = {}

    @property
    def count(self) -> int:
        """How many rounds were voided by cases."""
        return len(self._voided)

    def proposed(self, event: VoidProposed) -> None:
        self._proposed[event.case, event.proposal] = Meant(
            event.round_id, event.currency, event.staked_minor, event.by
        )

    def approved(self, event: ProposalApproved) -> Iterator[Complaint]:
        """Take in an approval; those of corrections are not looked at."""
        if event.kind is not ProposalKind.VOID:
            return
        which = event.case, event.proposal
        meant = Meant(
            event.round_id, event.currency, event.amount_minor, event.proposed_by
        )
        if self._proposed.pop(which, None) != meant:
            yield "void_approved", event.case, f"{_name(which)} was not proposed so"
        if which in self._approved:
            yield "void_approved", event.case, f"{_name(which)} was approved twice"
        self._approved[which] = event

    def voided(self, event: RoundVoided) -> Iterator[Complaint]:
        """Take in the end of a round; an operator's own void is no case's."""
        if event.order is None:
            return
        which = event.order.case, event.order.proposal
        if which in self._voided:
            text = f"{_name(which)} voided {self._voided[which].round_id} before"
            yield "void_approved", event.round_id, text
        self._voided[which] = event

    def unapproved(self) -> Iterator[Complaint]:
        """Compare each round that was voided with what was approved."""
        for which, event in self._voided.items():
            approved = self._approved.get(which)
            if approved is None:
                text = f"{_name(which)}: nobody approved it"
                yield "void_approved", event.round_id, text
            elif wrong := _wrong(event, approved):
                yield "void_approved", event.round_id, f"{_name(which)}: {wrong}"


def _wrong(event: RoundVoided, approved: ProposalApproved) -> str:
    """Return in what a void is not the approved one, empty if in nothing."""
    if (event.round_id, event.currency) != (approved.round_id, approved.currency):
        return f"approved for {approved.round_id} in {approved.currency}"
    staked_minor = sum(stake.stake_minor for stake in event.stakes)
    if approved.is_alone and staked_minor > approved.amount_minor:
        by = f"{approved.approved_by} alone decided about {approved.amount_minor}"
        return f"{staked_minor} was staked, {by}"
    return ""


def _name(which: Which) -> str:
    case, proposal = which
    return f"void {case}:{proposal}"
