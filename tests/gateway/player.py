"""A player behind the socket: folds what it is sent, and plays by the offers."""

import asyncio
import contextlib
import itertools
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

_WAIT_S = 20.0
_IDS = itertools.count(1)
"""Over all connections: a command's id is its identity for ever."""
_LIKED = ("keep", "decline", "stand", "hit")


class Player:
    """One connection; `received` are the bytes of everything that came."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.received: list[str] = []
        self.tables: dict[str, dict[str, Any]] = {}
        self.places: dict[str, tuple[str, int]] = {}
        self.you: dict[str, Any] = {}
        self.snapshots: list[str] = []
        self.answers: dict[str, dict[str, Any]] = {}
        self.problems: list[dict[str, Any]] = []

    async def say(self, **message: Any) -> None:
        await self._socket.send(json.dumps(message))

    async def hear(self) -> dict[str, Any]:
        """Take one message in."""
        text = str(await asyncio.wait_for(self._socket.recv(), _WAIT_S))
        self.received.append(text)
        message: dict[str, Any] = json.loads(text)
        match message["kind"]:
            case "you":
                self.you = message
            case "snapshot":
                self.snapshots.append(message["reason"])
                self.tables[message["table"]] = message["view"]
                self.places[message["table"]] = message["feed"], message["seq"]
            case "delta":
                self._fold(message)
            case "answer":
                self.answers[message["id"]] = message
            case "problem":
                self.problems.append(message)
                self.answers[message["id"]] = message
        return message

    def _fold(self, message: dict[str, Any]) -> None:
        table = message["table"]
        feed, seq = self.places[table]
        assert (message["feed"], message["seq"]) == (feed, seq + 1)
        self.places[table] = feed, seq + 1
        changes = dict(message["changes"])
        self.tables[table] |= changes.pop("table", {})
        if changes:
            self.tables[table]["round"] |= changes

    async def until(self, holds: Callable[[], Any]) -> None:
        while not holds():
            await self.hear()

    async def order(self, do: str, round_id: str, **more: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        name = f"command-{next(_IDS):08d}"
        order = {"do": do, "round_id": round_id, **more}
        await self.say(kind="command", id=name, order=order)
        await self.until(lambda: name in self.answers)
        return self.answers[name]

    def round(self, table: str) -> dict[str, Any]:
        return self.tables[table]["round"]

    async def play_round(self, table: str, box: int = 1) -> str:
        """Bet on a box and play until the round is closed; return its id."""
        await self.until(lambda: self.round(table)["phase"] == "betting")
        name = str(self.round(table)["round_id"])
        await self.bet(table, box)
        await self.finish(table, box)
        return name

    async def finish(self, table: str, box: int = 1) -> None:
        """Play the round with the bet on a box to its end."""
        name = str(self.round(table)["round_id"])
        await self.order("ready", name)
        while not self._is_over(table, name):
            if not await self.move(table, box):
                await self.hear()

    def _is_over(self, table: str, name: str) -> bool:
        seen = self.round(table)
        return seen["round_id"] != name or seen["phase"] == "closed"

    async def bet(self, table: str, box: int = 1) -> None:
        name = self.round(table)["round_id"]
        many = 2 if "switch" in self.tables[table]["rule_set"] else 1
        answer = await self.order("bet", name, box=box, wagers_minor=[1000] * many)
        assert answer["kind"] == "answer", answer
        await self.until(lambda: self._stands(table, box))

    def _stands(self, table: str, box: int) -> bool:
        boxes = self.round(table)["boxes"]
        return any(x["box"] == box and not x["pending"] for x in boxes)

    async def move(self, table: str, box: int = 1) -> bool:
        """Take the first liked option that is due on the box, if there is one."""
        seen = self.round(table)
        decision = seen["decision"] or {"offers": []}
        for offer in decision["offers"]:
            actions = {option["action"] for option in offer["options"]}
            liked = next((x for x in _LIKED if x in actions), None)
            if offer["box"] == box and offer["due"] and liked:
                await self.order(
                    "act",
                    seen["round_id"],
                    action=liked,
                    target=offer["target"],
                    expected_version=seen["version"],
                )
                return True
        return False


@contextlib.asynccontextmanager
async def connected(address: str, token: str) -> AsyncIterator[Player]:
    """Connect and say hello."""
    async with connect(address, max_size=None, compression=None) as socket:
        player = Player(socket)
        await player.say(kind="hello", token=token)
        await player.until(lambda: player.you)
        yield player
