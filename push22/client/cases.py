"""What the door answers about cases of the dispute desk."""

from push22.client.answers import Body


class Proposal(Body, frozen=True):
    """`standing`: `proposed`, `approved`, `rejected`, `done` or `failed`.

    `is_alone`: nobody else approved. `outcome` says what came of it. `why_second`: why
    a second person decides, though the amount itself is small enough.
    """

    number: int
    kind: str
    standing: str
    by: str
    at: int
    player: str
    currency: str
    amount_minor: int
    reason: str
    threshold_minor: int
    decided_by: str = ""
    is_alone: bool = False
    outcome: str = ""
    why_second: str = ""


class CaseEntry(Body, frozen=True):
    """One event of a case."""

    at: int
    what: str
    who: str
    proposal: int = 0
    text: str = ""


class Case(Body, frozen=True):
    """A case as it stands, with all that happened in it."""

    case: str
    round_id: str
    player: str
    subject: str
    status: str
    proposals: tuple[Proposal, ...]
    entries: tuple[CaseEntry, ...]


class CaseLine(Body, frozen=True):
    """A case in a list. `waiting` proposals wait for somebody's word."""

    case: str
    round_id: str
    player: str
    subject: str
    opened_by: str
    opened_at: int
    closed_at: int
    waiting: int


class Cases(Body, frozen=True):
    cases: tuple[CaseLine, ...]
    cursor: str = ""
