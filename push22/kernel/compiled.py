"""How every function of the kernel is compiled."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., object])

_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    # Put into its caller: a call would hand on a hundred numbers on the stack.
    "forceinline": True,
    # Nothing is allocated. Counting the references of the arrays that functions hand on
    # costs ten times what the game itself costs.
    "_nrt": False,
}
"""Not `cache`: numba looks at a function's own file only, so that a kernel kept on disk
would go on with the old rules of another file. Compiling takes some seconds."""


def compiled(function: F) -> F:
    """Compile a function at its first call."""
    return cast(F, njit(**_OPTIONS)(function))
