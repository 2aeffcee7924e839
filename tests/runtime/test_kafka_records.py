"""A record on Kafka is the log's record, and nothing else is taken for one."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_toys import Message, message, records
from msgspec.json import encode

from runtime.kafka_records import BEACON, Arrived, Beacon, Misfit, read

DEEP = b'{"a":' * 1100 + b"1" + b"}" * 1100
"""A few KB on which a decoder's stack ends: who writes them stops all readers (FC6)."""


def test_what_arrives_is_the_record_that_was_logged() -> None:
    """Bytes, place, and both hashes come back."""
    for record in records(3):
        found = read(message(record), "toy")
        assert isinstance(found, Arrived)
        assert found.record == record
        assert found.incarnation == "first"


def test_headers_are_utf8_and_none_is_empty_or_given_twice() -> None:
    """Whoever reads only headers gets the CloudEvents attributes."""
    headers = message(records(2)[1]).headers
    names = [name for name, _ in headers]
    found = {name: (value or b"").decode() for name, value in headers}

    assert len(names) == len(set(names))
    assert all(found.values())
    assert found["ce_id"] == "a-1@2"
    assert found["ce_source"] == "/toy/a-1"
    assert found["ce_time"] == "1970-01-01T00:00:00.000005+00:00"
    assert found["x-prev-hash"] == records(1)[0].hash.hex()
    assert re.fullmatch(r"00-[0-9a-f]{32}-[0-9a-f]{16}-01", found["traceparent"])


def test_a_record_sent_again_has_the_same_headers() -> None:
    """A repeat after a crash is the same message (H14)."""
    once, again = (message(records(1)[0]) for _ in range(2))
    assert once == again


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"value": None}, "Undecodable"),
        ({"value": b"\xff"}, "Undecodable"),
        ({"value": b"{}"}, "Undecodable"),
        ({"headers": []}, "no hash"),
        ({"headers": [("x-prev-hash", b"zz")]}, "ValueError"),
        ({"headers": [("x-prev-hash", b"\xff")]}, "UnicodeDecodeError"),
        ({"headers": [("x-prev-hash", None)]}, "no hash"),
        ({"partition": 3}, "partition 0"),
        ({"value": DEEP, "headers": [(BEACON, b"1")]}, "NotStrict"),
        ({"value": DEEP}, "Undecodable"),
    ],
)
def test_fc6_what_is_no_record_is_named_and_not_raised(
    changed: dict[str, object], reason: str
) -> None:
    """Null values, bad headers, wrong places: each has its reason."""
    found = read(message(records(1)[0], **changed), "toy")

    assert isinstance(found, Misfit)
    assert reason in found.reason


def test_a_record_of_another_service_is_a_misfit() -> None:
    """Only a service's own records stand in its topic."""
    assert isinstance(read(message(records(1)[0]), "wallet"), Misfit)


@given(
    st.binary(max_size=60) | st.none(),
    st.lists(st.tuples(st.sampled_from([BEACON, "x-prev-hash", "a"]), st.binary())),
)
def test_fc6_nothing_that_arrives_can_raise(
    value: bytes | None, headers: list[tuple[str, bytes]]
) -> None:
    """A subscriber whose parser raises would lose its whole batch."""
    found = read(Message("toy", 0, 0, value, headers), "toy")

    assert isinstance(found, Arrived | Beacon | Misfit)


def test_a_beacon_speaks_for_its_own_topic_partition_only() -> None:
    """Another service's, or another partition's, is nothing to wait for."""
    beacon = Beacon("toy", "first", 0, 7, b"")
    sent = message(records(1)[0], value=encode(beacon), headers=[(BEACON, b"1")])

    assert read(sent, "toy") == beacon
    assert isinstance(read(sent, "echo"), Misfit)
    assert isinstance(read(sent._replace(partition=1), "toy"), Misfit)
