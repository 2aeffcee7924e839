"""The relay sends everything in order, and never goes on past a failure."""

import asyncio
from typing import Any

import msgspec
from kafka_toys import Broker, FakeLog, offsets

from runtime.kafka_records import Beacon
from runtime.relay import Relay


def relay(log: FakeLog, broker: Broker) -> Relay:
    made: Any = Relay
    found: Relay = made(log, "push22.toy.events.v1", broker.connect, "me")
    return found


async def cycles(made: Relay, count: int = 3) -> None:
    """Run cycles as `run` does, looking at the log each time."""
    for _ in range(count):
        made._look_at = 0.0
        try:
            await made.cycle()
        except Exception as error:  # noqa: BLE001 - as in `run`
            await made._give_up(error)


async def test_everything_is_sent_in_order() -> None:
    """From where the last relay got to."""
    log, broker = FakeLog(5), Broker()
    log.sent = 2
    await cycles(relay(log, broker))

    assert offsets(broker) == [3, 4, 5]
    assert log.sent == 5


async def test_re1_nothing_after_a_failure_is_taken_for_sent() -> None:
    """The second of five fails: a new producer begins again before it (case 5, 38)."""
    log, broker = FakeLog(5), Broker()
    broker.fail, broker.room = [None, ConnectionError("too large")], 1
    made = relay(log, broker)
    await cycles(made, 1)
    assert log.sent == 0
    await cycles(made)

    assert offsets(broker) == [1, 1, 2, 3, 4, 5]
    assert (log.sent, broker.producers) == (5, 2)


async def test_what_was_just_appended_is_not_read_again() -> None:
    """Unless something is missing before it: another instance appended too."""
    log, broker = FakeLog(2), Broker()
    made = relay(log, broker)
    await cycles(made)
    fresh = log.grow(2)
    made.offer(fresh)
    made._look_at = asyncio.get_running_loop().time() + 60
    await made.cycle()
    assert offsets(broker) == [1, 2, 3, 4]
    more = log.grow(3)
    made.offer(more[1:])
    await made.cycle()

    assert offsets(broker) == [1, 2, 3, 4, 5, 6, 7]


async def test_re4_two_relays_send_twice_and_in_order() -> None:
    """Whoever reads drops the repeats by their offsets (case 37)."""
    log, broker = FakeLog(3), Broker()
    one, two = relay(log, broker), relay(log, broker)
    await asyncio.gather(cycles(one), cycles(two))

    assert sorted(offsets(broker)) == [1, 1, 2, 2, 3, 3] or offsets(broker) == [1, 2, 3]


async def test_partitions_side_by_side_share_one_producer() -> None:
    """Whoever comes first connects; a second producer would never be stopped."""
    log, broker = FakeLog(3), Broker()
    log.partitions = 4
    await cycles(relay(log, broker), 1)

    assert broker.producers == 1
    assert sorted(part for part, _ in broker.kept) == [
        p for p in range(4) for _ in "123"
    ]


async def test_re5_a_silent_partition_says_how_far_it_goes() -> None:
    """The beacon carries the head's offset and hash."""
    log, broker = FakeLog(2), Broker()
    made = relay(log, broker)
    await cycles(made, 1)
    made.sent_at[0] = -100.0
    await cycles(made, 1)

    beacon = msgspec.json.decode(broker.kept[-1][1], type=Beacon)
    last = log.records[-1]
    assert beacon == Beacon("toy", "first", 0, last.offset, last.hash)


async def test_stopping_sends_what_is_left_within_a_bound() -> None:
    """Also where the broker never answers (case 39)."""
    log, broker = FakeLog(3), Broker()
    made = relay(log, broker)
    task = asyncio.create_task(made.run())
    await asyncio.sleep(0.01)
    made.offer(log.grow(1))
    await made.stop()
    await asyncio.wait_for(task, 10)

    assert offsets(broker) == [1, 2, 3, 4]
    assert log.sent == 4
