"""What topics are made with: how many copies have a record before it counts as kept."""

from typing import Any

import pytest

from contracts.topics import TOPICS
from runtime import topics_admin
from runtime.kafka_settings import KafkaSettings


class Admin:
    """A broker without any topic; it notes what it is asked to make."""

    def __init__(self, **_: object) -> None:
        self.asked: list[Any] = []

    async def start(self) -> None: ...

    async def close(self) -> None: ...

    async def list_topics(self) -> list[str]:
        return []

    async def describe_topics(self, names: list[str]) -> list[dict[str, object]]:
        assert names == []
        return []

    async def create_topics(self, topics: list[Any]) -> None:
        self.asked += topics


@pytest.mark.parametrize(
    ("replicas", "in_step"), [(1, "1"), (2, "1"), (3, "2"), (5, "2")]
)
async def test_a_record_of_three_copies_is_in_two_before_it_is_kept(
    replicas: int, in_step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One copy of three may be lost: nothing that was acknowledged is, nor a write."""
    admin = Admin()
    monkeypatch.setattr(topics_admin, "AIOKafkaAdminClient", lambda **_: admin)
    kafka = KafkaSettings(bootstrap="nowhere:1")
    lines = await topics_admin.make_topics(kafka, replicas=replicas)

    assert [topic.name for topic in admin.asked] == [topic.name for topic in TOPICS]
    assert len(lines) == len(TOPICS)
    for topic in admin.asked:
        assert topic.replication_factor == replicas
        assert topic.topic_configs["min.insync.replicas"] == in_step
