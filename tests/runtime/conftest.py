"""Fixtures of the runtime's tests; coroutine tests get a loop of their own."""

import asyncio
import inspect

import pytest
from toys import toy_language

__all__ = ["toy_language"]


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run asynchronous tests without a plug-in."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True
