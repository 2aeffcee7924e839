"""A crash at any call of the log, and then the same story again."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from toys import (
    command,
    started,
    story,
)

from runtime.sqlite_file import SqliteFile


class Crash(BaseException):
    """The process dies here."""


class CrashingLog:
    """A log at whose n-th call the process dies, before or after it took effect."""

    def __init__(self, log: Any, plan: list[int], when: str) -> None:
        self._log, self._plan, self._when = log, plan, when

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._log, name)
        return self._watched(found) if asyncio.iscoroutinefunction(found) else found

    def _watched(self, call: Any) -> Any:
        async def watched(*args: Any) -> Any:
            self._plan[0] -= 1
            if self._plan[0] == 0 and self._when == "before":
                raise Crash
            result = await call(*args)
            if self._plan[0] == 0:
                raise Crash
            return result

        return watched


async def _crashing_run(path: Path, at: int, when: str) -> tuple[bool, Any]:
    """Run the same story with one crash at the `at`-th call of a log."""
    plan, crashed = [at], False
    while True:
        file = SqliteFile.open(path)
        try:
            host = await started(file, wrap=lambda log: CrashingLog(log, plan, when))
            for number in range(1, 9):
                await host.submit(command(f"c{number}", number % 4))
            await host.settle()
            return crashed, [await story(host, name) for name in ("toy", "echo")]
        except Crash:
            crashed = True
        finally:
            file.close()


@pytest.mark.parametrize("when", ["before", "after"])
async def test_h14_a_crash_at_any_call_changes_no_record(
    when: str, tmp_path: Path
) -> None:
    """However it dies, the same commands give the same streams (law 3)."""
    _, expected = await _crashing_run(tmp_path / "calm.sqlite3", -1, when)
    crashes = 0
    for at in range(1, 500):
        path = tmp_path / f"{when}-{at}.sqlite3"
        crashed, found = await _crashing_run(path, at, when)
        assert found == expected, f"crash {when} call {at}"
        crashes += crashed
        if not crashed:
            break

    assert crashes > 30
