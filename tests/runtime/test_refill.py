"""Topics are filled again from the logs, byte for byte (law 1)."""

import pytest
from kafka_toys import Broker, FakeLog

from contracts.topics import Key, Kind, Topic
from runtime.refill import BATCH_MAX, OtherPartitions, refill
from runtime.relay import Relay


def topic(partitions: int) -> Topic:
    return Topic("toy", Kind.EVENTS, "toy", Key.TABLE, partitions, 1)


async def test_law_1_what_is_sent_again_is_what_the_relay_sent() -> None:
    """All records in order, over several batches, with the same bytes."""
    log = FakeLog(BATCH_MAX + 3)
    relayed, refilled = Broker(), Broker()
    await Relay(log, "toy", relayed.connect, "one").drain(30)

    assert await refill(log, topic(1), refilled.connect()) == BATCH_MAX + 3
    records = [(0, record.body) for record in log.records]
    assert refilled.kept == records
    assert relayed.kept[: len(records)] == records


async def test_a_record_that_was_not_acknowledged_ends_it() -> None:
    """Nothing is said to be filled that is not."""
    broker = Broker()
    broker.fail = [None, ConnectionError("gone")]
    with pytest.raises(ConnectionError, match="gone"):
        await refill(FakeLog(3), topic(1), broker.connect())


async def test_h8_a_log_of_other_partitions_has_no_place_in_the_topic() -> None:
    """A record's place is fixed by the number of partitions."""
    with pytest.raises(OtherPartitions, match="toy has 1 partitions, toy 8"):
        await refill(FakeLog(1), topic(8), Broker().connect())
