"""The one place where an operator is called: a call in, what came of it out.

It decides nothing and repeats nothing: how an attempt ended is recorded by the wallet,
whose state says whether there is another one.
"""

import asyncio
import secrets
import time
from datetime import UTC, datetime
from typing import Any

import httpx
import msgspec

from contracts import operator_wallet as ow
from contracts.identities import operator_of, table_of_round
from contracts.strict import NotStrict, check_nesting
from contracts.wallet_calls import CallKind, CallOutcome, RecordCall
from push22.operator import signing
from push22.operator.bounded import AS_IT_IS, Misunderstood, bounded
from push22.operator.settings import Operators, OperatorSettings
from runtime.ambient import Clock, SystemClock
from runtime.effects import Attempt
from runtime.metrics import CALL_DUPLICATES, CALL_SECONDS, CALLS_ALARMED
from runtime.telemetry import get_logger
from runtime.tracing import CURRENT, Call, Took
from services.wallet.retries import UNTIL_DONE, is_alarming
from services.wallet.state import OwedCall

_log = get_logger("push22.operator")

_ANSWER = msgspec.json.Decoder(ow.WalletAnswer)
_NO_AMOUNT = frozenset({CallKind.AUTHENTICATE, CallKind.BALANCE, CallKind.CLOSE})


class OperatorClient:
    """Makes the calls of all operators, side by side over kept connections."""

    def __init__(self, operators: Operators, clock: Clock | None = None) -> None:
        for kind in UNTIL_DONE:
            CALLS_ALARMED.labels(kind)
        self._operators = operators
        self._clock = clock or SystemClock()
        self._http = httpx.AsyncClient(
            follow_redirects=False,
            trust_env=False,
            limits=httpx.Limits(max_connections=100, max_keepalive_connections=100),
        )

    async def close(self) -> None:
        await self._http.aclose()

    async def perform(self, attempt: Attempt) -> RecordCall:
        """Make one attempt of a call that a wallet owes; say if it calls for a person.

        The wallet decides the same of what it records here.
        """
        began, began_at = time.perf_counter(), time.time_ns()
        record = await self._performed(attempt)
        owed: OwedCall = attempt.request
        taken = time.perf_counter() - began
        CALL_SECONDS.labels(owed.call.kind, record.outcome).observe(taken)
        if (tracer := CURRENT.tracer) is not None:
            about = (attempt.stream, attempt.name, owed.call.kind, record.outcome)
            tracer.called(Call("wallet", *about), Took.since(began_at))
        if is_alarming(owed, record.outcome, self._clock.now()):
            CALLS_ALARMED.labels(owed.call.kind).inc()
            _log.error(
                "a call to an operator needs a person",
                player=record.player,
                call=record.call,
                kind=owed.call.kind,
                outcome=record.outcome,
                reason=record.reason,
            )
        return record

    async def _performed(self, attempt: Attempt) -> RecordCall:
        owed: OwedCall = attempt.request
        player, _, currency = attempt.stream.removeprefix("wallet-").rpartition(".")
        record = RecordCall(
            player=player,
            currency=currency,
            call=owed.call.id,
            attempt=owed.attempts + 1,
            outcome=CallOutcome.UNCERTAIN,
            was_tried=attempt.was_tried,
        )
        settings = self._operators.get(operator_of(player))
        if settings is None:
            return _as(record, reason="operator_unknown")
        try:
            async with asyncio.timeout(settings.timeout_ms / 1000):
                return await self._attempt(settings, owed, record)
        except Misunderstood as error:
            return _as(record, reason=str(error))
        except (TimeoutError, httpx.TimeoutException):
            return _as(record, reason="timeout")
        except (httpx.HTTPError, httpx.InvalidURL):
            return _as(record, reason="unreachable")

    async def _attempt(
        self, settings: OperatorSettings, owed: OwedCall, record: RecordCall
    ) -> RecordCall:
        now = self._clock.now()
        path = ow.PATHS[owed.call.kind]
        body = msgspec.json.encode(request_of(owed, record, now))
        what = signing.Signed("POST", path, now // 1000, secrets.token_hex(16))
        secret = settings.key()
        headers = signing.request_headers(settings.key_id, secret, what, body)
        sending = self._http.stream(
            "POST",
            settings.url.rstrip("/") + path,
            content=body,
            headers={**headers, **AS_IT_IS},
            timeout=settings.timeout_ms / 1000,
        )
        async with sending as response:
            answer = (response.status_code, await bounded(response, ow.BODY_BYTES_MAX))
        if answer[0] >= 500:
            raise Misunderstood(f"http_{answer[0]}")
        if settings.answers_signed and not signing.is_answer_signed(
            secret, what.nonce, answer, response.headers
        ):
            raise Misunderstood("unsigned")
        told = told_by(owed, record, answer)
        if response.headers.get(signing.REPEATED) == "true":
            CALL_DUPLICATES.labels(owed.call.kind).inc()
        return told


def _as(record: RecordCall, **changes: Any) -> RecordCall:
    return msgspec.structs.replace(record, **changes)


def request_of(owed: OwedCall, record: RecordCall, now: int) -> ow.WalletRequest:
    call = owed.call
    moment = datetime.fromtimestamp(now / 1_000_000, tz=UTC)
    return ow.WalletRequest(
        request_id=f"{call.id}:{record.attempt}",
        transaction_id=call.id,
        player_id=record.player,
        currency=record.currency,
        occurred_at=moment.isoformat(timespec="milliseconds"),
        session_id=call.session,
        token=owed.token,
        amount_minor=0 if call.kind in _NO_AMOUNT else call.amount_minor,
        reference_id=call.reference,
        round_id=owed.round_id,
        table_id=table_of_round(owed.round_id) if owed.round_id else "",
        box=call.box,
        reason=call.reason,
    )


def told_by(
    owed: OwedCall, record: RecordCall, answer: tuple[int, bytes]
) -> RecordCall:
    """Read an answer strictly; whatever is not understood leaves all open."""
    code, body = answer
    told = decode_answer(body)
    try:
        status = ow.Status(told.status)
    except ValueError:
        raise Misunderstood("unknown_status") from None
    if code != ow.code_of(status):
        raise Misunderstood("code_and_status_differ")
    if status in ow.UNHEARD:
        raise Misunderstood(str(status))
    if told.transaction_id != owed.call.id:
        raise Misunderstood("other_transaction")
    if status is not ow.Status.OK:
        return _as(record, outcome=CallOutcome.REFUSED, reason=str(status))
    if told.currency != record.currency:
        raise Misunderstood("other_currency")
    if told.balance_minor is None:
        raise Misunderstood("no_balance")
    if owed.call.kind is CallKind.AUTHENTICATE and not told.session_id:
        raise Misunderstood("no_session")
    return _as(
        record,
        outcome=CallOutcome.DONE,
        operator_balance_minor=told.balance_minor,
        operator_transaction=told.wallet_transaction_id,
        session=told.session_id if owed.call.kind is CallKind.AUTHENTICATE else "",
    )


def decode_answer(body: bytes) -> ow.WalletAnswer:
    try:
        check_nesting(body)
        return _ANSWER.decode(body)
    except (NotStrict, msgspec.MsgspecError, UnicodeDecodeError):
        raise Misunderstood("malformed") from None
