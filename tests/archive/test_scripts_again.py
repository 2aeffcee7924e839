"""Every round script's logs are made again, accounted for, and shown in full."""

import asyncio
import io
from pathlib import Path

import pytest
from rich.console import Console

from blackjack.script import read_script
from contracts.identities import round_id
from push22.casino import Casino
from push22.commands.audit import audited
from push22.inspect.history import steps_in
from push22.inspect.reader import Reader
from push22.inspect.transcript import show
from push22.inspect.verify import check_chains, check_decisions
from push22.script_runner import TABLE, ScriptTable
from push22.stacked import stacked_ambient
from services.archive.rebuild import view_at

SCRIPTS = sorted((Path(__file__).parents[1] / "scripts").glob("*.round.toml"))


def silent(_: int) -> None:
    pass


async def judge(script: Path) -> None:
    round_script = read_script(script.read_text(encoding="utf-8"))
    ambient, clock = stacked_ambient(round_script)
    casino = await Casino.in_memory(ambient)
    try:
        await ScriptTable(round_script, casino, clock).play()
        reader = Reader(casino.host.file)
        found = check_decisions(reader, silent)
        assert (found.differences, found.proof_faults) == ([], [])
        assert audited(reader, silent).finish() == ()
        assert not any(log.faults for log in check_chains(reader, silent))
        assert widest_transcript(reader, 80) <= 80
        assert widest_transcript(reader, 120) <= 120
    finally:
        await casino.close()


def widest_transcript(reader: Reader, columns: int) -> int:
    """Return the longest line of the transcripts of a round after each event."""
    steps = steps_in(reader, round_id(TABLE, 1))
    widest = 0
    for sequence in range(1, steps[-1].sequence + 1):
        screen = io.StringIO()
        console = Console(file=screen, width=columns, highlight=False, markup=False)
        show(console, steps, view_at(steps, sequence))
        widest = max(widest, *map(len, screen.getvalue().splitlines()))
    return widest


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name.split(".")[0])
def test_a_script_is_made_again_to_the_byte(script: Path) -> None:
    """What a script led to follows from its inputs, adds up, and fits the screen."""
    asyncio.run(judge(script))
