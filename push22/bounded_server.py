"""A server that ends in time when it is told to, whatever still waits.

A client of Kafka says good-bye to its group, and a broker that stands still never
answers. A process that is ended then has lost nothing: it is as good as killed (law 3).
"""

import os
import socket
import threading
from types import FrameType

import uvicorn

from push22.garbage import keep_what_stands
from runtime.telemetry import get_logger

_log = get_logger("push22.bounded_server")

EXIT_S = 15.0
"""Containers are given 20 s."""


class BoundedServer(uvicorn.Server):
    """Ends its process some time after the first signal."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        keep_what_stands()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        last = threading.Timer(EXIT_S, _exit)
        last.daemon = True
        last.start()
        super().handle_exit(sig, frame)


def _exit() -> None:
    _log.error("it did not stop in time and is ended", seconds=EXIT_S)
    os._exit(1)
