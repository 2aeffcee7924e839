"""What a simulation must tell, so that an edge can be stated with its error.

Amounts are sums over rounds in minor units. A round is played from a fresh, full shoe,
and every round has the same initial wagers.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from blackjack.strategy_table import StrategyTable


class Batch(Protocol):
    """Rounds that were played one after the other: a step of the convergence plot."""

    @property
    def rounds(self) -> int: ...

    @property
    def net_minor(self) -> int: ...


class Sample(Protocol):
    """All rounds. `initial_minor` are the wagers of the starting hands or circles."""

    @property
    def rounds(self) -> int: ...

    @property
    def initial_minor(self) -> int: ...

    @property
    def staked_minor(self) -> int: ...

    @property
    def net_minor(self) -> int: ...

    @property
    def net_squared(self) -> int: ...

    @property
    def switches(self) -> int: ...

    @property
    def naturals(self) -> int: ...

    @property
    def batches(self) -> Sequence[Batch]: ...


class Sampled(NamedTuple):
    """A sample, and the strategy that played it."""

    sample: Sample
    strategy: StrategyTable
