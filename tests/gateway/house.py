"""A casino with its door for tests: real logs on disk, a clock that the test holds."""

import asyncio
import contextlib
import itertools
import json
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from contracts import table as t
from contracts.signature import Signed, signature_of
from push22.casino import KEYS_NAME, LOG_NAME, PLATFORM, Casino
from push22.door.embedded import EmbeddedPort
from push22.door.index import FileIndex
from push22.door.options import DoorOptions
from push22.door.packs import FilePacks
from push22.door.secrets import dev_issuer, dev_token
from push22.door.serving import server_config
from runtime.ambient import Ambient, Entropy, KeyRing, ManualClock, SeededEntropy
from runtime.sqlite_file import SqliteFile
from services.gateway.door import Credentials, Door
from services.gateway.signing import Operator, Signatures
from services.gateway.tokens import Tokens
from services.gateway.web.app import Settings, application

KEYS = {"k1": b"1" * 32, "k2": b"2" * 32}
RIVAL_KEYS = {"k1": b"r" * 32}
SECRET = b"s" * 32
RULES = "ny-switch-6d"

OPERATORS = {
    "acme": Operator("acme", ("EUR",), KEYS),
    "rival": Operator("rival", ("EUR", "USD"), RIVAL_KEYS),
}


class House:
    """Everything of one life of a casino and its door."""

    def __init__(self, data: Path, clock: ManualClock, casino: Casino) -> None:
        self.data = data
        self.clock = clock
        self.casino = casino
        self.port = EmbeddedPort(casino)
        issuer = dev_issuer(data)
        credentials = Credentials(Signatures(OPERATORS), Tokens(SECRET), issuer)
        index = FileIndex(data / LOG_NAME)
        self.door = Door(self.port, index, credentials, "http://door.test")
        self.door.makes_packs_by(FilePacks(data, clock))
        self.app = application(self.door, Settings("test"))
        self.http = httpx.AsyncClient(
            transport=httpx.ASGITransport(self.app, raise_app_exceptions=False),
            base_url="http://door.test",
        )
        self._nonces = itertools.count(1)

    def signed(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        operator: str = "acme",
        key: str = "k1",
        **changes: Any,
    ) -> httpx.Request:
        """Return a signed request; `changes` are made to what is signed."""
        content = b"" if body is None else json.dumps(body).encode()
        said = {
            "key": f"{operator}.{key}",
            "time": str(self.clock.now() // 1_000_000),
            "nonce": f"nonce-{next(self._nonces):08d}",
            "idempotency_key": "",
            "target": path,
            "body": content,
            "method": method,
            **changes,
        }
        signed = Signed(signature="", **said)
        secret = OPERATORS[operator].keys[key]
        headers = {
            "Push22-Key": signed.key,
            "Push22-Time": signed.time,
            "Push22-Nonce": signed.nonce,
            "Push22-Signature": signature_of(signed, secret),
            "Content-Type": "application/json",
        }
        if signed.idempotency_key:
            headers["Idempotency-Key"] = signed.idempotency_key
        return self.http.build_request(method, path, content=content, headers=headers)

    async def ask(self, method: str, path: str, body: Any = None, **how: Any) -> Any:
        """Ask as an operator; return the answer's JSON, which must be no problem."""
        answer = await self.http.send(self.signed(method, path, body, **how))
        assert answer.is_success, answer.text
        return answer.json()

    async def session(
        self, player: str = "alice", operator: str = "acme", table: str = ""
    ) -> str:
        """Launch a player and trade the token in: a browser's first two steps."""
        asked = {"player": player, "currency": "EUR", "table": table}
        launch = await self.ask(
            "POST", "/operator/v1/launches", asked, operator=operator
        )
        return self.session_for(launch["launch_token"])

    def session_for(self, launch_token: str) -> str:
        return self.door.session(launch_token)[0]

    def support(self, role: Any, who: str = "carol") -> str:
        return dev_token(self.data, who, role, self.clock.now())

    async def play(
        self, method: str, path: str, token: str, body: Any = None, **headers: str
    ) -> httpx.Response:
        """Ask with a bearer token."""
        said = {"Authorization": f"Bearer {token}", **headers}
        return await self.http.request(method, path, json=body, headers=said)

    async def open_table(self, table: str, rules: str = RULES) -> None:
        """Open a table of the house."""
        opening = t.OpenTable(table, rules, "EUR")
        await self.casino.host.submit(self.casino.envelope(opening, PLATFORM))
        await self.settled()

    async def settled(self) -> None:
        """Wait until the casino has nothing left to do now."""
        await self.casino.host.settle()

    @contextlib.asynccontextmanager
    async def served(self) -> AsyncIterator[str]:
        """Serve on a port of this machine; return the address of the socket."""
        listening = socket.create_server(("127.0.0.1", 0))
        server = uvicorn.Server(server_config(self.app, DoorOptions()))
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            yield f"ws://127.0.0.1:{listening.getsockname()[1]}/player/v1/socket"
        finally:
            server.should_exit = True
            await serving


@contextlib.asynccontextmanager
async def house(
    data: Path, clock: ManualClock | None = None, entropy: Entropy | None = None
) -> AsyncIterator[House]:
    """Open the casino of a directory and its door, and step it beside the test."""
    clock = clock or ManualClock()
    keys = KeyRing.load(data / KEYS_NAME)
    ambient = Ambient(clock, entropy or SeededEntropy(5), keys)
    casino = Casino(SqliteFile.open(data / LOG_NAME), ambient)
    await casino.host.start()
    found = House(data, clock, casino)
    await found.door.start()
    stepping = found.port.run()
    try:
        yield found
    finally:
        await found.http.aclose()
        await casino.close()
        await stepping
