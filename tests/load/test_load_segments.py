"""Kafka's own files are counted: bytes, batches and records."""

import struct
from pathlib import Path

from push22.load.segments import Lain, lain_in, topics_in


def batch(records: int, size: int = 100) -> bytes:
    """Return a batch of format 2, as long as `size` in all."""
    head = struct.pack(">qiibIhi", 0, size - 12, 0, 2, 0, 0, records - 1)
    return head.ljust(size, b"\0")


def test_batches_are_counted_by_their_heads(tmp_path: Path) -> None:
    """A batch says itself how many records it holds, and where the next one begins."""
    segment = tmp_path / "0.log"
    segment.write_bytes(batch(3) + batch(1, 61))

    assert lain_in(segment) == Lain(161, 2, 4)


def test_a_batch_that_is_being_written_is_left_out(tmp_path: Path) -> None:
    """So are zeros, which a broker that died may leave behind."""
    segment = tmp_path / "0.log"
    segment.write_bytes(batch(3) + batch(5)[:70])
    zeros = tmp_path / "1.log"
    zeros.write_bytes(batch(2) + bytes(500))

    assert lain_in(segment) == Lain(100, 1, 3)
    assert lain_in(zeros) == Lain(100, 1, 2)


def test_partitions_of_a_topic_add_up(tmp_path: Path) -> None:
    """Kafka's own topics and files are none of ours."""
    for name in ("a.b-0", "a.b-1", "__consumer_offsets-3", "other-0"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "00.log").write_bytes(batch(2))
    (tmp_path / "a.b-0" / "00.index").write_bytes(b"1")

    assert topics_in(tmp_path) == {"a.b": Lain(200, 2, 4), "other": Lain(100, 1, 2)}
    assert Lain(5, 2, 3) - Lain(1, 1, 1) == Lain(4, 1, 2)
