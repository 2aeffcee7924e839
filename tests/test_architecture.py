"""The rooms import one another only in the agreed direction."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("blackjack", "contracts", "runtime", "services", "push22")

VIOLATIONS = {
    "the rule book imports the runtime": ("blackjack/intruder.py", "import runtime"),
    "contracts import a service": ("contracts/intruder.py", "import services.shoe"),
    "a service imports another one": (
        "services/shoe/intruder.py",
        "import services.wallet",
    ),
    "a service imports the command line": (
        "services/shoe/intruder.py",
        "import push22",
    ),
    "the rule book looks at a clock": ("blackjack/intruder.py", "import time"),
    "a message is made by chance": ("contracts/intruder.py", "import random"),
    "a decision reads a file system": ("services/shoe/intruder.py", "import os"),
    "a message is sent by a thread": ("contracts/intruder.py", "import threading"),
    "a reaction waits": ("services/wallet/intruder.py", "import asyncio"),
    "the client knows a service": (
        "push22/client/intruder.py",
        "import services.gateway",
    ),
}


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter by the repository's contracts on the rooms in a folder."""
    program = (
        "import sys; sys.path.insert(0, '.');"
        "from importlinter.cli import lint_imports_command as run; run()"
    )
    return subprocess.run(
        [sys.executable, "-c", program, "--no-cache"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the rooms that a test may spoil."""
    for room in ROOMS:
        shutil.copytree(
            ROOT / room,
            tmp_path / room,
            ignore=shutil.ignore_patterns("__pycache__", "*.json"),
        )
    shutil.copy(ROOT / ".importlinter", tmp_path)
    return tmp_path


def test_every_package_has_its_place_in_the_order() -> None:
    """A new package is no room of its own until the contracts place it."""
    contracts = (ROOT / ".importlinter").read_text()
    layers = contracts.partition("layers =\n")[2].partition("\n\n")[0].split()
    packages = {file.parent.name for file in ROOT.glob("*/__init__.py")}

    assert layers[::-1] == list(ROOMS)
    assert packages == set(ROOMS)


def test_the_imports_keep_to_the_contracts(copy: Path) -> None:
    """Every import of the repository goes the agreed way."""
    done = lint_imports(copy)

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("violation", VIOLATIONS)
def test_a_violation_would_be_seen(violation: str, copy: Path) -> None:
    """The contracts are not empty words: a wrong import breaks one of them."""
    file, line = VIOLATIONS[violation]
    (copy / file).write_text(f"{line}\n")

    done = lint_imports(copy)

    assert done.returncode == 1, done.stdout + done.stderr
    assert "BROKEN" in done.stdout
    assert "intruder" in done.stdout
