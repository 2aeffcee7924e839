"""One instance of a process: how many rounds it carries, and how it fares at a rate.

A process that takes all that waits as one batch is not full when it is always busy: the
more waits, the fuller its batches, and the less each record costs. It keeps up as long
as the records alone leave time for a batch, however full.
"""

from typing import NamedTuple

from push22.capacity.filling import busiest, busy_share, records_a_batch

HOP_MAX_S = 0.02
"""What comes may wait so long, on the mean, until it is handled.

An action passes through three processes on its way to the player: they may take three
quarters of the 80 ms that are the objective of a load test for 99 of 100 actions.
"""

_STEPS = 40
_AT_REST = 1e-9


class Used(NamedTuple):
    """What an instance uses at a rate, and the mean times of a batch and of a hop.

    `hop_s`: from when something comes until the batch that it is in has ended.
    """

    cores: float
    batches_per_s: float
    batch_s: float
    hop_s: float


class Instance(NamedTuple):
    """Core-seconds. `idle`: of a core. `batches` of a round while none waits.

    `batch_most`: how many of those one batch holds, if ever so many wait.
    """

    idle: float
    per_round: float
    per_batch: float
    batches: float
    batch_most: float

    @property
    def saturated(self) -> float | None:
        """Return the rounds a second beyond which a backlog grows; none: no rate."""
        full = self.per_round + self._in_batches / self.batch_most
        return self._free / full if full else None

    def most(self, utilisation: float, hop_max_s: float | None) -> float | None:
        """Return the rate up to which neither its time nor a hop's is too long."""
        saturated = self.saturated
        if saturated is None:
            return None
        low, high = 0.0, utilisation * saturated
        if hop_max_s is None or not high or self.used(high).hop_s <= hop_max_s:
            return high
        for _ in range(_STEPS):
            middle = (low + high) / 2
            is_over = self.used(middle).hop_s > hop_max_s
            low, high = (low, middle) if is_over else (middle, high)
        return low if low > _AT_REST else 0.0

    def used(self, rate: float) -> Used:
        """Return what is used at a rate of at most `saturated`, the batches filling.

        What comes finds the process busy for such a share of the time, and then waits
        for half of a batch before its own one begins.
        """
        if not self._free:
            return Used(1.0, 0.0, 0.0, 0.0)
        busy = self._busy(rate)
        batches = rate * self.batches / records_a_batch(busy)
        if busy >= 1 and self.per_batch:
            batches = (self._free - rate * self.per_round) / self.per_batch
        batch_s = busy / batches if batches else 0.0
        cores = min(1.0, self.idle + busy * self._free)
        return Used(cores, batches, batch_s, batch_s * (1 + busy / 2))

    def batches_at_most(self, rate: float) -> float:
        """Return the most batches a second of all rates up to this one.

        A process that hardly rests takes the fewer the more comes: as that is not
        counted on, there are never fewer at a higher rate.
        """
        if not self.batches or not self._free:
            return 0.0
        top = busiest(self.per_round, self._in_batches)
        busy = min(top, self._busy(rate))
        full = records_a_batch(busy)
        each = self.per_round + self._in_batches / full
        at = busy * self._free / each if each else rate
        return at * self.batches / full

    @property
    def _free(self) -> float:
        """Return what idling leaves of a core."""
        return max(0.0, 1 - self.idle)

    @property
    def _in_batches(self) -> float:
        """Return the core-seconds of a round's batches, if none waits for another."""
        return self.per_batch * self.batches

    def _busy(self, rate: float) -> float:
        """Return the share of the time that idling leaves."""
        each, batches = self.per_round / self._free, self._in_batches / self._free
        return min(1.0, busy_share(rate * each, rate * batches))
