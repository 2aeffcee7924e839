"""How long records are under way between services."""

from contracts.envelope import Micros
from runtime.bus_memory import Delivery
from runtime.metrics import HOP_SECONDS

_SECOND_US = 1_000_000


class Hops:
    """How long records were under way, by the service that they came from."""

    def __init__(self, service: str) -> None:
        self._service = service
        self.newest: dict[str, Micros] = {}

    def note(self, delivery: Delivery, now: Micros) -> None:
        """Time a record that concerns us; its envelope is decoded anyway."""
        source, at = delivery.record.service, delivery.envelope.recorded_at
        self.newest[source] = max(at, self.newest.get(source, 0))
        taken = max(now - at, 0) / _SECOND_US
        HOP_SECONDS.labels(self._service, source).observe(taken)
