"""Who is told of each record: of all of them, or of those with one routing key.

A casino with many tables has many who listen, each to one table: telling all of them
of everything would cost more than the rounds.
"""

from collections.abc import Callable, Iterator
from typing import Any

from contracts.identities import routing_key
from runtime.bus_memory import Delivery
from runtime.inputs import reason_of
from runtime.metrics import HEARERS_FAILED
from runtime.telemetry import get_logger

_log = get_logger("runtime.hearers")

Hearer = Callable[[Delivery], None]


class Hearers:
    """Those who listen, in the order in which they began to."""

    def __init__(self) -> None:
        self._of_all: list[Hearer] = []
        self._by_key: dict[str, list[Hearer]] = {}

    def subscribe(self, hearer: Hearer, *keys: str) -> None:
        """Tell `hearer` of records with these routing keys (H8), or of all."""
        if not keys:
            self._of_all.append(hearer)
        for key in keys:
            self._by_key.setdefault(key, []).append(hearer)

    def of(self, stream: str) -> Iterator[Hearer]:
        """Return those who are told of a stream's records."""
        yield from self._of_all
        if self._by_key:
            yield from self._by_key.get(routing_key(stream), ())


def tell_one(teller: Callable[[Any], None], what: Any, name: str) -> None:
    """Tell of what is committed: a hearer's failure is its own, others hear on."""
    try:
        teller(what)
    except Exception as error:  # noqa: BLE001 - what it hears of is committed
        HEARERS_FAILED.inc()
        _log.error("hearer failed", about=name, reason=reason_of(error))


def name_of(delivery: Delivery) -> str:
    return f"{delivery.record.stream}@{delivery.record.version}"
