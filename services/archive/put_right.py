"""What cases put right of a round after it: each correction that was approved, apart.

None of it is the round's: it moves money at some later time, by two people's word.
"""

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from contracts import desk as d
from contracts import wallet as w
from contracts import wallet_calls as c
from services.archive.rebuild import Step
from services.archive.round_book import players_gain_minor

Outcome = Literal["posted", "refused", "awaited"]
_Order = tuple[str, str, int]


class Correction(NamedTuple):
    """What was approved, and what the wallet made of it.

    `amount_minor` above 0 is paid to the player. The balances are his around it, of
    what was posted; `None` where an operator keeps the money: ours only passes.
    """

    sequence: int
    player: str
    amount_minor: int
    case: str
    proposal: int
    proposed_by: str
    approved_by: str
    outcome: Outcome
    before_minor: int | None
    after_minor: int | None


def corrections_of(steps: Iterable[Step]) -> tuple[Correction, ...]:
    """Return each approved correction of a round, in the order of their approval."""
    found = tuple(steps)
    ends = {_order(step.event): step for step in found if _is_end(step.event)}
    called = {step.event.player for step in found if _is_call(step.event)}
    return tuple(
        _correction(step, ends.get(_order(step.event)), called)
        for step in found
        if isinstance(step.event, d.ProposalApproved)
        and step.event.kind is d.ProposalKind.CORRECTION
    )


def _order(event: Any) -> _Order:
    return event.player, event.case, event.proposal


def _is_end(event: Any) -> bool:
    return isinstance(event, w.CorrectionPosted | w.CorrectionRefused)


def _is_call(event: Any) -> bool:
    return isinstance(event, c.CallOwed | c.CallEnded)


def _correction(approved: Step, end: Step | None, called: set[str]) -> Correction:
    event = approved.event
    outcome: Outcome = "awaited"
    before_minor = after_minor = None
    if end is not None:
        posted = isinstance(end.event, w.CorrectionPosted)
        outcome = "posted" if posted else "refused"
        if posted and event.player not in called:
            after_minor = end.event.balance_minor
            before_minor = after_minor - players_gain_minor(end.event)
    return Correction(
        (end or approved).sequence,
        event.player,
        event.amount_minor,
        event.case,
        event.proposal,
        event.proposed_by,
        event.approved_by,
        outcome,
        before_minor,
        after_minor,
    )
