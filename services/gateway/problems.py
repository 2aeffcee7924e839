"""Why the door says no: one table from reason to status (RFC 9457)."""

from enum import StrEnum

import msgspec

from blackjack.reasons import BetReason, StepReason
from contracts.desk import DeskReason
from contracts.table import TableReason
from contracts.wallet import CashReason, WalletReason

MEDIA_TYPE = "application/problem+json"


class DoorReason(StrEnum):
    """The door's own reasons, in order of precedence."""

    TOO_LARGE = "too_large"
    NOT_FOUND = "not_found"
    WRONG_METHOD = "wrong_method"
    TOO_MANY_REQUESTS = "too_many_requests"
    UNAUTHENTICATED = "unauthenticated"
    TOKEN_EXPIRED = "token_expired"  # noqa: S105 - the name of a reason
    LAUNCH_USED = "launch_used"
    CLOCK_SKEW = "clock_skew"
    NONCE_USED = "nonce_used"
    FORBIDDEN = "forbidden"
    MALFORMED = "malformed"
    NOT_IN_ROUND = "not_in_round"
    WRONG_CURRENCY = "wrong_currency"
    WRONG_CASE = "wrong_case"
    STALE_VERSION = "stale_version"
    IN_PLAY = "in_play"
    DAMAGED = "damaged"
    NOT_AVAILABLE = "not_available"
    NO_ANSWER = "no_answer"


REUSED = str(TableReason.COMMAND_ID_REUSED)
"""One key for two commands."""


class Problem(msgspec.Struct, frozen=True):
    """The body of every error. Programs look at `reason`."""

    type: str
    title: str
    status: int
    reason: str
    detail: str = ""


class Refused(Exception):
    """Raised where a request ends; the application answers with the problem."""

    def __init__(self, reason: str, detail: str = "", *, retry_s: int = 0) -> None:
        self.problem = problem(reason, detail)
        self.retry_s = retry_s
        super().__init__(f"{reason}: {detail}")


def problem(reason: str, detail: str = "") -> Problem:
    reason = str(reason)
    title = reason.replace("_", " ")
    return Problem(f"urn:push22:{reason}", title, status_of(reason), reason, detail)


def status_of(reason: str) -> int:
    """Return the status of a reason: a refusal that is not listed is a conflict."""
    return _STATUS.get(reason, 409)


_UNPROCESSABLE = (
    TableReason.INVALID_NAME,
    TableReason.UNKNOWN_RULE_SET,
    TableReason.INVALID_OPTIONS,
    TableReason.INVALID_LIMITS,
    TableReason.INVALID_TIMINGS,
    TableReason.INVALID_SEED_HASH,
    TableReason.REASON_MISSING,
    BetReason.NO_SUCH_BOX,
    BetReason.UNKNOWN_WAGER,
    BetReason.NO_MAIN_WAGER,
    BetReason.INVALID_AMOUNT,
    BetReason.WRONG_WAGER_COUNT,
    BetReason.WAGERS_NOT_EQUAL,
    StepReason.UNKNOWN_ACTION,
    WalletReason.UNKNOWN_CURRENCY,
    DeskReason.TEXT_TOO_LONG,
    DoorReason.NOT_IN_ROUND,
    DoorReason.WRONG_CURRENCY,
    DoorReason.WRONG_CASE,
)
_STATUS: dict[str, int] = {
    DoorReason.MALFORMED: 400,
    DoorReason.UNAUTHENTICATED: 401,
    DoorReason.TOKEN_EXPIRED: 401,
    DoorReason.LAUNCH_USED: 401,
    DoorReason.CLOCK_SKEW: 401,
    DoorReason.NONCE_USED: 401,
    DoorReason.FORBIDDEN: 403,
    TableReason.NOT_AUTHORIZED: 403,
    DoorReason.NOT_FOUND: 404,
    TableReason.UNKNOWN_TABLE: 404,
    TableReason.UNKNOWN_ROUND: 404,
    StepReason.NO_SUCH_HAND: 404,
    WalletReason.UNKNOWN_PLAYER: 404,
    DeskReason.UNKNOWN_CASE: 404,
    DeskReason.UNKNOWN_PROPOSAL: 404,
    DeskReason.SELF_APPROVAL: 403,
    DoorReason.WRONG_METHOD: 405,
    DoorReason.TOO_LARGE: 413,
    DoorReason.TOO_MANY_REQUESTS: 429,
    DoorReason.NOT_AVAILABLE: 503,
    DoorReason.NO_ANSWER: 504,
    **dict.fromkeys(_UNPROCESSABLE, 422),
}

REASONS = tuple(
    dict.fromkeys(
        str(reason)
        for kind in (
            DoorReason,
            TableReason,
            BetReason,
            StepReason,
            WalletReason,
            CashReason,
            DeskReason,
        )
        for reason in kind
    )
)
"""Every reason that an answer of the door can have."""
