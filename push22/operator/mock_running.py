"""Runs the mock operator: in a process of its own, or in a thread beside others."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from push22.operator.mock_server import MockOperator

_START_S = 30


def server_of(app: MockOperator) -> uvicorn.Server:
    config = uvicorn.Config(
        app,
        lifespan="off",
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=1,
    )
    return uvicorn.Server(config)


def listening(host: str, port: int) -> socket.socket:
    """Bind a socket; port 0 takes any that is free."""
    found = socket.create_server((host, port))
    found.setblocking(False)
    return found


def url_of(place: socket.socket) -> str:
    host, port = place.getsockname()[:2]
    return f"http://{host}:{port}"


@contextmanager
def running(app: MockOperator) -> Iterator[str]:
    """Serve it in a thread, so that it outlives event loops; give its address."""
    server = server_of(app)
    place = listening("127.0.0.1", 0)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [place]})
    thread.start()
    try:
        until = time.monotonic() + _START_S
        while not server.started and time.monotonic() < until:
            time.sleep(0.01)
        assert server.started, "the mock operator does not start"
        yield url_of(place)
    finally:
        server.should_exit = True
        thread.join()
        place.close()
