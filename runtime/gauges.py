"""What is owed and what lags, counted when Prometheus asks."""

from collections.abc import Iterator, Sequence

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from runtime.deadlines import Deadlines
from runtime.projection import Projector


class OwedCalls(Collector):
    """The calls that a wallet owes to operators."""

    def __init__(self, deadlines: Deadlines) -> None:
        self._deadlines = deadlines

    def collect(self) -> Iterator[Metric]:
        yield GaugeMetricFamily(
            "push22_wallet_pending",
            "Calls to operators that are owed and not recorded as done.",
            self._deadlines.effect_count(),
        )


class ProjectionLags(Collector):
    """How far the tables beside the logs are behind them."""

    def __init__(self, projectors: Sequence[Projector]) -> None:
        self._projectors = projectors

    def collect(self) -> Iterator[Metric]:
        family = GaugeMetricFamily(
            "push22_projection_lag_seconds",
            "For how long the oldest record that is not projected has been known.",
            labels=("projection",),
        )
        for projector in self._projectors:
            family.add_metric((projector.projection.name,), projector.lag_s())
        yield family
