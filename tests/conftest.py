"""What all tests share: no example depends on chance, coroutines get a loop."""

import asyncio
import inspect

import pytest
from hypothesis import settings

settings.register_profile("push22", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("push22")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run asynchronous tests without a plug-in."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True
