"""`push22 script`: play round scripts and compare."""

import asyncio
import sys
from pathlib import Path

import msgspec

from blackjack.script import ScriptError, read_script
from push22.casino import Casino
from push22.errors import Failure
from push22.given import why
from push22.script_result import Outcome, outcome_of
from push22.script_runner import ScriptTable
from push22.stacked import stacked_ambient


def script(*files: Path, json: bool = False) -> int:
    """Play round scripts through the real casino and compare.

    Exit 0: all expectations hold; 1: some do not; 2: a script is in error.

    Parameters
    ----------
    files
        Round scripts, `<situation>.round.toml`.
    json
        Print one JSON object per file.

    """
    if not files:
        raise Failure("script", "name at least one file", exit_code=2)
    worst = 0
    for file in files:
        try:
            outcome = asyncio.run(play_file(file))
        except ScriptError as error:
            sys.stderr.write(f"push22: {file}: {error.place}: {error.reason}\n")
            worst = 2
            continue
        _show(outcome, json=json)
        worst = max(worst, 0 if outcome.ok else 1)
    return worst


async def play_file(file: Path) -> Outcome:
    """Play one file. Raises ScriptError where it can't be read or played."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise ScriptError("file", why(error)) from error
    except UnicodeDecodeError as error:
        raise ScriptError("file", str(error)) from error
    return await play_text(str(file), text)


async def play_text(name: str, text: str) -> Outcome:
    """Play a script in a casino of its own. Raises ScriptError."""
    round_script = read_script(text)
    ambient, clock = stacked_ambient(round_script)
    casino = await Casino.in_memory(ambient)
    try:
        played = await ScriptTable(round_script, casino, clock).play()
    finally:
        await casino.close()
    return outcome_of(name, round_script, played)


def _show(outcome: Outcome, *, json: bool) -> None:
    if json:
        sys.stdout.write(msgspec.json.encode(outcome).decode() + "\n")
        return
    mark = "ok" if outcome.ok else "FAILED"
    sys.stdout.write(f"{mark:7}{outcome.file}\n")
    for failure in outcome.failures:
        sys.stdout.write(f"       {failure}\n")
