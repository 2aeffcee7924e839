"""What all clients of the door share: a prefix, a sender, and an end."""

from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import quote

from push22.client.answers import Accepted, RoundLine, Rounds
from push22.client.sending import Asked, Sender, new_key, paged

Answered = TypeVar("Answered")


def at(*parts: str) -> str:
    """Return a path: whatever a name holds, it stays one part of it."""
    return "".join(f"/{quote(part, safe='')}" for part in parts)


class Caller:
    """Asks under one prefix. Close it when done, or use it as a context."""

    prefix = ""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    async def close(self) -> None:
        await self._sender.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def _rounds(self, **query: Any) -> AsyncIterator[RoundLine]:
        """Go through a list of rounds, newest first."""
        return paged(
            lambda cursor: self._get("/rounds", Rounds, **query, cursor=cursor),
            lambda found: found.rounds,
        )

    async def _get(self, path: str, kind: type[Answered], **query: Any) -> Answered:
        asked = Asked(method="GET", path=f"{self.prefix}{path}", query=query)
        return await self._sender.ask(asked, kind)

    async def _command(
        self, method: str, path: str, body: Any, key: str = ""
    ) -> Accepted:
        return await self._ordered(method, path, body, key, kind=Accepted)

    async def _ordered(
        self, method: str, path: str, body: Any, key: str, *, kind: type[Answered]
    ) -> Answered:
        asked = Asked(
            method=method, path=f"{self.prefix}{path}", body=body, key=key or new_key()
        )
        return await self._sender.ask(asked, kind)
