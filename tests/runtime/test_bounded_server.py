"""A service that is told to stop ends in time (case 39)."""

import subprocess
import sys
import time

STUCK = """
import asyncio, os, signal
import uvicorn
from push22 import bounded_server

bounded_server.EXIT_S = 0.5

async def app(scope, receive, send):
    assert scope["type"] == "lifespan"
    await receive()
    await send({"type": "lifespan.startup.complete"})
    os.kill(os.getpid(), signal.SIGTERM)
    await receive()
    await asyncio.sleep(3600)

config = uvicorn.Config(app, port=0, lifespan="on", log_level="error")
asyncio.run(bounded_server.BoundedServer(config).serve())
"""


def test_a_shutdown_that_hangs_is_ended_and_says_so() -> None:
    """Somebody waits for an answer that never comes; the process does not."""
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", STUCK],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 1
    assert "did not stop in time" in done.stdout + done.stderr
    assert time.monotonic() - begun < 30
