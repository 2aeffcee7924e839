"""`push22 serve` as whoever runs it sees it: a process that starts, serves and ends."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

_READY_S = 60
_LOOPS = """
import gc
from push22.event_loop import run
from push22.garbage import keep_what_stands

async def main():
    import asyncio
    keep_what_stands()
    print(type(asyncio.get_running_loop()).__module__, gc.get_freeze_count() > 1000)

run(main(), speaks_kafka=False)
run(main(), speaks_kafka=True)
"""


def address_of(process: subprocess.Popen[str]) -> str:
    """Wait for the lines that a door says when it can be reached."""
    assert process.stdout is not None
    for line in process.stdout:
        found = re.match(r"documents +(http://.*)/openapi.json", line)
        if found is not None:
            return found[1]
    raise AssertionError("it never said where it is")


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_until_a_signal(sign: signal.Signals, tmp_path: Path) -> None:
    """It answers, ends in order, and starts again on what it kept."""
    words = (sys.executable, "-m", "push22", "serve", "--dev", "--port", "0")
    for _ in range(2):
        with subprocess.Popen(
            (*words, "--data", str(tmp_path)), stdout=subprocess.PIPE, text=True
        ) as process:
            try:
                address = address_of(process)
                assert httpx.get(f"{address}/ready", timeout=_READY_S).is_success
                process.send_signal(sign)
                assert process.wait(_READY_S) in (0, -sign)
            finally:
                process.kill()


def test_what_serves_runs_on_uvloop_and_keeps_what_stands() -> None:
    """The collector looks only at what was made after the start."""
    said = subprocess.run(
        (sys.executable, "-c", _LOOPS), capture_output=True, text=True, check=True
    )
    assert said.stdout.split() == ["uvloop", "True", "asyncio.unix_events", "True"]
