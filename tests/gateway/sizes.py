"""How much is held by everything that can be reached from an object, by what holds it.

What grows by rounds grows here, whoever keeps it: a list in a closure as well as a map
in a service. Objects of other packages are not looked into.
"""

import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from types import CellType, FunctionType, MethodType
from typing import Any

import msgspec

OWN = ("push22", "runtime", "services", "contracts", "blackjack")
_MANY = (list, tuple, set, frozenset, deque)


def sizes_of(*roots: Any, leaves: tuple[type, ...] = ()) -> Counter[str]:
    """Return how many members all containers of one name have together.

    `leaves` are counted where they lie, and not looked into.
    """
    found: Counter[str] = Counter()
    seen: set[int] = set()
    # What is walked over is kept, so that no address is used twice.
    waiting: deque[tuple[str, Any]] = deque(("", root) for root in roots)
    kept = []
    while waiting:
        name, value = waiting.popleft()
        if id(value) in seen or isinstance(value, (str, bytes, int, float, type)):
            continue
        seen.add(id(value))
        kept.append(value)
        if isinstance(value, leaves):
            continue
        if isinstance(value, (Mapping, *_MANY)):
            found[name] += len(value)
        waiting.extend(_parts(name, value))
    return found


def _parts(name: str, value: Any) -> Iterable[tuple[str, Any]]:
    match value:
        case Mapping():
            held = [*value.keys(), *value.values()]
            return [(f"{name}[]", each) for each in held]
        case list() | tuple() | set() | frozenset() | deque():
            return [(f"{name}[]", each) for each in value]
        case MethodType():
            return [(name, value.__self__)]
        case FunctionType():
            return [(f"{value.__qualname__}()", x) for x in value.__closure__ or ()]
        case CellType():
            return [(name, _content(value))]
    return _members(value) if type(value).__module__.startswith(OWN) else ()


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _members(value: Any) -> Iterator[tuple[str, Any]]:
    kind = type(value)
    names = set(getattr(value, "__dict__", ()))
    if isinstance(value, msgspec.Struct):
        names.update(value.__struct_fields__)
    for each in kind.__mro__:
        slots = each.__dict__.get("__slots__", ())
        names.update((slots,) if isinstance(slots, str) else slots)
    for name in names:
        yield f"{kind.__qualname__}.{name}", getattr(value, name, None)


def unbound_caches() -> dict[str, int]:
    """Return the sizes of functions' caches without a bound, by module and name."""
    found = {}
    for module in list(sys.modules.values()):
        if not getattr(module, "__name__", "").startswith(OWN):
            continue
        for name, value in vars(module).items():
            info = getattr(value, "cache_info", None)
            if info is not None and info().maxsize is None:
                found[f"{module.__name__}.{name}"] = info().currsize
    return found
