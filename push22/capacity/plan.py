"""What a demand needs, part by part: the model's answer as data."""

from typing import Literal

import msgspec

from push22.capacity.demand import Demand

Scaling = Literal["partitions", "each hears all", "one server", "brokers"]


class PartPlan(msgspec.Struct, frozen=True, kw_only=True):
    """One service or server.

    `cores`: busy in all its instances. `instances`: none if no number is enough, and
    then nothing is known of `cores` either.
    `most`: rounds a second that are never passed, with all partitions that there are.
    `batches_per_s`: in all instances, beyond those of an idle casino, and no fewer than
    at any lower rate; of PostgreSQL appends. Where no number is enough, one instance's.
    `batch_s`, `hop_s`: mean times of a batch and from coming in to the end of one, in
    the busiest seconds; none where nobody waits for it.
    """

    name: str
    scaling: Scaling
    cores: float | None
    instances: int | None
    most: float | None
    batches_per_s: float
    batch_s: float | None = None
    hop_s: float | None = None

    @property
    def count(self) -> int:
        """What there is at least, where no number is enough."""
        return self.instances or 0


class TopicPlan(msgspec.Struct, frozen=True, kw_only=True):
    """`needed`: for the bytes, and for one instance each of whoever shares it."""

    name: str
    bytes_per_s: float
    needed: int
    present: int

    @property
    def suffices(self) -> bool:
        return self.needed <= self.present


class DiskPlan(msgspec.Struct, frozen=True, kw_only=True):
    """`bytes_per_day` grows for ever; `bytes_kept` stands once a day has passed.

    `own_share`: of what grows, the records themselves, where that was counted.
    """

    name: str
    bytes_per_day: float
    bytes_kept: float = 0.0
    own_share: float | None = None

    def after(self, days: float) -> float:
        return self.bytes_kept + self.bytes_per_day * days


class Network(msgspec.Struct, frozen=True):
    """Bytes a second at all brokers together, and to the database's standby.

    `records_per_s` in `batches_per_s` are sent to Kafka, before they are copied.
    """

    kafka_in: float
    kafka_out: float
    wal: float
    records_per_s: float
    batches_per_s: float


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """`limits`: what does not hold as the casino is built, in words.

    `memory_bytes` and `cores` are without the parts that `without` names.
    """

    demand: Demand
    rounds_per_s: float
    tables: int
    parts: tuple[PartPlan, ...]
    topics: tuple[TopicPlan, ...]
    disks: tuple[DiskPlan, ...]
    network: Network
    memory_bytes: float
    commits_per_s: float
    limits: tuple[str, ...]

    @property
    def cores(self) -> float:
        """Add up what is known: all parts but those of `without`."""
        return sum(part.cores for part in self.parts if part.cores is not None)

    @property
    def without(self) -> tuple[str, ...]:
        """Name the parts of which no number is enough: no total has them."""
        return tuple(part.name for part in self.parts if part.instances is None)

    def part(self, name: str) -> PartPlan:
        return next(part for part in self.parts if part.name == name)
