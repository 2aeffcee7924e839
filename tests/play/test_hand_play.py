"""`push22 play` by hand: at a terminal, killed in mid-round, and out of time."""

import asyncio
import io
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rich.console import Console

from push22.__main__ import run
from push22.bot import Wagers
from push22.casino import Casino
from push22.hand_play import HandPlayer
from push22.session import Session, Table, table_id
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy

TIMEOUT_S = 60
WORDS = ["play", "--rounds", "1", "--seed", "73", "--data"]


class Terminal:
    """A session of the command at a terminal of its own."""

    def __init__(self, data: Path) -> None:
        self.end, other = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "push22", *WORDS, str(data)],
            stdin=other,
            stdout=other,
            stderr=other,
            env=os.environ | {"COLUMNS": "100"},
        )
        os.close(other)
        self.text = ""

    def read_until(self, *wanted: str) -> str:
        """Return what was shown since the last call, up to any of the words."""
        until = time.monotonic() + TIMEOUT_S
        while not any(word in self.text for word in wanted):
            assert time.monotonic() < until, self.text
            if select.select([self.end], [], [], 0.2)[0]:
                self.text += os.read(self.end, 4096).decode()
        shown, self.text = self.text, ""
        return shown

    def type(self, text: str) -> None:
        os.write(self.end, text.encode())

    def interrupt(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(TIMEOUT_S)


@contextmanager
def at_a_terminal(data: Path) -> Iterator[Terminal]:
    terminal = Terminal(data)
    try:
        yield terminal
    finally:
        terminal.process.kill()
        terminal.process.wait()
        os.close(terminal.end)


def menu_of(shown: str) -> str:
    return shown.replace("\r", "").rpartition("\n")[2]


def test_a_round_killed_at_a_prompt_is_finished_by_hand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Law 3: after a restart the same choices are offered, and they count."""
    with at_a_terminal(tmp_path) as terminal:
        before = menu_of(terminal.read_until("k keep"))
        assert terminal.interrupt() == 128 + signal.SIGINT

    with at_a_terminal(tmp_path) as terminal:
        after = terminal.read_until("k keep: ")
        assert menu_of(after) == before
        terminal.type("k\n")
        while "s stand" in terminal.read_until("s stand", "replay "):
            terminal.type("s\n")
        assert terminal.process.wait(TIMEOUT_S) == 0

    assert run(["verify", "--all", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out.endswith("MATCH: all\n")


async def _silent_round() -> str:
    """Play a round by hand whose player never types, and return what was shown."""
    clock, shown = ManualClock(), io.StringIO()
    casino = await Casino.in_memory(
        Ambient(clock, SeededEntropy(5), KeyRing.in_memory())
    )
    rules = "ny-switch-6d"
    wagers = Wagers((1,), (1000, 1000))
    session = Session(casino, Table(table_id(rules), rules, "local.you", wagers))
    await session.open()
    player = HandPlayer(session, Console(file=shown))
    playing = asyncio.create_task(session.play(player.move))
    async with asyncio.timeout(TIMEOUT_S):
        while not playing.done():
            await asyncio.sleep(0.02)
            clock.advance(seconds=31)
    await playing
    await casino.close()
    return shown.getvalue()


def test_what_time_decided_is_said_and_the_next_choice_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A prompt does not outlive its question, and a late answer is for no other."""
    ours, theirs = os.pipe()
    monkeypatch.setattr("push22.hand_play._TICK_S", 0.01)
    with open(ours) as silent, open(theirs, "w"):  # noqa: PTH123 - pipes, no paths
        monkeypatch.setattr("sys.stdin", silent)
        shown = asyncio.run(_silent_round())

    said = [line for line in shown.splitlines() if "the time was up" in line]
    assert said == [
        "  insurance was closed: the time was up",
        "  1.1 was stood for you: the time was up",
        "  1.2 was stood for you: the time was up",
    ]
    assert shown.count("n decline") == 1
    assert shown.count("s stand") == 2
