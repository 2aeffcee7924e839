"""Which events are the same to every reader, made by a decision or decoded from bytes.

A decoder gives a mapping in the order of its bytes, sorted; a decision may have filled
it in another one. So an event with a mapping anywhere in it is always decoded, and a
restart can't be told from going on. The same holds for what has several types in
memory and one in JSON: lists, floats, and whatever may be anything.
"""

from collections.abc import Iterator
from typing import Any

import msgspec.inspect as look

from contracts.catalog import EVENTS

_ONE_SHAPE = (
    look.StrType,
    look.IntType,
    look.BoolType,
    look.NoneType,
    look.BytesType,
    look.EnumType,
    look.LiteralType,
)


def is_exact(kind: type[Any]) -> bool:
    """Tell whether what is decoded is always what was encoded, in order too."""
    return all(isinstance(part, _ONE_SHAPE) for part in _leaves(look.type_info(kind)))


def _leaves(kind: look.Type) -> Iterator[look.Type]:
    """Return the types that a value's parts may have in the end."""
    match kind:
        case look.StructType():
            for field in kind.fields:
                yield from _leaves(field.type)
        case look.VarTupleType():
            yield from _leaves(kind.item_type)
        case look.TupleType():
            for item in kind.item_types:
                yield from _leaves(item)
        case look.UnionType():
            for one in kind.types:
                yield from _leaves(one)
        case _:
            yield kind


EXACT = frozenset(kind for kind in EVENTS.values() if is_exact(kind))
