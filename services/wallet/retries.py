"""When a call that failed is made again. What is certain needs no further attempt."""

import hashlib

from contracts.envelope import Micros
from contracts.wallet_calls import CallKind

ATTEMPTS_MAX = {CallKind.DEBIT: 4, CallKind.AUTHENTICATE: 4, CallKind.BALANCE: 2}
"""After so many attempts these are given up; all others never are."""

FIRST_MS = 200
CAP_MS = 60_000
_DOUBLINGS_MAX = 16


def is_given_up(kind: CallKind, attempt: int) -> bool:
    return attempt >= ATTEMPTS_MAX.get(kind, attempt + 1)


def retry_at(now: Micros, call: str, attempt: int) -> Micros:
    """Wait twice as long after each attempt, up to the cap, and never all at once.

    The spread, half to whole of the delay, follows from call and attempt: deciding
    again gives the same time.
    """
    delay_ms = min(FIRST_MS << min(attempt - 1, _DOUBLINGS_MAX), CAP_MS)
    digest = hashlib.sha256(f"{call}:{attempt}".encode()).digest()
    spread = int.from_bytes(digest[:2], "big")
    return now + delay_ms * 500 + delay_ms * 500 * spread // 0xFFFF
