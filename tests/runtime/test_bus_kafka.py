"""What arrived over Kafka, as the handling loop sees it."""

import asyncio
from types import SimpleNamespace

from kafka_toys import message, records

from runtime.bus_kafka import KafkaBus
from runtime.kafka_records import Arrived, Beacon, read
from runtime.log import NO_HASH, Position

KEY = ("toy", 0)


def arrived(count: int, log: str = "first") -> list[Arrived]:
    found = [read(message(record), "toy") for record in records(count, log)]
    return [item for item in found if isinstance(item, Arrived)]


def bus(position: int = 0) -> KafkaBus:
    made = KafkaBus(SimpleNamespace(service="echo"), ("toy",), 2)
    made.begin(at(position))
    return made


def at(offset: int, log: str = "") -> Position:
    link = records(offset)[-1].hash if offset else NO_HASH
    return Position("toy", 0, log, offset, link)


def after(made: KafkaBus, offset: int, limit: int = 100) -> list[int]:
    found = asyncio.run(made.after("toy", 0, offset, limit))
    return [delivery.record.offset for delivery in found]


def test_records_come_in_order_from_the_position_on() -> None:
    """At most as many as asked for; what was handled is let go."""
    made = bus()
    for item in arrived(5):
        made.offer(item)

    assert after(made, 0, 2) == [1, 2]
    assert after(made, 2) == [3, 4, 5]
    assert made.depth == 3


def test_h5_nothing_is_handed_out_beyond_a_gap() -> None:
    """The range that is missing is named; once it is there, all follows."""
    made = bus()
    items = arrived(6)
    for item in (items[0], items[4], items[5]):
        made.offer(item)

    assert after(made, 0) == [1]
    gap = made.missing(at(1))
    assert gap is not None
    assert (gap.after, gap.to) == (1, 4)
    made.fill(KEY, items[1:4])
    assert made.missing(at(1)) is None
    assert after(made, 1) == [2, 3, 4, 5, 6]


def test_h5_a_gap_may_be_filled_in_parts() -> None:
    """Also where more comes back than was asked for."""
    made = bus()
    items = arrived(6)
    made.offer(items[5])
    made.fill(KEY, items[0:2])
    assert after(made, 0) == [1, 2]
    gap = made.missing(at(2))
    assert gap is not None
    assert (gap.after, gap.to) == (2, 5)
    made.fill(KEY, items[2:6])

    assert after(made, 2) == [3, 4, 5, 6]


def test_re5_a_beacon_shows_that_the_last_record_is_lost() -> None:
    """Without it, silence and loss would look the same."""
    made = bus()
    items = arrived(3)
    made.offer(items[0])
    made.note_beacon(Beacon("toy", "first", 0, 3, items[2].record.hash))
    assert after(made, 0) == [1]

    gap = made.missing(at(1))
    assert gap is not None
    assert (gap.after, gap.to) == (1, 3)


def test_repeats_are_dropped() -> None:
    """A relay that began again sends again."""
    made = bus()
    for item in arrived(3) + arrived(3):
        made.offer(item)

    assert after(made, 0) == [1, 2, 3]
    for item in arrived(3):
        made.offer(item)
    assert after(made, 3) == []


def test_co3_another_incarnation_halts_its_partition_only() -> None:
    """A restored log uses offsets again with other content (case 40)."""
    made = bus()
    made.begin(at(2, "first"))
    for item in arrived(4, "second"):
        made.offer(item)

    assert "another log" in made.halted[KEY]
    assert after(made, 2) == []
    assert made.missing(at(2, "first")) is None
    assert ("toy", 1) not in made.halted


def test_the_incarnation_is_learned_from_the_first_record() -> None:
    """A fresh reader knows nothing of a log elsewhere."""
    made = bus()
    assert made.source("toy").incarnation == ""
    made.offer(arrived(1)[0])

    assert made.source("toy").incarnation == "first"


def test_what_came_of_a_partition_that_others_read_now_is_forgotten() -> None:
    """Nobody would handle it here: as missing it kept a service unready for ever."""
    made = bus()
    items = arrived(6)
    made.offer(items[3])
    assert made.missing(at(2)) is not None

    made.let_go(at(2))

    assert made.missing(at(2)) is None
    assert (made.depth, made.waiting("toy")) == (0, 0)
    made.offer(items[2])
    assert after(made, 2) == [3]
