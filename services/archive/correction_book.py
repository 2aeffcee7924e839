"""Corrections and the approvals behind them, compared from the records of two logs.

Either may be read first. All of them are remembered: corrections are rare.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from contracts.alone import Counted, decided_alone
from contracts.desk import CorrectionProposed, ProposalApproved, ProposalKind
from contracts.identities import correction_id, house_account, operator_of
from contracts.identities import player_account as account_of
from contracts.wallet import CorrectionPosted, CorrectionRefused

Complaint = tuple[str, str, str]
"""A check, the case or wallet it concerns, and what is wrong there."""


class Agreed(NamedTuple):
    """What both sides must say of a correction."""

    round_id: str
    player: str
    currency: str
    amount_minor: int


class CorrectionBook:
    """Follows each correction from its proposal to its transfer."""

    def __init__(self) -> None:
        self._proposed: dict[str, tuple[Agreed, str]] = {}
        self._approved: dict[str, Agreed] = {}
        self._posted: dict[str, Agreed] = {}
        self._refused: set[str] = set()
        self._alone_minor: Counter[tuple[str, str]] = Counter()
        """What one person decided alone, per case and currency, whichever way."""
        self._of_day_minor: Counter[Counted] = Counter()
        """The same, per player, currency and day, in all cases."""

    @property
    def count(self) -> int:
        """How many were booked."""
        return len(self._posted)

    def proposed(self, event: CorrectionProposed) -> None:
        name = correction_id(event.case, event.proposal)
        self._proposed[name] = _said(event), event.by

    def approved(self, event: ProposalApproved) -> Iterator[Complaint]:
        """Take in an approval; nobody's own, unless the amount leaves it to one."""
        name = correction_id(event.case, event.proposal)
        is_within = abs(event.amount_minor) <= event.threshold_minor
        if event.is_alone and not is_within:
            text = f"{name}: {event.amount_minor} by {event.approved_by} alone"
            yield "correction_second", event.case, text
        is_same = event.approved_by.casefold() == event.proposed_by.casefold()
        if event.is_alone and is_within:
            yield from self._added_up(event)
        if not event.is_alone and is_same:
            text = f"{name} was approved by {event.approved_by}, who proposed it"
            yield "correction_second", event.case, text
        if event.kind is not ProposalKind.CORRECTION:
            return
        if self._proposed.pop(name, None) != (_said(event), event.proposed_by):
            yield "correction_approved", event.case, f"{name} was not proposed so"
        if name in self._approved:
            yield "correction_approved", event.case, f"{name} was approved twice"
        self._approved[name] = _said(event)

    def _added_up(self, event: ProposalApproved) -> Iterator[Complaint]:
        """Add an approval to those before it: many small ones are no way around."""
        which = event.case, event.currency
        self._alone_minor[which] += abs(event.amount_minor)
        total = self._alone_minor[which]
        if total > event.threshold_minor:
            text = f"{total} {event.currency} alone, allowed {event.threshold_minor}"
            yield "alone_sum", event.case, text
        yield from self._added_up_by_day(event)

    def _added_up_by_day(self, event: ProposalApproved) -> Iterator[Complaint]:
        """Add it to all that was decided alone about a player on that day."""
        for counted, minor in decided_alone(event).items():
            self._of_day_minor[counted] += minor
            total = self._of_day_minor[counted]
            if total > event.threshold_minor:
                of = f"{event.currency} alone of {counted.player} on {counted.day}"
                text = f"{total} {of}, allowed {event.threshold_minor}"
                yield "alone_sum", event.case, text

    def booked(self, event: CorrectionPosted) -> Iterator[Complaint]:
        """Take in a transfer: once, under its proposal's name, the right way."""
        name = correction_id(event.case, event.proposal)
        move = event.transfer
        player = account_of(event.player, event.currency)
        house = house_account(operator_of(event.player), event.currency)
        is_paid = move.credit == player
        ways = (house, player) if is_paid else (player, house)
        if (move.id, move.debit, move.credit) != (name, *ways):
            text = f"{move.id} moves from {move.debit} to {move.credit}"
            yield "correction_approved", event.case, text
        if name in self._posted:
            yield "transfer_once", event.case, f"{name} again"
        amount_minor = move.amount_minor if is_paid else -move.amount_minor
        self._posted[name] = Agreed(
            event.round_id, event.player, event.currency, amount_minor
        )

    def refused(self, event: CorrectionRefused) -> None:
        self._refused.add(correction_id(event.case, event.proposal))

    def unapproved(self) -> Iterator[Complaint]:
        """Compare all that was booked with what was approved."""
        for name, booked in self._posted.items():
            approved = self._approved.get(name)
            if name in self._refused:
                text = f"{name} was refused and booked"
                yield "correction_approved", name, text
            if approved is None:
                text = f"{name} of {booked.amount_minor}: nobody approved it"
                yield "correction_approved", name, text
            elif approved != booked:
                text = f"{name}: approved {_shown(approved)}, booked {_shown(booked)}"
                yield "correction_approved", name, text


def _said(event: CorrectionProposed | ProposalApproved) -> Agreed:
    return Agreed(event.round_id, event.player, event.currency, event.amount_minor)


def _shown(what: Agreed) -> str:
    of = f"{what.currency} of {what.player} in {what.round_id}"
    return f"{what.amount_minor} {of}"
