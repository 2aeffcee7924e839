"""When a call that failed is made again, and when a person has to know of it.

What is certain needs no further attempt, unless it is what a player is owed.
"""

import hashlib

from contracts.envelope import Micros
from contracts.wallet_calls import CallKind, CallOutcome
from services.wallet.state import OwedCall

ATTEMPTS_MAX = {CallKind.DEBIT: 4, CallKind.AUTHENTICATE: 4, CallKind.BALANCE: 2}
"""After so many attempts these are given up; all others never are."""

UNTIL_DONE = frozenset({CallKind.CREDIT, CallKind.ROLLBACK, CallKind.CLOSE})
"""What is owed to the operator's player stays owed, whatever the operator says."""

FIRST_MS = 200
CAP_MS = 60_000
_DOUBLINGS_MAX = 16

PART_OF_AGE = 10
LONGEST_MS = 3_600_000
"""A call that has failed for long is made less and less often, but each hour."""

ALARM_AFTER_US = 24 * 3600 * 1_000_000


def is_given_up(kind: CallKind, attempt: int) -> bool:
    return attempt >= ATTEMPTS_MAX.get(kind, attempt + 1)


def is_alarming(owed: OwedCall, outcome: CallOutcome, now: Micros) -> bool:
    """Tell whether an attempt's end calls for a person, and nobody was called yet.

    A refusal does at once: he has had a stake, and says that he owes nothing for it.
    """
    if owed.call.kind not in UNTIL_DONE or owed.is_alarmed:
        return False
    is_long = bool(owed.since) and now - owed.since >= ALARM_AFTER_US
    return outcome is CallOutcome.REFUSED or (
        outcome is CallOutcome.UNCERTAIN and is_long
    )


def retry_at(now: Micros, call: str, attempt: int, since: Micros = 0) -> Micros:
    """Wait twice as long after each attempt, up to the cap, and never all at once.

    The cap is a minute, later a tenth of the time that the call has been failing, and
    an hour at most. The spread, half to whole of the delay, follows from call and
    attempt: deciding again gives the same time.
    """
    age_ms = (now - since) // 1000 if since else 0
    cap_ms = min(max(CAP_MS, age_ms // PART_OF_AGE), LONGEST_MS)
    delay_ms = min(FIRST_MS << min(attempt - 1, _DOUBLINGS_MAX), cap_ms)
    digest = hashlib.sha256(f"{call}:{attempt}".encode()).digest()
    spread = int.from_bytes(digest[:2], "big")
    return now + delay_ms * 500 + delay_ms * 500 * spread // 0xFFFF
