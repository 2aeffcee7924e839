"""Where a load test ran: what a reader needs to judge its figures."""

import importlib.metadata
import os
import platform
import subprocess
from contextlib import suppress
from pathlib import Path

_PACKAGES = ("push22", "uvicorn", "uvloop", "websockets", "msgspec", "litestar")
LOAD_BEFORE = "load average before"
_ROOT = Path(__file__).parents[2]


def environment() -> dict[str, str]:
    """Return names and values, in the order of the report."""
    found = {"commit": commit()}
    for name in _PACKAGES:
        with suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    found["python"] = platform.python_version()
    found["system"] = f"{platform.system()} {platform.release()}"
    found["processor"] = _processor()
    found["cores"] = str(len(os.sched_getaffinity(0)))
    found["memory"] = _memory()
    found[LOAD_BEFORE] = " ".join(f"{x:.2f}" for x in os.getloadavg())
    return found


def commit() -> str:
    """Return the commit of a checkout, marked where its files differ from it."""
    git = ["git", "-c", "safe.directory=*", "-C", str(_ROOT)]
    try:
        head = _said([*git, "rev-parse", "HEAD"])
        is_changed = bool(_said([*git, "status", "--porcelain", "-uno"]))
    except (OSError, subprocess.CalledProcessError):
        return "unknown: no checkout"
    return head + (" with changes" if is_changed else "")


def _said(words: list[str]) -> str:
    quiet = subprocess.DEVNULL
    return subprocess.check_output(words, stderr=quiet, text=True).strip()  # noqa: S603


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _memory() -> str:
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return f"{total / 2**30:.1f} GiB"
