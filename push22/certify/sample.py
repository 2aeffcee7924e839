"""What a simulation must tell, so that an edge can be stated with its error.

Amounts are sums over rounds in minor units. A round is played from a fresh, full shoe.
"""

from collections.abc import Sequence
from typing import Protocol


class Batch(Protocol):
    """Rounds that were played one after the other: a step of the convergence plot."""

    @property
    def rounds(self) -> int: ...

    @property
    def initial_minor(self) -> int: ...

    @property
    def net_minor(self) -> int: ...


class Sample(Protocol):
    """All rounds of a simulation. `initial_minor` sums the starting hands' wagers."""

    @property
    def rounds(self) -> int: ...

    @property
    def initial_minor(self) -> int: ...

    @property
    def staked_minor(self) -> int: ...

    @property
    def net_minor(self) -> int: ...

    @property
    def net_squares(self) -> int: ...

    @property
    def switches(self) -> int: ...

    @property
    def naturals(self) -> int: ...

    @property
    def batches(self) -> Sequence[Batch]: ...
