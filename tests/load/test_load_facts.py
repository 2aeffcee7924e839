"""What a report says of its casino was asked of the servers, or counted in them."""

from pathlib import Path
from typing import Any

import pytest
from aiokafka.protocol.admin import DescribeConfigsResponse_v0

from bench.load import facts
from contracts.topics import TOPICS, Kind
from push22.load.comparing import unlike
from push22.load.volumes import LogVolume, Volumes, in_words
from runtime.kafka_settings import SENDING
from tests.load.reports import report_of, run_at
from tests.postgres import Postgres, Unavailable, binaries, temporary_folder

EVENTS = [topic.name for topic in TOPICS if topic.kind is Kind.EVENTS]


class Admin:
    """A cluster of four brokers, on which one topic has fewer copies than others."""

    async def describe_cluster(self) -> dict[str, Any]:
        return {"brokers": [{"node_id": n} for n in range(4)], "controller_id": 0}

    async def describe_topics(self, names: list[str]) -> list[dict[str, Any]]:
        assert names == EVENTS
        full, few = {"replicas": [0, 1, 2]}, {"replicas": [0, 1]}
        return [
            {"topic": n, "partitions": [full, few if n == EVENTS[-1] else full]}
            for n in names
        ]

    async def describe_configs(self, wanted: list[Any]) -> list[Any]:
        entries = [
            ("min.insync.replicas", "2", False, False, False),
            ("retention.ms", "1", False, False, False),
        ]
        resources = [(0, "", 2, each.name, entries) for each in wanted]
        return [DescribeConfigsResponse_v0(0, resources)]


async def test_delivery_is_what_the_brokers_and_the_sender_have() -> None:
    """The fewest copies of any partition count; a sender of ours has no other words."""
    said = await facts.delivery(Admin())

    assert said.startswith("brokers 4, replicas 2, min.insync.replicas 2; acks=all")
    for name in ("acks", "enable_idempotence", "linger_ms"):
        assert f"{name}={SENDING[name]}" in said


async def test_durability_is_what_the_database_says() -> None:
    """Also where it is not what anybody would hope."""
    try:
        binaries()
    except Unavailable as reason:
        pytest.skip(str(reason))
    server = Postgres(temporary_folder("push22-facts-"))
    server.start()
    try:
        usual = await facts.asked(server.dsn(), ("fsync", "synchronous_commit"))
        dsn = f"{server.dsn()}&options=-csynchronous_commit%3Doff"
        weak = await facts.asked(dsn, ("synchronous_commit",))
    finally:
        server.stop()

    assert usual == "fsync on, synchronous_commit on"
    assert weak == "synchronous_commit off"


def test_kafka_is_named_by_its_image_or_its_jar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The image is the one that containers are made of."""
    (tmp_path / "kafka_2.13-9.9.9.jar").touch()
    (tmp_path / "other.jar").touch()
    monkeypatch.setenv("KAFKA_IMAGE", "registry/kafka:9.9")

    assert facts.jars_in(tmp_path) == "kafka_2.13-9.9.9"
    contained = object.__new__(facts.images.Kafka)
    assert facts._kafka(contained) == "image registry/kafka:9.9"


def test_records_of_a_round_are_counted() -> None:
    """Over all logs; nothing is said where nothing was counted or closed."""
    volumes = Volumes(logs={"a": LogVolume(90, 9000), "b": LogVolume(10, 3000)})

    assert in_words(volumes, rounds=4) == {"records": "25.0 a round of 120 bytes"}
    assert in_words(volumes, rounds=0) == {}
    assert in_words(None, rounds=4) == {}
    assert in_words(Volumes(), rounds=4) == {}


def test_counts_are_no_other_casino() -> None:
    """Comparing two reports names the servers that differ, not what was counted."""
    one, other = (
        report_of([run_at(10, 5)], casino={"records": text, "kafka": kafka})
        for text, kafka in (("25.0 a round", "image a"), ("25.1 a round", "image b"))
    )

    assert unlike(one, other) == ["kafka: image a | image b"]
