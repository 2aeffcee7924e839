"""Which offered records go on from a log's end, and which are not believed (H3)."""

from hashlib import sha256

import pytest
from kafka_toys import records

from runtime.log import NO_HASH, Head, Record
from runtime.log_recovery import going_on

ALL = records(6)


def head(offset: int) -> Head:
    link = ALL[offset - 1].hash if offset else NO_HASH
    return Head("first", 0, offset, link)


def test_h3_what_chains_is_taken_in_order_and_once() -> None:
    """Offered twice, in any order, with what the log has: only what is new is left."""
    found = going_on(head(3), 1, [*reversed(ALL), *ALL], {"a-1": 3})

    assert found.records == tuple(ALL[3:])
    assert found.misfit == ""
    assert going_on(head(6), 1, ALL, {"a-1": 6}).records == ()


def test_h3_nothing_is_taken_from_another_story() -> None:
    """The log's own last record is another one there: neither side is believed."""
    other = records(6, log="first")
    forked = Head("first", 0, 3, sha256(b"other").digest())

    found = going_on(forked, 1, other, {"a-1": 3})
    assert found.records == ()
    assert "fork" in found.misfit


def test_h3_a_hole_ends_what_is_taken() -> None:
    """What lies beyond it has nothing to be checked against."""
    found = going_on(head(2), 1, [ALL[2], ALL[4], ALL[5]], {"a-1": 2})

    assert found.records == (ALL[2],)
    assert found.misfit == "offset 4 is nowhere, 6 is"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (ALL[3]._replace(body=ALL[3].body + b" "), "not those that were chained"),
        (ALL[3]._replace(previous=NO_HASH), "follows on another record"),
        (ALL[3]._replace(stream="b-1"), "it is a-1@4"),
        (records(4, log="other")[3], "follows on another record"),
    ],
)
def test_h3_a_record_that_does_not_fit_is_refused(wrong: Record, why: str) -> None:
    """Bytes, link and place must agree; those before it are taken."""
    found = going_on(head(2), 1, [ALL[2], wrong, *ALL[4:]], {"a-1": 2})

    assert found.records == (ALL[2],)
    assert why in found.misfit


def test_h3_two_records_at_one_offset_are_both_refused() -> None:
    """Kafka and the archive disagree: which is the log's cannot be told."""
    twin = ALL[3]._replace(hash=sha256(b"twin").digest())
    found = going_on(head(3), 1, [ALL[3], twin], {"a-1": 3})

    assert found.records == ()
    assert found.misfit == "offset 4 is there twice"


def test_h3_a_version_that_is_there_already_is_refused() -> None:
    """The stream has gone on without this record."""
    found = going_on(head(3), 1, ALL[3:], {"a-1": 4})
    assert "its stream is at 4" in found.misfit
