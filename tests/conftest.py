"""What all tests share: no example depends on chance, coroutines get a loop."""

import asyncio
import inspect
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("push22", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("push22")

SHARED_MEMORY = Path("/dev/shm")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """No power fails here, so the files need no disk: memory is quicker."""
    if not SHARED_MEMORY.is_dir():
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=SHARED_MEMORY) as name:
        yield Path(name)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run asynchronous tests without a plug-in."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


_ID_CHARACTERS_MAX = 60


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a long text by its length: a test's name is read, and sent to workers."""
    if isinstance(val, str | bytes) and len(val) > _ID_CHARACTERS_MAX:
        return f"{argname}-of-{len(val)}"
    return None
