"""A case as support reads it, and what is asked of the desk's index."""

from collections.abc import Iterable
from typing import Any, Protocol

import msgspec

from contracts import desk as d
from contracts import round_events as e
from contracts import wallet as w
from contracts.alone import Counted
from contracts.base import is_refusal
from contracts.envelope import Micros
from runtime.bus_memory import Delivery

SUM_UNKNOWN = "player_day_sum_unknown"


class CaseQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Which cases are looked for, newest first; what is empty does not matter."""

    round_id: str = ""
    status: str = ""
    before: tuple[Micros, str] | None = None
    limit: int = 50


class CaseRow(msgspec.Struct, frozen=True):
    """A case of the index. `waiting` proposals wait for somebody's word."""

    case: str
    round_id: str
    player: str
    subject: str
    opened_by: str
    opened_at: Micros
    closed_at: Micros
    waiting: int


class AccessQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Which looks are looked for, newest first."""

    person: str = ""
    round_id: str = ""
    case: str = ""
    since: Micros = 0
    until: Micros = 0
    before: tuple[Micros, str] | None = None
    limit: int = 50


class AccessRow(msgspec.Struct, frozen=True):
    """A look: the record that it stands in, and what that says."""

    record: str
    at: Micros
    person: str
    role: str
    what: str
    about: str
    case: str


class CaseIndex(Protocol):
    """Reads the desk's log and index; every call blocks. Raises NotAvailable."""

    def find(self, query: CaseQuery) -> list[CaseRow]: ...

    def records(self, case: str) -> list[Delivery]: ...

    def access(self, query: AccessQuery) -> list[AccessRow]: ...

    def alone(self, counted: Counted) -> dict[str, int] | None:
        """Return what one person decided alone, in all cases, by its records' ids.

        `None` where the index is not made yet, or is far behind its own file.
        """
        ...


class ProposalTold(msgspec.Struct, frozen=True, kw_only=True):
    """A proposal as it stands: `proposed`, `approved`, `rejected`, `done`, `failed`."""

    number: int
    kind: str
    standing: str
    by: str
    at: Micros
    player: str
    currency: str
    amount_minor: int
    reason: str
    threshold_minor: int
    decided_by: str = ""
    is_alone: bool = False
    outcome: str = ""
    why_second: str = ""
    """Why a second person decides, though the amount itself is small enough."""


class CaseEntry(msgspec.Struct, frozen=True):
    """One event of a case."""

    at: Micros
    what: str
    who: str
    proposal: int = 0
    text: str = ""


class CaseTold(msgspec.Struct, frozen=True, kw_only=True):
    case: str
    round_id: str
    player: str
    subject: str
    status: str
    proposals: tuple[ProposalTold, ...]
    entries: tuple[CaseEntry, ...]


def case_of(records: Iterable[Delivery]) -> CaseTold | None:
    """Fold a case's records; `None` where it was never opened."""
    found: CaseTold | None = None
    for delivery in records:
        if is_refusal(delivery.record.type):
            continue
        event, at = delivery.event, delivery.envelope.recorded_at
        if isinstance(event, d.CaseOpened):
            found = _opened(event)
        assert found is not None, "a case begins when it is opened"
        found = msgspec.structs.replace(
            found,
            proposals=_proposals(found.proposals, event, at),
            entries=(*found.entries, _entry(delivery)),
            status="closed" if isinstance(event, d.CaseClosed) else found.status,
        )
    return found


def _opened(event: d.CaseOpened) -> CaseTold:
    return CaseTold(
        case=event.case,
        round_id=event.round_id,
        player=event.player,
        subject=event.subject,
        status="open",
        proposals=(),
        entries=(),
    )


_WORDS = ("subject", "text", "reason", "resolution")


def _entry(delivery: Delivery) -> CaseEntry:
    envelope, event = delivery.envelope, delivery.event
    words = (str(getattr(event, name, "")) for name in _WORDS)
    is_ours = not isinstance(event, _OUTCOMES)
    return CaseEntry(
        envelope.recorded_at,
        envelope.type.split(".")[1],
        envelope.actor.who if is_ours else "",
        getattr(event, "proposal", 0),
        next((text for text in words if text), ""),
    )


_OUTCOMES = (d.CorrectionBooked, d.CorrectionFailed, d.VoidDone, d.VoidFailed)


def _proposals(
    proposals: tuple[ProposalTold, ...], event: Any, at: Micros
) -> tuple[ProposalTold, ...]:
    if isinstance(event, d.VoidProposed | d.CorrectionProposed):
        return (*proposals, _proposed(event, at))
    changes = _changes(event)
    return tuple(
        msgspec.structs.replace(item, **changes)
        if changes and item.number == event.proposal
        else item
        for item in proposals
    )


def _proposed(event: d.VoidProposed | d.CorrectionProposed, at: Micros) -> ProposalTold:
    if isinstance(event, d.VoidProposed):
        kind, player, amount_minor = d.ProposalKind.VOID, "", event.staked_minor
    else:
        kind, player = d.ProposalKind.CORRECTION, event.player
        amount_minor = event.amount_minor
    return ProposalTold(
        number=event.proposal,
        kind=kind,
        standing="proposed",
        by=event.by,
        at=at,
        player=player,
        currency=event.currency,
        amount_minor=amount_minor,
        reason=event.reason,
        threshold_minor=event.threshold_minor,
        why_second=_why_second(event, amount_minor),
    )


def _why_second(event: d.VoidProposed | d.CorrectionProposed, amount_minor: int) -> str:
    is_small = 0 < abs(amount_minor) <= event.threshold_minor
    is_unknown = event.needs_sum and event.alone is None
    if event.why_second is None and is_small and is_unknown:
        return SUM_UNKNOWN
    return str(event.why_second or "")


def _changes(event: Any) -> dict[str, Any]:
    """Return what an event changes of the proposal that it names."""
    match event:
        case d.ProposalApproved():
            return {
                "standing": "approved",
                "decided_by": event.approved_by,
                "is_alone": event.is_alone,
            }
        case d.ProposalRejected():
            return {
                "standing": "rejected",
                "decided_by": event.by,
                "outcome": event.reason,
            }
        case d.CorrectionBooked():
            return {"standing": "done", "outcome": event.transfer}
        case d.VoidDone():
            return {"standing": "done", "outcome": f"{event.refunded_minor} back"}
        case d.CorrectionFailed() | d.VoidFailed():
            return {"standing": "failed", "outcome": event.reason}
    return {}


def players_of(records: Iterable[Delivery]) -> set[str]:
    """Return who bet in a round; also refused, for that may be what is wrong."""
    return {
        delivery.event.player
        for delivery in records
        if isinstance(delivery.event, e.WagersPlaced)
    }


def staked_minor(records: Iterable[Delivery]) -> int:
    """Return what was staked on a round and not given back before it counted."""
    total = 0
    for delivery in records:
        match delivery.event:
            case w.FundsReserved() as event:
                total += event.transfer.amount_minor
                total -= event.returned.amount_minor if event.returned else 0
            case w.ReservationCancelled() as event:
                total -= event.transfer.amount_minor if event.transfer else 0
    return total


def is_over(records: Iterable[Delivery]) -> bool:
    """Tell whether a round's wagers are decided or given back: then nothing is void."""
    return any(
        isinstance(delivery.event, e.RoundVoided | e.RoundClosed)
        or (isinstance(delivery.event, e.SettlementDue) and delivery.event.final)
        for delivery in records
    )
