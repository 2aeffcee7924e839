"""What the desk knows of a case: who proposed what, and what became of it."""

from enum import StrEnum

import msgspec

from contracts.desk import AloneDay, ProposalKind


class Standing(StrEnum):
    """A proposal ends once: it is rejected, or approved and then done or failed."""

    PROPOSED = "proposed"
    APPROVED = "approved"
    REJECTED = "rejected"
    DONE = "done"
    FAILED = "failed"


OPEN = (Standing.PROPOSED, Standing.APPROVED)


class Proposal(msgspec.Struct, frozen=True):
    """`amount_minor` is signed for a correction; of a void what was staked."""

    number: int
    kind: ProposalKind
    by: str
    currency: str
    amount_minor: int
    reason: str
    threshold_minor: int
    player: str = ""
    standing: Standing = Standing.PROPOSED
    is_alone: bool = False
    alone: AloneDay | None = None
    command_id: str = ""


class Case(msgspec.Struct, frozen=True):
    """A case; there is none while `round_id` is empty."""

    case: str
    round_id: str = ""
    proposals: tuple[Proposal, ...] = ()
    is_closed: bool = False


class Access(msgspec.Struct, frozen=True):
    """One person's looks: nothing depends on what they were."""

    looks: int = 0


def initial(stream: str) -> Case:
    return Case(stream.partition("-")[2])


def is_closed(state: Case) -> bool:
    return state.is_closed


def found(state: Case, number: int) -> Proposal | None:
    return next((item for item in state.proposals if item.number == number), None)
