"""The identity provider rotates its keys, takes them back, fails, talks nonsense."""

import asyncio
import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from house import House, house
from jwt.algorithms import ECAlgorithm

from push22.door import keys
from push22.door.keys import AGAIN_AFTER_S, FRESH_S, GOOD_S, Provider
from services.gateway.roles import AUDIENCE, Issuer
from services.gateway.web.app import Settings, application

ISSUER = "https://identity.test"
KEYS = {name: ec.generate_private_key(ec.SECP256R1()) for name in ("a", "b", "c")}
NONSENSE = (
    (500, b"{}"),
    (302, b""),
    (404, b"not found"),
    (200, b""),
    (200, b"<html>"),
    (200, b"[]"),
    (200, b"null"),
    (200, b"\xff\xfe"),
    (200, b"[" * 100_000),
    (200, b'{"keys": 3}'),
    (200, b'{"keys": [1]}'),
    (200, b'{"keys": [{"kty": "EC", "kid": "b", "crv": "P-256", "x": "!", "y": ""}]}'),
    (200, b" " * 300_000 + b'{"keys": []}'),
)


def jwks(*names: str) -> bytes:
    found = [
        {**ECAlgorithm.to_jwk(KEYS[x].public_key(), as_dict=True), "kid": x}
        for x in names
    ]
    return json.dumps({"keys": found}).encode()


class Identity(ThreadingHTTPServer):
    """A provider that answers as it is told, and counts how often it is asked."""

    daemon_threads = True
    status = 200
    body = b""
    asked = 0
    silent_s = 0.0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/jwks"


class Answering(BaseHTTPRequestHandler):
    server: Identity

    def do_GET(self) -> None:
        self.server.asked += 1
        threading.Event().wait(self.server.silent_s)
        with contextlib.suppress(OSError):
            self.send_response(self.server.status)
            self.send_header("Content-Length", str(len(self.server.body)))
            self.end_headers()
            self.wfile.write(self.server.body)

    def log_message(self, *said: Any) -> None:
        """Say nothing."""


@pytest.fixture
def identity() -> Iterator[Identity]:
    server = Identity(("127.0.0.1", 0), Answering)
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    yield server
    server.shutdown()
    serving.join()
    server.server_close()


class Desk:
    """Support's way in: a house whose issuer is the provider, with a clock to turn."""

    def __init__(self, the: House, identity: Identity) -> None:
        self.the = the
        self.seconds = 1000.0
        issuer = Issuer(ISSUER, AUDIENCE, {})
        the.door.issuer = issuer
        provider = Provider(issuer, identity.address, lambda: self.seconds)
        app = application(the.door, Settings("test"), keeper=provider)
        self._transport = httpx.ASGITransport(app, raise_app_exceptions=False)

    async def ask(self, key: str) -> int:
        """Ask with a token signed by a key; return the status."""
        claims = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": "carol",
            "roles": ["admin"],
            "exp": self.the.clock.now() // 1_000_000 + 60,
        }
        token = jwt.encode(claims, KEYS[key], "ES256", headers={"kid": key})
        async with httpx.AsyncClient(
            transport=self._transport, base_url="http://door.test"
        ) as http:
            headers = {"Authorization": f"Bearer {token}"}
            found = await http.get("/support/v1/operators", headers=headers)
        return found.status_code


async def test_a_new_key_is_fetched_once_and_believed(
    tmp_path: Path, identity: Identity
) -> None:
    """Also by those who come while it is being fetched; then nobody asks again."""
    identity.body = jwks("a")
    async with house(tmp_path) as the:
        desk = Desk(the, identity)
        assert [await desk.ask("a") for _ in range(3)] == [200] * 3
        assert identity.asked == 1

        identity.body, identity.silent_s = jwks("a", "b"), 0.2
        desk.seconds += AGAIN_AFTER_S
        assert await asyncio.gather(*(desk.ask("b") for _ in range(3))) == [200] * 3
        assert await desk.ask("a") == 200
        assert identity.asked == 2


async def test_keys_that_nobody_knows_do_not_make_us_ask(
    tmp_path: Path, identity: Identity
) -> None:
    """Twice a minute at most, however many come."""
    identity.body = jwks("a")
    async with house(tmp_path) as the:
        desk = Desk(the, identity)
        assert [await desk.ask("c") for _ in range(5)] == [401] * 5
        assert identity.asked == 1
        desk.seconds += AGAIN_AFTER_S
        assert [await desk.ask("c") for _ in range(5)] == [401] * 5
        assert identity.asked == 2


async def test_a_key_that_was_taken_away_is_refused(
    tmp_path: Path, identity: Identity
) -> None:
    """After minutes at most, also if it was the last one."""
    identity.body = jwks("a", "b")
    async with house(tmp_path) as the:
        desk = Desk(the, identity)
        assert (await desk.ask("a"), await desk.ask("b")) == (200, 200)
        identity.body = jwks("b")
        desk.seconds += FRESH_S
        assert (await desk.ask("a"), await desk.ask("b")) == (401, 200)
        identity.body = jwks()
        desk.seconds += FRESH_S
        assert await desk.ask("b") == 401


@pytest.mark.parametrize(("status", "body"), NONSENSE)
async def test_nonsense_of_the_provider_changes_nothing(
    tmp_path: Path, identity: Identity, status: int, body: bytes
) -> None:
    """The keys of before hold, a new one is refused, and nothing fails."""
    identity.body = jwks("a")
    async with house(tmp_path) as the:
        desk = Desk(the, identity)
        assert await desk.ask("a") == 200
        identity.status, identity.body = status, body
        desk.seconds += FRESH_S
        assert (await desk.ask("a"), await desk.ask("b")) == (200, 401)
        assert identity.asked == 2


async def test_a_provider_that_is_away_vouches_for_a_day(
    tmp_path: Path, identity: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Silent as well as gone; it is believed again when it is back."""
    monkeypatch.setattr(keys, "TIMEOUT_S", 0.2)
    identity.body = jwks("a")
    async with house(tmp_path) as the:
        desk = Desk(the, identity)
        assert await desk.ask("a") == 200
        identity.silent_s = 1.0
        desk.seconds += GOOD_S - 1
        assert await desk.ask("a") == 200
        desk.seconds += AGAIN_AFTER_S
        assert await desk.ask("a") == 401
        identity.silent_s = 0.0
        desk.seconds += AGAIN_AFTER_S
        assert await desk.ask("a") == 200
