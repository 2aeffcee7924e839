"""README and docs are run: every console transcript is what the commands print."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from blackjack.rule_sets import RULE_SETS
from blackjack.script import read_script

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
SCRIPT = re.compile(
    r"```toml\n([^`]*)```\n\n```console\n\$ push22 script (\S+)", re.DOTALL
)
VARYING = (
    (re.compile(r"[+-]\d+\.\d{3}\b"), "+0.000"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"), "DATE"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "DIGEST"),
    (re.compile(r"[ ─]+"), " "),
)


def blocks() -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        for number, match in enumerate(BLOCK.finditer(page.read_text()), 1):
            found.append((f"{page.name}-{number}", match.group(1)))
    return found


FIXED = ("rules SHA-256", "strategy SHA-256", "digest")
"""Digests that follow from the code alone: a stale one is found."""


def steady(line: str) -> str:
    if line.startswith(FIXED):
        return line.strip()
    for pattern, text in VARYING:
        line = pattern.sub(text, line)
    return line.strip()


def sessions(block: str) -> list[tuple[str, list[str]]]:
    """Split a block into commands and the lines they print."""
    found: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
    return found


def run(command: str, folder: Path) -> list[str]:
    """Run a documented command as a newcomer would, with the casino in `folder`."""
    words = shlex.split(command)
    assert words[0] == "push22", f"only push22 is run in transcripts: {command}"
    for option, place in enumerate(words[1:]):
        if words[option] == "--data":
            words[option + 1] = str(folder / place)
    done = subprocess.run(
        [sys.executable, "-m", "push22", *words[1:]],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=100,
        env={**os.environ, "COLUMNS": "88", "PUSH22_DATA": str(folder)},
    )
    assert "Traceback" not in done.stderr, done.stderr
    return (done.stdout + done.stderr).splitlines()


def matches(expected: list[str], got: list[str]) -> bool:
    """Compare line by line; `...` stands for any lines."""
    if not expected:
        return not got
    if expected[0] == "...":
        rest = expected[1:]
        return any(matches(rest, got[start:]) for start in range(len(got) + 1))
    return bool(got) and expected[0] == got[0] and matches(expected[1:], got[1:])


@pytest.mark.parametrize(
    "block", [pytest.param(text, id=name) for name, text in blocks()]
)
def test_the_transcript_is_what_the_commands_print(block: str, tmp_path: Path) -> None:
    """Times, dates and digests aside, a page shows what really happens."""
    for command, lines in sessions(block):
        printed = [steady(line) for line in run(command, tmp_path)]
        got = [line for line in printed if line]
        expected = [line for line in map(steady, lines) if line]

        assert matches(expected, got), "\n".join([command, "printed:", *got])


def scripts() -> list[tuple[str, Path]]:
    """Return each round script that a page shows, and the file its command plays."""
    return [
        (text, ROOT / file)
        for page in PAGES
        for text, file in SCRIPT.findall(page.read_text())
    ]


def test_a_script_on_a_page_is_the_file_that_its_command_plays() -> None:
    """What is shown and what is run cannot drift apart."""
    for text, file in scripts():
        assert text == file.read_text(), file.name


def test_a_page_shows_a_script_of_every_rule_set() -> None:
    """Each is played by the transcript below it, and all its expectations hold."""
    shown = {read_script(text).rule_set for text, _ in scripts()}
    assert shown == RULE_SETS.keys()


def test_every_make_target_that_a_page_names_exists() -> None:
    """No document names a target that the Makefile does not have."""
    targets = set(
        re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    )
    named = {
        target
        for page in PAGES
        for target in re.findall(r"`make ([a-z-]+)", page.read_text())
    }

    assert named <= targets


def test_every_link_of_a_page_leads_somewhere() -> None:
    """Relative links of README and docs name files that are there."""
    for page in [*PAGES, *(ROOT / "docs" / "decisions").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
