"""The dispute desk's commands, events and reasons: cases, and who looked at what.

What a proposal leads to is carried whole by `ProposalApproved`: who executes it reads
nothing else (H7). Roles and thresholds come with the commands, from the gateway that
knows them, and are kept in the events.
"""

from enum import StrEnum

from contracts.base import Command, Event, Value

ABOUT_LENGTH_MAX = 2_000
"""Of what a look is about: longer than any search with all its filters."""


class Role(StrEnum):
    """Each role may do what those before it may."""

    VIEWER = "viewer"
    RESOLVER = "resolver"
    ADMIN = "admin"


class ProposalKind(StrEnum):
    VOID = "void"
    CORRECTION = "correction"


class DeskReason(StrEnum):
    """Why the desk refuses, in order of precedence."""

    NOT_AUTHORIZED = "not_authorized"
    INVALID_NAME = "invalid_name"
    CASE_EXISTS = "case_exists"
    UNKNOWN_CASE = "unknown_case"
    CASE_CLOSED = "case_closed"
    REASON_MISSING = "reason_missing"
    TEXT_TOO_LONG = "text_too_long"
    ALREADY_PROPOSED = "already_proposed"
    UNKNOWN_PLAYER = "unknown_player"
    UNKNOWN_CURRENCY = "unknown_currency"
    INVALID_AMOUNT = "invalid_amount"
    UNKNOWN_PROPOSAL = "unknown_proposal"
    PROPOSAL_ENDED = "proposal_ended"
    SELF_APPROVAL = "self_approval"
    PROPOSALS_OPEN = "proposals_open"


class VoidOrderReason(StrEnum):
    """Why a round is not voided though that was approved."""

    UNKNOWN_ROUND = "unknown_round"
    ROUND_OVER = "round_over"
    STAKES_OVER_LIMIT = "stakes_over_limit"


class SecondReason(StrEnum):
    """Why a second person decides, though the amount itself is small enough."""

    CASE_SUM = "case_sum_over_threshold"
    PLAYER_DAY_SUM = "player_day_sum_over_threshold"


class AloneDay(Value, frozen=True):
    """Whose money a proposal moves, and what one person decided alone about it today.

    `minor` is the most for one of the players: in all cases, in the proposal's
    currency, on this day of UTC. The gateway looks it up; the desk knows one case.
    """

    day: str
    players: tuple[str, ...]
    minor: int


class OpenCase(Command, frozen=True, tag="desk.open_case.v1"):
    """`case` is `<table>-<number>-<name>`: the round's, and a name of its own."""

    case: str
    round_id: str
    subject: str
    role: Role
    player: str = ""


class AddNote(Command, frozen=True, tag="desk.add_note.v1"):
    case: str
    text: str
    role: Role


class ProposeVoid(Command, frozen=True, tag="desk.propose_void.v1"):
    """`staked_minor` is what was staked on the round when it was proposed.

    `needs_sum`: without `alone` nobody decides alone, for the day's sum is not known.
    Proposals from before days were added up do not say so.
    `once`: it is known by its id for ever, and `alone` is believed only of today and of
    who is named in it. Proposals from before that do not say so.
    """

    case: str
    currency: str
    staked_minor: int
    reason: str
    threshold_minor: int
    role: Role
    alone: AloneDay | None = None
    needs_sum: bool = False
    once: bool = False


class ProposeCorrection(Command, frozen=True, tag="desk.propose_correction.v1"):
    """`amount_minor` above 0 is paid to the player, below 0 taken back.

    `needs_sum` and `once` as in `ProposeVoid`.
    """

    case: str
    player: str
    currency: str
    amount_minor: int
    reason: str
    threshold_minor: int
    role: Role
    alone: AloneDay | None = None
    needs_sum: bool = False
    once: bool = False


class ApproveProposal(Command, frozen=True, tag="desk.approve_proposal.v1"):
    case: str
    proposal: int
    role: Role


class RejectProposal(Command, frozen=True, tag="desk.reject_proposal.v1"):
    case: str
    proposal: int
    reason: str
    role: Role


class CloseCase(Command, frozen=True, tag="desk.close_case.v1"):
    case: str
    resolution: str
    role: Role


class RecordAccess(Command, frozen=True, tag="desk.record_access.v1"):
    """Somebody of support is about to look at, or do, something."""

    person: str
    role: Role
    what: str
    about: str
    case: str = ""


class CaseOpened(Event, frozen=True, tag="desk.case_opened.v1"):
    round_id: str
    case: str
    subject: str
    by: str
    role: Role
    player: str = ""


class NoteAdded(Event, frozen=True, tag="desk.note_added.v1"):
    round_id: str
    case: str
    text: str
    by: str
    role: Role


class VoidProposed(Event, frozen=True, tag="desk.void_proposed.v1"):
    """Under `command_id` nobody proposes anything else in this case, ever."""

    round_id: str
    case: str
    proposal: int
    currency: str
    staked_minor: int
    reason: str
    threshold_minor: int
    by: str
    role: Role
    alone: AloneDay | None = None
    why_second: SecondReason | None = None
    needs_sum: bool = False
    command_id: str = ""


class CorrectionProposed(Event, frozen=True, tag="desk.correction_proposed.v1"):
    """`command_id` as in `VoidProposed`."""

    round_id: str
    case: str
    proposal: int
    player: str
    currency: str
    amount_minor: int
    reason: str
    threshold_minor: int
    by: str
    role: Role
    alone: AloneDay | None = None
    why_second: SecondReason | None = None
    needs_sum: bool = False
    command_id: str = ""


class ProposalApproved(Event, frozen=True, tag="desk.proposal_approved.v1"):
    """All that table or wallet need to carry it out.

    `is_alone`: nobody else approved, for no more than `threshold_minor` is at stake.
    A void's stakes may have grown since; then the table does not carry it out.
    """

    round_id: str
    case: str
    proposal: int
    kind: ProposalKind
    currency: str
    amount_minor: int
    reason: str
    threshold_minor: int
    proposed_by: str
    approved_by: str
    role: Role
    player: str = ""
    is_alone: bool = False
    alone: AloneDay | None = None


class ProposalRejected(Event, frozen=True, tag="desk.proposal_rejected.v1"):
    round_id: str
    case: str
    proposal: int
    reason: str
    by: str
    role: Role


class CorrectionBooked(Event, frozen=True, tag="desk.correction_booked.v1"):
    """The wallet has moved the money, by this transfer."""

    round_id: str
    case: str
    proposal: int
    transfer: str
    amount_minor: int
    balance_minor: int


class CorrectionFailed(Event, frozen=True, tag="desk.correction_failed.v1"):
    """The wallet moved nothing, for this reason."""

    round_id: str
    case: str
    proposal: int
    reason: str


class VoidDone(Event, frozen=True, tag="desk.void_done.v1"):
    """The round is void; so much of its stakes goes back to players."""

    round_id: str
    case: str
    proposal: int
    refunded_minor: int


class VoidFailed(Event, frozen=True, tag="desk.void_failed.v1"):
    """The round stands, for this reason."""

    round_id: str
    case: str
    proposal: int
    reason: str


class CaseClosed(Event, frozen=True, tag="desk.case_closed.v1"):
    round_id: str
    case: str
    resolution: str
    by: str
    role: Role


class AccessRecorded(Event, frozen=True, tag="desk.access_recorded.v1"):
    """Who looked at, exported or did what, and for which case; it is no round's."""

    person: str
    role: Role
    what: str
    about: str
    case: str = ""


class DeskCommandRefused(Event, frozen=True, tag="desk.command_refused.v1"):
    command_id: str
    command: str
    reason: str


class Proposed(Value, frozen=True):
    """Which proposal of which case ordered something."""

    case: str
    proposal: int
