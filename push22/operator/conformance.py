"""The kit that operators run against their own wallet: cases, talk, verdicts.

A case is a few requests and what must be true of the answers. Each case uses rounds and
transactions of its own, so that the kit can be run again and again.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple

import httpx
import msgspec

from contracts import operator_wallet as ow
from contracts.operator_wallet import Status
from push22.operator import signing
from push22.operator.bounded import AS_IT_IS, Misunderstood, bounded

BYTES_MAX = 16 * 1024 * 1024
"""No answer is longer, and no list of all transactions that a test run looks at."""


class Broken(AssertionError):
    """An answer that is not what the clause demands; the text says in what."""


class Spoken(msgspec.Struct, frozen=True):
    """One request and its answer, as they were on the wire."""

    method: str
    path: str
    request: str
    code: int
    answer: str


class Verdict(msgspec.Struct, frozen=True):
    name: str
    clause: str
    title: str
    passed: bool
    reason: str
    spoken: tuple[Spoken, ...]


class Wallet(msgspec.Struct, frozen=True):
    """The wallet under test, and a player there who has money."""

    url: str
    key_id: str
    secret: bytes
    player: str
    currency: str
    token: str
    timeout_s: float = 10.0


class Heard(NamedTuple):
    """An answer as it came."""

    code: int
    body: bytes
    headers: httpx.Headers


class Answer(msgspec.Struct, frozen=True):
    code: int
    body: bytes
    told: ow.WalletAnswer

    @property
    def balance(self) -> int:
        if self.told.balance_minor is None:
            raise Broken("the answer has no balance_minor")
        return self.told.balance_minor


class Talk:
    """What one case says to the wallet under test. Notes every word."""

    def __init__(self, wallet: Wallet, http: httpx.AsyncClient) -> None:
        self.wallet = wallet
        self.run = secrets.token_hex(8)
        self.round = f"round-conformance-{self.run}"
        self.session = ""
        self.spoken: list[Spoken] = []
        self._http = http

    def new_id(self) -> str:
        return f"{self.run}-{secrets.token_hex(8)}"

    def request(self, **fields: Any) -> ow.WalletRequest:
        moment = datetime.now(UTC).isoformat(timespec="milliseconds")
        usual: dict[str, Any] = {
            "request_id": self.new_id(),
            "transaction_id": self.new_id(),
            "player_id": self.wallet.player,
            "currency": self.wallet.currency,
            "occurred_at": moment,
            "session_id": self.session,
            "round_id": self.round,
            "table_id": "conformance",
        }
        return ow.WalletRequest(**{**usual, **fields})

    async def open(self) -> Answer:
        """Exchange the player's token for a session."""
        answer = await self.call(
            "authenticate", token=self.wallet.token, session_id="", round_id=""
        )
        expect(answer, Status.OK)
        self.session = answer.told.session_id
        return answer

    async def balance(self) -> int:
        answer = await self.call("balance")
        expect(answer, Status.OK)
        return answer.balance

    async def call(self, kind: str, **fields: Any) -> Answer:
        return await self.send(kind, self.request(**fields))

    async def send(self, kind: str, request: ow.WalletRequest) -> Answer:
        """Send a request again or for the first time, properly signed."""
        return await self.raw(kind, msgspec.json.encode(request))

    async def raw(
        self, kind: str, body: bytes, *, spoilt: str = "", skew_ms: int = 0
    ) -> Answer:
        """Send bytes; `spoilt` spoils the signature, `skew_ms` the time."""
        headers = self.headers(kind, body, skew_ms=skew_ms)
        if spoilt:
            headers[signing.SIGNATURE] = spoilt
        return await self.post(ow.PATHS[kind], body, headers)

    def headers(self, kind: str, body: bytes, *, skew_ms: int = 0) -> dict[str, str]:
        now_ms = time.time_ns() // 1_000_000 + skew_ms
        what = signing.Signed("POST", ow.PATHS[kind], now_ms, secrets.token_hex(16))
        key = (self.wallet.key_id, self.wallet.secret)
        return signing.request_headers(*key, what, body)

    async def post(self, path: str, body: bytes, headers: dict[str, str]) -> Answer:
        """Send one request as it is; the answer must be signed and readable."""
        heard = await self._sent("POST", path, body, headers)
        self._check_signature(heard, headers)
        try:
            told = msgspec.json.decode(heard.body, type=ow.WalletAnswer)
        except msgspec.MsgspecError as error:
            raise Broken(f"the answer cannot be read: {error}") from error
        return Answer(heard.code, heard.body, told)

    async def statement(self, transaction: str = "") -> list[ow.KnownTransaction]:
        """Read what the wallet lists of one transaction."""
        path = f"/wallet/v1/transactions/{transaction}"
        what = signing.Signed(
            "GET", path, time.time_ns() // 1_000_000, secrets.token_hex(16)
        )
        key = (self.wallet.key_id, self.wallet.secret)
        headers = signing.request_headers(*key, what, b"")
        heard = await self._sent("GET", path, b"", headers)
        self._check_signature(heard, headers)
        if heard.code == ow.code_of(Status.NOT_FOUND):
            return []
        try:
            decoder = msgspec.json.Decoder(ow.KnownTransaction)
            return [decoder.decode(line) for line in heard.body.splitlines()]
        except msgspec.MsgspecError as error:
            raise Broken(f"the statement cannot be read: {error}") from error

    async def _sent(
        self, method: str, path: str, body: bytes, headers: dict[str, str]
    ) -> Heard:
        try:
            async with asyncio.timeout(self.wallet.timeout_s):
                heard = await self._heard(method, path, body, headers)
        except (httpx.HTTPError, TimeoutError, Misunderstood) as error:
            self.spoken.append(Spoken(method, path, _text(body), 0, repr(error)))
            raise Broken(f"no answer: {error!r}") from error
        self.spoken.append(
            Spoken(method, path, _text(body), heard.code, _text(heard.body))
        )
        return heard

    async def _heard(
        self, method: str, path: str, body: bytes, headers: dict[str, str]
    ) -> Heard:
        url = self.wallet.url.rstrip("/") + path
        headers = {**headers, **AS_IT_IS}
        async with self._http.stream(
            method, url, content=body, headers=headers
        ) as response:
            told = await bounded(response, BYTES_MAX)
            return Heard(response.status_code, told, response.headers)

    def _check_signature(self, heard: Heard, headers: dict[str, str]) -> None:
        if heard.code == ow.code_of(Status.BAD_SIGNATURE):
            return
        nonce, secret = headers[signing.NONCE], self.wallet.secret
        answer = (heard.code, heard.body)
        if not signing.is_answer_signed(secret, nonce, answer, heard.headers):
            raise Broken("the answer is not signed, or not properly")


def _text(body: bytes) -> str:
    return body.decode("utf-8", "backslashreplace")[:2000]


def expect(answer: Answer, *statuses: Status) -> None:
    """Demand one of these statuses, with the HTTP code that goes with it."""
    if answer.told.status not in statuses:
        due = " or ".join(statuses)
        raise Broken(f"status {answer.told.status!r} instead of {due}")
    due_code = ow.code_of(Status(answer.told.status))
    if answer.code != due_code:
        raise Broken(f"HTTP {answer.code} with {answer.told.status}, not {due_code}")


def demand(holds: bool, text: str) -> None:  # noqa: FBT001
    if not holds:
        raise Broken(text)


Run = Callable[[Talk], Awaitable[None]]


class Case(msgspec.Struct, frozen=True):
    """`clause` is a heading of docs/operator-wallet.md."""

    name: str
    clause: str
    title: str
    run: Run


async def judged(
    cases: tuple[Case, ...],
    wallet: Wallet,
    transport: httpx.AsyncBaseTransport | None = None,
) -> list[Verdict]:
    """Run the cases one after the other."""
    verdicts = []
    timeout = httpx.Timeout(wallet.timeout_s)
    async with httpx.AsyncClient(
        timeout=timeout, trust_env=False, transport=transport
    ) as http:
        for case in cases:
            talk = Talk(wallet, http)
            reason = ""
            try:
                await case.run(talk)
            except Broken as broken:
                reason = str(broken)
            verdicts.append(
                Verdict(
                    case.name,
                    case.clause,
                    case.title,
                    not reason,
                    reason,
                    tuple(talk.spoken),
                )
            )
    return verdicts
