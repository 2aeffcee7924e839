"""The audit after a run: what it finds is the first line of every report."""

import asyncio
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import msgspec

from push22.load.evidence import kept
from push22.load.places import Place

BOUND_S = 900.0
_NOT_HERE = "NOT AUDITED: the logs are not here (--data, --dsn)"


class Books(msgspec.Struct, frozen=True):
    """`line` says it all; `is_sound` is false where anything is wrong or unknown.

    `evidence`: where the logs and what was said are kept if they are not sound.
    """

    line: str
    is_sound: bool
    took_s: float = 0.0
    evidence: str = ""


async def audited(place: Place, out: Path) -> Books:
    """Run `audit` and `verify --all` on the logs, as anybody could.

    All that they say is kept beside the report.
    """
    if not place.books:
        return Books(_NOT_HERE, is_sound=False)
    begun = asyncio.get_running_loop().time()
    audit = await _last_line(place, out, "audit")
    verify = await _last_line(place, out, "verify", "--all")
    took_s = asyncio.get_running_loop().time() - begun
    is_sound = audit == (0, "every cent is accounted for") and verify[0] == 0
    line = f"audit: {audit[1]}; verify: {verify[1]}"
    if is_sound:
        return Books(f"0 violations: {line}", is_sound, took_s)
    await _last_line(place, out, "verify", "--all", "--json")
    folder = ""
    if place.evidence:
        folder = str(await asyncio.to_thread(kept, place.evidence, out))
    return Books(f"NOT SOUND: {line}", is_sound, took_s, folder)


async def _last_line(place: Place, out: Path, *words: str) -> tuple[int, str]:
    """Run a command of push22 and return its exit code and the last thing it said.

    What it says goes to a file as it is said: so it is there also if it is cut.
    """
    file = out / f"{words[0]}.{'json' if '--json' in words else 'txt'}"
    with file.open("wb") as said:
        code, cut = await _run(place, said, *words)
        if cut:
            said.write(f"\nCUT: {cut}\n".encode())
            return 1, cut
    lines = file.read_text(errors="replace").strip().splitlines()
    return code, lines[-1] if lines else "said nothing"


async def _run(place: Place, said: BinaryIO, *words: str) -> tuple[int, str]:
    """Return the exit code, and why it was ended if it did not end."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "push22", *words, *place.books),
        stdout=said,
        stderr=asyncio.subprocess.STDOUT,
        env={**os.environ, **place.environment, "PYTHONUNBUFFERED": "1"},
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(BOUND_S):
            return await process.wait(), ""
    except TimeoutError:
        return 1, f"{words[0]} was not done within {BOUND_S:g} s"
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
