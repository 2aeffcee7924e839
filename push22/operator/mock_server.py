"""The mock operator over HTTP: a bare ASGI application around its books.

It checks signature, time and nonce, spoils what the faults say, and signs its answers.
Under /admin it takes orders of whoever tests with it.
"""

import asyncio
import time
from collections import Counter, OrderedDict
from typing import Any

import msgspec

from contracts import operator_wallet as ow
from contracts.operator_wallet import Status, WalletRequest
from contracts.strict import NotStrict, check_names, check_nesting
from push22.operator import signing
from push22.operator.mock_books import Books, Told
from push22.operator.mock_faults import Faults
from push22.operator.mock_orders import NoOrder, obey

_KINDS = {path: kind for kind, path in ow.PATHS.items()}
_REQUEST = msgspec.json.Decoder(WalletRequest)
_NONCES_KEPT = 100_000
_STATEMENT = "/wallet/v1/transactions"

Reply = tuple[int, bytes, dict[str, str]]


class MockOperator:
    """An operator to try against. `seen` counts requests by kind and fault."""

    def __init__(self, books: Books, faults: Faults, keys: dict[str, bytes]) -> None:
        self.books = books
        self.faults = faults
        self.keys = keys
        self.seen: Counter[str] = Counter()
        self._nonces: OrderedDict[str, None] = OrderedDict()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        assert scope["type"] == "http", "started without lifespan"
        body = await _read(receive)
        headers = {
            k.decode("latin-1"): v.decode("latin-1") for k, v in scope["headers"]
        }
        path = scope["path"]
        if path.startswith("/admin/"):
            reply = self._ordered(path, body)
        elif path in _KINDS or path.startswith(_STATEMENT):
            reply = await self._spoken_to(scope["method"], path, (headers, body))
        else:
            reply = (404, b"", {})
        await _send(send, reply)

    async def _spoken_to(
        self, method: str, path: str, what: tuple[dict[str, str], bytes]
    ) -> Reply:
        headers, body = what
        nonce = headers.get(signing.NONCE, "")
        secret = self.keys.get(headers.get(signing.KEY, ""), b"")
        status = self._heard(method, path, what)
        if status is not Status.OK:
            return self._signed(secret, nonce, _refusal(status))
        if path.startswith(_STATEMENT):
            return self._signed(secret, nonce, self._statement(path))
        try:
            request = self._understood(body)
        except (NotStrict, msgspec.MsgspecError):
            return self._signed(secret, nonce, _refusal(Status.BAD_REQUEST))
        return await self._spoilt(_KINDS[path], request, (secret, nonce))

    def _heard(
        self, method: str, path: str, what: tuple[dict[str, str], bytes]
    ) -> Status:
        headers, body = what
        broken = self.books.broken
        secret = self.keys.get(headers.get(signing.KEY, ""))
        try:
            time_ms = int(headers.get(signing.TIME, ""))
        except ValueError:
            time_ms = 0
        nonce = headers.get(signing.NONCE, "")
        signed = signing.Signed(method, path, time_ms, nonce)
        due = signing.sign_request(secret or b"", signed, body)
        is_ours = secret and signing.is_equal(headers.get(signing.SIGNATURE, ""), due)
        if not is_ours and broken != "takes_any_signature":
            return Status.BAD_SIGNATURE
        now_ms = time.time_ns() // 1_000_000 + self.faults.skew_ms
        if abs(now_ms - time_ms) > ow.WINDOW_MS and broken != "takes_any_time":
            return Status.STALE_TIME
        if nonce in self._nonces and broken != "takes_any_nonce":
            return Status.REPLAYED_NONCE
        self._nonces[nonce] = None
        if len(self._nonces) > _NONCES_KEPT:
            self._nonces.popitem(last=False)
        return Status.OK

    def _understood(self, body: bytes) -> WalletRequest:
        if self.books.broken == "takes_malformed":
            return msgspec.json.decode(body, type=WalletRequest, strict=False)
        check_nesting(body)
        check_names(body)
        return _REQUEST.decode(body)

    async def _spoilt(
        self, kind: str, request: WalletRequest, key: tuple[bytes, str]
    ) -> Reply:
        """Handle a request as its fault says."""
        fault = self.faults.draw()
        self.seen[kind] += 1
        self.seen[f"fault:{fault}"] += 1
        hang_s = self.faults.hang_ms / 1000
        if fault == "error_before":
            return (500, b"out of order", {})
        if fault == "lost":
            await asyncio.sleep(hang_s)
            return (503, b"", {})
        if fault == "overtaken":
            await asyncio.sleep(hang_s)
        refuse = self.faults.refusal() if fault == "refused" else ""
        told = await self._handled(kind, request, refuse)
        if fault == "twice":
            told = await self._handled(kind, request, "")
        if fault in ("unheard", "late"):
            await asyncio.sleep(hang_s if fault == "unheard" else hang_s / 4)
        if fault == "error_after":
            return (502, b"<html>", {})
        reply = self._signed(*key, _spoilt_body(fault, told))
        return (*reply[:2], {}) if fault == "unsigned" else reply

    async def _handled(self, kind: str, request: WalletRequest, refuse: str) -> Told:
        is_blind = False
        if self.books.broken == "races":
            is_blind = not self.books.knows(request.transaction_id)
            await asyncio.sleep(0.05)
        return self.books.handle(kind, request, refuse, is_blind=is_blind)

    def _signed(self, secret: bytes, nonce: str, told: Told) -> Reply:
        code = ow.code_of(told.status)
        headers = {signing.REPEATED: "true"} if told.is_repeat else {}
        if self.books.broken != "leaves_answers_unsigned":
            headers[signing.SIGNATURE] = signing.sign_answer(
                secret, nonce, code, told.body
            )
        return (code, told.body, headers)

    def _statement(self, path: str) -> Told:
        """List all transactions, one a line; or tell of one."""
        wanted = path.removeprefix(_STATEMENT).lstrip("/")
        known = [
            item
            for item in self.books.statement()
            if wanted in ("", item.transaction_id)
        ]
        if wanted and not known:
            return _refusal(Status.NOT_FOUND)
        return Told(Status.OK, b"\n".join(map(msgspec.json.encode, known)))

    def _ordered(self, path: str, body: bytes) -> Reply:
        """Do what a tester orders: rates, states of players, what the books say."""
        name = path.removeprefix("/admin/")
        try:
            found = obey(name, body, self.books, self.faults)
        except NoOrder as error:
            return (400, msgspec.json.encode({"error": str(error)}), {})
        if name == "books":
            found["seen"] = dict(self.seen)
        return (200, msgspec.json.encode(found), {})


def _refusal(status: Status) -> Told:
    return Told(status, msgspec.json.encode(ow.WalletAnswer(status, "", "")))


def _spoilt_body(fault: str, told: Told) -> Told:
    body = told.body
    if fault == "malformed":
        body = body[:-7] + b"!"
    if fault in ("other_currency", "other_transaction"):
        document = msgspec.json.decode(body)
        name = "currency" if fault == "other_currency" else "transaction_id"
        document[name] = "XTS"
        body = msgspec.json.encode(document)
    return told._replace(body=body)


async def _read(receive: Any) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body") or len(body) > ow.BODY_BYTES_MAX:
            return bytes(body)


async def _send(send: Any, reply: Reply) -> None:
    code, body, headers = reply
    found = [(k.encode(), v.encode()) for k, v in headers.items()]
    found.append((b"content-type", b"application/json"))
    start = {"type": "http.response.start", "status": code, "headers": found}
    await send(start)
    await send({"type": "http.response.body", "body": body})
