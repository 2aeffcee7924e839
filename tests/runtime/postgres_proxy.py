"""A line to the server that breaks at a commit, before or after the server had it."""

import asyncio
import contextlib
import tempfile
from pathlib import Path
from typing import Any, Self

_SOCKET = ".s.PGSQL.5432"
_COMMIT = b"COMMIT;"


class CommitCutter:
    """Passes bytes on. Once `armed`, the next commit gets no reply.

    `reaches_server`: it is committed, and only the reply is lost.
    """

    def __init__(self, server: Path, *, reaches_server: bool) -> None:
        self._server = server / _SOCKET
        self._reaches_server = reaches_server
        # A socket's path has room for a hundred characters, a test's folder has more.
        self._folder = Path(tempfile.mkdtemp(prefix="push22-cut-", dir="/tmp"))
        self._listener: Any = None
        self.armed = False

    def dsn(self, straight: str) -> str:
        return straight.replace(str(self._server.parent), str(self._folder))

    async def __aenter__(self) -> Self:
        path = str(self._folder / _SOCKET)
        self._listener = await asyncio.start_unix_server(self._serve, path)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._listener.close()
        await self._listener.wait_closed()
        (self._folder / _SOCKET).unlink(missing_ok=True)
        self._folder.rmdir()

    async def _serve(self, reader: Any, writer: Any) -> None:
        from_server, to_server = await asyncio.open_unix_connection(str(self._server))
        down = asyncio.create_task(_copy(from_server, writer))
        try:
            await self._pass_on(reader, to_server, down)
        finally:
            down.cancel()
            for end in (to_server, writer):
                end.close()
                with contextlib.suppress(ConnectionError):
                    await end.wait_closed()

    async def _pass_on(self, reader: Any, to_server: Any, down: Any) -> None:
        while data := await reader.read(65536):
            if self.armed and _COMMIT in data:
                self.armed = False
                down.cancel()
                if self._reaches_server:
                    to_server.write(data)
                    await to_server.drain()
                    # The server closes the line itself, after it has committed.
                    to_server.write_eof()
                    await asyncio.sleep(0.2)
                return
            to_server.write(data)
            await to_server.drain()


async def _copy(reader: Any, writer: Any) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()
