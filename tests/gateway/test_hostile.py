"""Whatever is sent to the routes, the answer is documented and never a failure of ours.

Schemathesis makes the requests from the OpenAPI document; credentials are real, so
that they get past the door.
"""

import asyncio
import itertools
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest
import requests
import schemathesis
from house import OPERATORS, House, house
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import CHECKS
from test_routes import prepared, token_of

from contracts.signature import Signed, signature_of
from services.gateway.rates import Buckets, Rate

EXAMPLES = 6
_NONCES = itertools.count(1)
_CHECKED = ("not_a_server_error", "status_code_conformance", "content_type_conformance")


class Running:
    """A house served from a thread of its own: the tests are not asynchronous."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._up = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._done = asyncio.Event()
        self._thread = threading.Thread(target=self._run)
        self.address = ""
        self.the: House

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        async with house(self._data) as the, the.served() as address:
            unbound = Rate(10**6, 10**6)
            the.door.players = the.door.operators = Buckets(unbound)
            the.door.people = Buckets(unbound)
            await prepared(the)
            self.the = the
            self.tokens = {x: token_of(the, x) for x in ("player", "admin")}
            self.document = (await the.http.get("/openapi.json")).json()
            self.now = the.clock.now() // 1_000_000
            self.address = "http://" + address.removeprefix("ws://").partition("/")[0]
            self._up.set()
            await self._done.wait()

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._up.wait(60)
        return self

    def __exit__(self, *error: object) -> None:
        self._loop.call_soon_threadsafe(self._done.set)
        self._thread.join(30)

    def send(self, case: Any) -> requests.Response:
        """Send a made-up request with real credentials."""
        how = case.as_transport_kwargs(base_url=self.address)
        how.pop("timeout", None)
        headers = dict(how.pop("headers", {}) or {})
        for name in tuple(headers):
            if name.lower() == "authorization" or name.lower().startswith("push22-"):
                del headers[name]
        cookies = how.pop("cookies", None)
        request = requests.Request(headers=headers, cookies=cookies, **how).prepare()
        self._authorize(request)
        with requests.Session() as session:
            return session.send(request, timeout=30, allow_redirects=False)

    def _authorize(self, request: requests.PreparedRequest) -> None:
        path = request.path_url
        if path.startswith("/operator/"):
            self._sign(request)
        who = "admin" if path.startswith("/support/") else "player"
        request.headers["Authorization"] = f"Bearer {self.tokens[who]}"

    def _sign(self, request: requests.PreparedRequest) -> None:
        body = request.body or b""
        signed = Signed(
            key="acme.k1",
            time=str(self.now),
            nonce=f"hostile-{next(_NONCES):08d}",
            signature="",
            method=str(request.method),
            target=request.path_url,
            idempotency_key=request.headers.get("Idempotency-Key", ""),
            body=body if isinstance(body, bytes) else body.encode(),
        )
        key = OPERATORS["acme"].keys["k1"]
        request.headers["Push22-Key"] = signed.key
        request.headers["Push22-Time"] = signed.time
        request.headers["Push22-Nonce"] = signed.nonce
        request.headers["Push22-Signature"] = signature_of(signed, key)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("hostile")) as found:
        yield found


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_every_route_answers_as_documented(running: Running) -> None:
    """No request of Schemathesis gets a 5xx or an undocumented answer."""
    schema = schemathesis.openapi.from_dict(running.document)
    checks = [CHECKS.get_one(name) for name in _CHECKED]
    asked = 0

    for found in schema.get_all_operations():
        operation = found.ok()

        @given(case=operation.as_strategy())
        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        def answers(case: Any) -> None:
            nonlocal asked
            asked += 1
            case.validate_response(running.send(case), checks=checks)

        answers()

    assert asked > EXAMPLES * len(running.document["paths"]) // 2


BET = "/player/v1/rounds/round-acme1-2/wagers/1"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"\xff\xfe", 400),
        (b"null", 400),
        (b"[" * 5000 + b"]" * 5000, 400),
        (b'{"wagers_minor": [1000], "wagers_minor": [1, 1]}', 400),
        (b'{"wagers_minor": [1000, 1000], "more": 1}', 400),
        (b'{"wagers_minor": [1e3, 1000]}', 400),
        (b'{"wagers_minor": ["1000", 1000]}', 400),
        (b'{"wagers_minor": [99999999999999999999999]}', 400),
        (b'{"wagers_minor": [-1, 1]}', 400),
        (b'{"wagers_minor": [0, 0]}', 422),
        (b'{"wagers_minor": [1000]}', 422),
        (b" " * 70_000, 413),
    ],
)
def test_a_hostile_body_is_refused(running: Running, body: bytes, status: int) -> None:
    """Garbage, floats, depth, double names and size have their documented answers."""
    headers = {
        "Authorization": f"Bearer {running.tokens['player']}",
        "Content-Type": "application/json",
    }
    answer = requests.put(running.address + BET, body, headers=headers, timeout=30)

    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
