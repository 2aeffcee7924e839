"""What we and an operator's own wallet say over HTTP (docs/operator-wallet.md).

We send requests, the operator answers. Amounts are integers of minor units; a float, a
text or another currency is no answer at all.
"""

from enum import StrEnum
from typing import Annotated

import msgspec

PATHS = {
    "authenticate": "/wallet/v1/authenticate",
    "balance": "/wallet/v1/balance",
    "debit": "/wallet/v1/debit",
    "credit": "/wallet/v1/credit",
    "rollback": "/wallet/v1/rollback",
    "close": "/wallet/v1/round/close",
}

AMOUNT_MINOR_MAX = 2**53 - 1
"""The largest integer that every reader of JSON keeps exact."""

WINDOW_MS = 300_000
"""A request may be so much older or newer than the operator's clock."""

BODY_BYTES_MAX = 64 * 1024

NAME_CHARACTERS_MAX = 256
"""Of a session or a transaction, whoever named it: all of it is recorded here."""

Name = Annotated[str, msgspec.Meta(max_length=NAME_CHARACTERS_MAX)]
Amount = Annotated[int, msgspec.Meta(ge=0, le=AMOUNT_MINOR_MAX)]


class Status(StrEnum):
    """What an answer says. `ok` is done; the others are refusals."""

    OK = "ok"
    BAD_SIGNATURE = "bad_signature"
    STALE_TIME = "stale_time"
    REPLAYED_NONCE = "replayed_nonce"
    BAD_REQUEST = "bad_request"
    UNKNOWN_PLAYER = "unknown_player"
    WRONG_CURRENCY = "wrong_currency"
    INVALID_AMOUNT = "invalid_amount"
    TRANSACTION_MISMATCH = "transaction_mismatch"
    TRANSACTION_ROLLED_BACK = "transaction_rolled_back"
    DEBIT_UNKNOWN = "debit_unknown"
    ROUND_CLOSED = "round_closed"
    SESSION_EXPIRED = "session_expired"
    ACCOUNT_BLOCKED = "account_blocked"
    SELF_EXCLUDED = "self_excluded"
    LIMIT_REACHED = "limit_reached"
    REALITY_CHECK = "reality_check"
    INSUFFICIENT_FUNDS = "insufficient_funds"
    NOT_FOUND = "not_found"


HTTP_CODES = {
    Status.OK: 200,
    Status.BAD_SIGNATURE: 401,
    Status.STALE_TIME: 401,
    Status.REPLAYED_NONCE: 401,
    Status.BAD_REQUEST: 400,
    Status.NOT_FOUND: 404,
    Status.TRANSACTION_MISMATCH: 409,
    Status.TRANSACTION_ROLLED_BACK: 409,
}
"""The code of each status; of all that are not named here it is 422."""

REFUSED_CODE = 422

CORRECTION = "correction"
"""The reason of a debit or credit that stands outside its round's own payments."""

UNHEARD = frozenset(
    {Status.BAD_SIGNATURE, Status.STALE_TIME, Status.REPLAYED_NONCE, Status.BAD_REQUEST}
)
"""The request was not looked at: nothing is said about its transaction."""


def code_of(status: Status) -> int:
    return HTTP_CODES.get(status, REFUSED_CODE)


class WalletRequest(
    msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True
):
    """One request; which fields it has follows from its path."""

    request_id: str
    transaction_id: str
    player_id: str
    currency: str
    occurred_at: str
    session_id: str = ""
    token: str = ""
    amount_minor: Amount = 0
    reference_id: str = ""
    round_id: str = ""
    table_id: str = ""
    box: int = 0
    reason: str = ""


class WalletAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """One answer. Fields that we do not know are passed over."""

    status: Name
    transaction_id: Name
    currency: Name = ""
    balance_minor: Amount | None = None
    wallet_transaction_id: Name = ""
    session_id: Name = ""
    noted: bool = False
    """A rollback of a debit that never came: it is refused should it come yet."""


class KnownTransaction(msgspec.Struct, frozen=True, omit_defaults=True):
    """A transaction as an operator's statement lists it, one a line."""

    transaction_id: str
    kind: str
    player_id: str
    currency: str
    amount_minor: Amount
    round_id: str = ""
    reference_id: str = ""
    is_rolled_back: bool = False
