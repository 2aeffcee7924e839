"""A door that does what a test's scenes say: loses, repeats, garbles and hangs up."""

import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from push22.client import Live, Patience, Retries

QUICK = Patience(
    hello_s=5, answer_s=20, lost_s=20, again=Retries(first_s=0.01, most_s=0.02)
)
ROUND = "round-t1-1"
YOU = {
    "kind": "you",
    "player": "alice",
    "currency": "EUR",
    "balance_minor": 500,
    "seats": {},
    "refusals": [],
}


def view(version: int) -> dict[str, Any]:
    return {
        "table": "t1",
        "status": "open",
        "rule_set": "ny-switch-6d",
        "currency": "EUR",
        "options": {},
        "limits": {},
        "timings": {},
        "shoe": None,
        "round": {
            "round_id": ROUND,
            "number": 1,
            "version": version,
            "phase": "betting",
            "boxes": [],
            "dealer": {"cards": [], "total": 0, "soft": False},
            "decision": None,
            "waiting": [],
            "lines": [],
            "burned_card": "",
            "status": "open",
        },
    }


class Visit:
    """One connection as the fake door sees it."""

    def __init__(self, socket: ServerConnection, heard: list[dict[str, Any]]) -> None:
        self._socket = socket
        self._heard = heard

    async def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await self._socket.recv())
        self._heard.append(message)
        return message

    async def say(self, message: dict[str, Any] | str | bytes) -> None:
        text = json.dumps(message) if isinstance(message, dict) else message
        await self._socket.send(text)

    async def welcome(self) -> None:
        assert (await self.hear())["kind"] == "hello"
        await self.say(YOU)

    async def snapshot(self, seq: int, feed: str = "f") -> None:
        said = {"kind": "snapshot", "table": "t1", "feed": feed, "seq": seq}
        await self.say({**said, "reason": "new", "view": view(seq)})

    async def delta(self, seq: int, feed: str = "f", **changes: Any) -> None:
        said = {"kind": "delta", "table": "t1", "feed": feed, "seq": seq}
        happened = {"what": "x", "at": 1, "by": "player"}
        changes = changes or {"version": seq}
        await self.say({**said, "happened": happened, "changes": changes})

    async def answer(self, name: str) -> None:
        said = {"kind": "answer", "id": name, "accepted": True}
        await self.say({**said, "stream": ROUND, "version": 9})

    async def problem(
        self, status: int, reason: str, name: str = "", detail: str = ""
    ) -> None:
        said = {"kind": "problem", "id": name, "type": "urn:x", "title": "x"}
        said |= {"reason": reason, "detail": detail}
        await self.say({**said, "status": status})

    async def close(self, code: int) -> None:
        await self._socket.close(code)

    async def stay(self) -> None:
        """Hear until the client leaves."""
        with contextlib.suppress(ConnectionClosed):
            while True:
                await self.hear()


Scene = Callable[[Visit], Awaitable[None]]


@contextlib.asynccontextmanager
async def fake_door(
    *scenes: Scene, patience: Patience = QUICK
) -> AsyncIterator[tuple[Live, list[dict[str, Any]]]]:
    """Serve the scenes, and open a live session there."""
    heard: list[dict[str, Any]] = []
    visits = 0

    async def visit(socket: ServerConnection) -> None:
        nonlocal visits
        scene = scenes[min(visits, len(scenes) - 1)]
        visits += 1
        with contextlib.suppress(ConnectionClosed):
            await scene(Visit(socket, heard))

    async with serve(visit, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with Live(f"ws://127.0.0.1:{port}", "token", patience) as live:
            yield live, heard
