"""The page "Integrate in an afternoon": done as it says, in one shell, in order."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from contracts.signature import Signed, signature_of
from tests.crash.serving import free_port

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "integrate.md"
BLOCK = re.compile(r"```(sh|text|python)\n(.*?)```", re.DOTALL)
SAVED = re.compile(r"Save this as `([\w.]+)`:\n\n```python\n(.*?)```", re.DOTALL)
VECTOR = re.compile(r"^\| `push22-v1` (.*) \| `([0-9a-f]{64})` \|$", re.MULTILINE)
PORT = "8022"
MARK = "=== block ==="
BOUND_S = 200
NEEDED = ("bash", "curl", "openssl", "jq")


def blocks() -> list[tuple[str, str]]:
    """Return the page's commands and programs, in order, with what they print."""
    found: list[tuple[str, str]] = []
    saved = {text: name for name, text in SAVED.findall(PAGE.read_text())}
    for kind, text in BLOCK.findall(PAGE.read_text()):
        if kind == "text":
            found[-1] = (found[-1][0], text)
        elif kind == "sh":
            found.append((text, ""))
        else:
            found.append(
                (f"cat > {saved[text]} <<'END OF PAGE'\n{text}END OF PAGE\n", "")
            )
    return found


def shell(folder: Path) -> dict[str, str]:
    """Return an environment in which `push22` and `python` are this checkout's."""
    tools = folder / "bin"
    tools.mkdir()
    for name, words in (("push22", "-m push22 "), ("python", "")):
        tool = tools / name
        tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words}"$@"\n')
        tool.chmod(0o755)
    paths = f"{tools}{os.pathsep}{os.environ['PATH']}"
    plain = {k: v for k, v in os.environ.items() if not k.startswith("PUSH22_")}
    return {**plain, "PATH": paths, "PYTHONPATH": str(ROOT), "COLUMNS": "88"}


def run(script: str, folder: Path) -> list[list[str]]:
    """Run the script; return what each block printed, line by line."""
    process = subprocess.Popen(
        ["bash", "-c", script],
        cwd=folder,
        env=shell(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        printed, _ = process.communicate(timeout=BOUND_S)
    finally:
        # Its own session: where the shell failed, the casino must not live on.
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    return [part.splitlines() for part in printed.split(f"{MARK}\n")]


def fit(expected: list[str], got: list[str]) -> bool:
    """Compare line by line; `...` stands for what is another each time."""
    patterns = (".+".join(map(re.escape, line.split("..."))) for line in expected)
    return len(expected) == len(got) and all(
        re.fullmatch(pattern, line) for pattern, line in zip(patterns, got, strict=True)
    )


@pytest.mark.slow
@pytest.mark.timeout(BOUND_S + 40)
def test_the_afternoon_goes_as_the_page_says(tmp_path: Path) -> None:
    """Each command prints what stands below it; a tool that is missing is no excuse."""
    missing = [tool for tool in NEEDED if shutil.which(tool) is None]
    assert not missing, f"the page needs {', '.join(missing)}"
    port = str(free_port())
    script = f"echo '{MARK}'\n".join(text for text, _ in blocks())
    printed = run(script.replace(PORT, port), tmp_path)
    wanted = [text.replace(PORT, port).splitlines() for _, text in blocks()]

    wrong = [
        "\n".join([*expected, "printed:", *got])
        for expected, got in zip(wanted, printed, strict=True)
        if not fit(expected, [line for line in got if line])
    ]
    assert not wrong, "\n\n".join(wrong)


def test_the_vectors_of_the_page_are_right() -> None:
    """A platform that signs like this is understood."""
    found = VECTOR.findall(PAGE.read_text())
    for text, signature in found:
        parts = ["" if x == "-" else x for x in re.findall(r"`([^`]*)`", text)]
        method, target, time, nonce, key, body = parts
        signed = Signed(
            key="acme.k1",
            time=time,
            nonce=nonce,
            signature="",
            method=method,
            target=target,
            idempotency_key=key,
            body=body.encode(),
        )
        assert signature_of(signed, b"1" * 32) == signature

    assert len(found) == 3
