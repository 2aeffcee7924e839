"""Whether two values are the same to a reader, in types and order of mappings too."""

from typing import Any

import msgspec

from contracts import catalog
from runtime.bus_memory import Delivery


def unlike(one: Any, other: Any, at: str = "") -> list[str]:
    """Name the places where two values differ in type, value or order."""
    if type(one) is not type(other):
        return [f"{at}: {type(one).__name__}, not {type(other).__name__}"]
    if isinstance(one, msgspec.Struct):
        names = one.__struct_fields__
        return [
            text
            for name in names
            for text in unlike(getattr(one, name), getattr(other, name), f"{at}.{name}")
        ]
    if isinstance(one, dict):
        return unlike(tuple(one.items()), tuple(other.items()), at)
    if isinstance(one, tuple | list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [text for n, pair in pairs for text in unlike(*pair, f"{at}[{n}]")]
    return [] if one == other else [f"{at}: {one!r}, not {other!r}"]


class Exactness:
    """Hears of records, and compares the event that is handed on with the bytes."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.compared = 0

    def hear(self, delivery: Delivery) -> None:
        decoded = catalog.decode_event(catalog.decode_envelope(delivery.record.body))
        found = unlike(delivery.event, decoded, delivery.record.type)
        self.faults += found
        self.compared += 1
