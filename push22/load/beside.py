"""Samples in a process of its own: who measures times does nothing else.

Reading eight pages of metrics holds up an event loop for tens of milliseconds, and
players whose steps were due meanwhile would find the casino slow.
"""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress

import msgspec

from push22.load.places import Place
from push22.load.sampling import Sample, Sampler

_LINE_MAX = 1 << 20
_END_S = 5.0
_GIVES_WAY = 5
"""Its niceness: a sample may be late, a casino under load may not for its sake."""


class SamplerBeside:
    """Has the place sampled once a second, and keeps what it is told."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self.samples: list[Sample] = []

    async def run(self) -> None:
        """Sample until cancelled, or until the sampler ends by itself.

        Then samples are missing, and the report says so: it is of use without them.
        """
        words = (sys.executable, "-m", __name__)
        sampler = await asyncio.create_subprocess_exec(
            *words, stdin=PIPE, stdout=PIPE, limit=_LINE_MAX
        )
        assert sampler.stdin is not None
        assert sampler.stdout is not None
        try:
            sampler.stdin.write(msgspec.json.encode(self._place) + b"\n")
            async for line in sampler.stdout:
                self.samples.append(msgspec.json.decode(line, type=Sample))
        finally:
            await _end(sampler)


async def _end(sampler: Process) -> None:
    """Ask it to end; one that stands still is ended."""
    with suppress(ProcessLookupError):
        sampler.terminate()
        try:
            await asyncio.wait_for(sampler.wait(), _END_S)
        except TimeoutError:
            sampler.kill()
            await sampler.wait()


def main() -> None:
    """Sample the place on standard input for whoever began this process."""
    # Whoever interrupts the load from a terminal means both; the load ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(_GIVES_WAY)
    place = msgspec.json.decode(sys.stdin.readline(), type=Place)
    sampler = Sampler(place, players=(os.getppid(), os.getpid()))
    # Whoever listened may be gone without a word: there is nobody left to tell.
    with suppress(BrokenPipeError):
        asyncio.run(sampler.run(_tell))


def _tell(sample: Sample) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(sample) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
