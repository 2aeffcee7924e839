"""Liveness by consumption: a hung consumer is found, whatever pings say (FC9)."""

from aiokafka import TopicPartition

from runtime.consumption import STALLED_S, Consumption

ONE, TWO = TopicPartition("t", 0), TopicPartition("t", 1)


class Toy:
    """A consumer as its broker's ends and its own positions say."""

    def __init__(self) -> None:
        self.ends = {ONE: 5, TWO: 5}
        self.positions = {ONE: 5, TWO: 5}
        self.now = 100.0
        self.is_away = False
        self.watch = Consumption(lambda: self, lambda: self.now)

    def assignment(self) -> set[TopicPartition]:
        return set(self.positions)

    async def position(self, place: TopicPartition) -> int:
        return self.positions[place]

    async def end_offsets(
        self, places: list[TopicPartition]
    ) -> dict[TopicPartition, int]:
        if self.is_away:
            raise TimeoutError
        return self.ends

    async def later(self, seconds: float) -> bool:
        """Look again after a while; tell whether it counts as alive."""
        self.now += seconds
        await self.watch.look()
        return self.watch.is_alive


async def test_who_stands_at_the_end_is_alive_for_ever() -> None:
    """Nothing to read is no fault."""
    toy = Toy()

    assert all([await toy.later(STALLED_S * 0.9) for _ in range(5)])


async def test_one_partition_that_hangs_is_found_beside_one_that_moves() -> None:
    """The broker has more, and this consumer never gets it (case 9)."""
    toy = Toy()
    await toy.later(1)
    toy.ends = {ONE: 9, TWO: 9}
    toy.positions[TWO] = 6
    assert await toy.later(STALLED_S * 0.6)
    toy.positions[TWO] = 7
    assert not await toy.later(STALLED_S * 0.6)
    toy.positions[ONE] = 6

    assert await toy.later(1)


async def test_a_position_beyond_the_end_is_as_bad() -> None:
    """The topic was made again, and the consumer waits where nothing will come."""
    toy = Toy()
    await toy.later(1)
    toy.ends[ONE] = 2

    assert not await toy.later(STALLED_S)


async def test_a_broker_that_cannot_be_asked_counts_after_a_while() -> None:
    """And when it answers again, so does /live."""
    toy = Toy()
    toy.is_away = True
    assert await toy.later(STALLED_S * 0.9)
    assert not await toy.later(STALLED_S * 0.2)
    toy.is_away = False

    assert await toy.later(0)


async def test_what_was_taken_away_is_not_waited_for() -> None:
    """Another instance reads it now."""
    toy = Toy()
    toy.ends[ONE] = 9
    await toy.later(1)
    del toy.positions[ONE]

    assert await toy.later(STALLED_S * 2)
