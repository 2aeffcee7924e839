"""An export of a casino that plays on meanwhile is one moment of it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from taken import Told

from push22.__main__ import run

_BOUND_S = 60


def _count(data: Path, capsys: Told) -> int:
    capsys.readouterr()
    run(["rounds", "--json", "--limit", "1000000", "--data", str(data)])
    return capsys.readouterr().out.count("\n")


def _wait_for(rounds: int, data: Path, capsys: Told) -> None:
    until = time.monotonic() + _BOUND_S
    while time.monotonic() < until:
        if data.exists() and _count(data, capsys) > rounds:
            return
        time.sleep(0.05)
    raise AssertionError(f"no {rounds} rounds within {_BOUND_S} s")


def test_exports_of_a_running_casino_are_whole(tmp_path: Path, capsys: Told) -> None:
    """A bot plays without pause; three exports are taken in, verified and audited."""
    data = tmp_path / "data"
    words = [sys.executable, "-m", "push22", "play", "--auto", "--rounds", "1000000"]
    log = (tmp_path / "play.log").open("w")
    player = subprocess.Popen(
        [*words, "--data", str(data)], stdout=log, stderr=log, env=os.environ
    )
    counts = []
    try:
        for number in range(3):
            _wait_for(counts[-1] if counts else 2, data, capsys)
            file, copy = tmp_path / f"{number}.p22", tmp_path / f"copy{number}"
            assert run(["export", str(data), "-o", str(file)]) == 0
            assert run(["import", str(file), "-o", str(copy)]) == 0
            counts.append(_count(copy, capsys))
        assert player.poll() is None, "it played on all the time"
        assert _count(data, capsys) >= counts[-1]
    finally:
        player.send_signal(signal.SIGKILL)
        player.wait(_BOUND_S)
        log.close()
    assert counts == sorted(set(counts))
    for number in range(3):
        copy = str(tmp_path / f"copy{number}")
        assert run(["verify", "--all", "--data", copy]) == 0, number
        assert run(["audit", "--data", copy]) == 0, number
