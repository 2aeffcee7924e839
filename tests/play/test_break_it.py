"""README's way to break a log is pasted: who does so sees what it promises."""

import os
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"
BLOCK = re.compile(r"## Break it\n.*?```sh\n(.*?)```", re.DOTALL)


def shell(text: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run lines as they stand in README, where `push22` is this one."""
    (folder / "push22").write_text(f'#!/bin/sh\nexec {sys.executable} -m push22 "$@"\n')
    (folder / "push22").chmod(0o755)
    root = str(README.parent)
    return subprocess.run(
        ["sh", "-c", text],
        cwd=folder,
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "PYTHONPATH": root}
        | {"PUSH22_DATA": "push22-data", "COLUMNS": "80"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def test_what_was_paid_more_is_named_with_what_it_should_be(tmp_path: Path) -> None:
    """`make play`, then the lines of "Break it": the copy differs, the log does not."""
    (block,) = BLOCK.findall(README.read_text())
    played = shell("push22 play --auto --rounds 5 --seed 73", tmp_path)
    assert played.returncode == 0, played.stderr

    broken = shell(block, tmp_path)
    whole = shell("push22 verify --all", tmp_path)

    assert broken.returncode == 1, broken.stderr
    assert re.search(r"^[1-9]\d* records changed$", broken.stdout, re.MULTILINE)
    assert re.search(
        r"^changed_record: settlement, offset \d+$", broken.stdout, re.MULTILINE
    )
    assert "its input leads to another event" in broken.stdout
    assert '"payout_min\nor":9' in broken.stdout or '"payout_minor":9' in broken.stdout
    assert "DIFFERS: all" in broken.stdout
    assert whole.stdout.rstrip().endswith("MATCH: all"), whole.stdout
