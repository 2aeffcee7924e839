"""The distributed casino's door as a process of its own, asked as operators ask it."""

import base64
import itertools
import json
import secrets
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import httpx

from services.gateway.signing import Signed, signature_of
from tests.e2e.brokers import free_port
from tests.e2e.distributed import READY_S, Casino
from tests.local_server import spawned
from tests.postgres import outlives_nobody

OPERATOR = "acme"
_NONCES = itertools.count(1)


class Doorway:
    """`push22 serve gateway` on the archive's folder; killed and started at will."""

    def __init__(self, casino: Casino, folder: Path) -> None:
        self._casino = casino
        self._folder = folder
        self._port = free_port()
        self._key = secrets.token_bytes(32)
        text = base64.b64encode(self._key).decode()
        self._operators = folder / "door-operators.toml"
        self._operators.write_text(
            f'[{OPERATOR}]\ncurrencies = ["EUR"]\nkeys = {{ k1 = "{text}" }}\n'
        )
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def socket(self) -> str:
        return f"ws://127.0.0.1:{self._port}/player/v1/socket"

    def start(self) -> float:
        """Start it and wait until it is ready; return how long that took."""
        begun = time.monotonic()
        words = ["serve", "gateway", "--port", str(self._port)]
        words += ["--data", self._casino.archive, "--operators", str(self._operators)]
        self._process = spawned(
            [*outlives_nobody("KILL"), sys.executable, "-m", "push22", *words],
            self._folder / "gateway.log",
            environment=self._casino.environment,
        )
        while not self._is_ready():
            assert self._process.poll() is None, self.said()
            assert time.monotonic() - begun < READY_S, self.said()
            time.sleep(0.05)
        return time.monotonic() - begun

    def _is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/ready", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def said(self) -> str:
        return (self._folder / "gateway.log").read_text()[-4000:]

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(30)

    async def ask(self, method: str, path: str, body: Any = None, key: str = "") -> Any:
        """Ask as the operator; return the answer's JSON, which must be no problem."""
        content = b"" if body is None else json.dumps(body).encode()
        nonce = f"{secrets.token_hex(4)}-{next(_NONCES):08d}"
        signed = Signed(
            f"{OPERATOR}.k1",
            str(int(time.time())),
            nonce,
            "",
            method,
            path,
            key,
            content,
        )
        headers = {
            "Push22-Key": signed.key,
            "Push22-Time": signed.time,
            "Push22-Nonce": nonce,
            "Push22-Signature": signature_of(signed, self._key),
            "Content-Type": "application/json",
            **({"Idempotency-Key": key} if key else {}),
        }
        async with httpx.AsyncClient(base_url=self.address, timeout=60) as http:
            found = await http.request(method, path, content=content, headers=headers)
        assert found.is_success, found.text
        return found.json()

    async def session(self, player: str, table: str) -> str:
        """Launch a player and trade the token in."""
        asked = {"player": player, "currency": "EUR", "table": table}
        launch = await self.ask("POST", "/operator/v1/launches", asked)
        async with httpx.AsyncClient(base_url=self.address, timeout=60) as http:
            found = await http.post(
                "/player/v1/sessions", json={"launch_token": launch["launch_token"]}
            )
        assert found.is_success, found.text
        return str(found.json()["session_token"])

    async def history(self, token: str) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(base_url=self.address, timeout=60) as http:
            found = await http.get("/player/v1/rounds", headers=headers)
        assert found.is_success, found.text
        return dict(found.json())
