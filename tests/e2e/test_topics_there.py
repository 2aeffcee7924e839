"""`push22 topics` where the topics are there, and not all as they should be."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType

from contracts.topics import BY_NAME, TOPICS
from runtime.kafka_settings import KafkaSettings
from runtime.topics_wanted import settings_of
from tests.e2e import images
from tests.e2e.conftest import local_kafka, running
from tests.e2e.marks import WHOLE_MACHINE

pytestmark = [*WHOLE_MACHINE, pytest.mark.timeout(600)]

EVENTS = "push22.wallet.events.v1"
COMMANDS = "push22.wallet.commands.v1"
_BOUND_S = 60
_DELETES = "wanted -1: it deletes records that are needed"
_REFUSES = "wanted 1: of 1 copies it takes no record"
_COMPACTS = "wanted delete: of each key it keeps the last record only"


class Broker:
    """A broker that has all topics, and the command that judges them."""

    def __init__(self, bootstrap: str) -> None:
        self.bootstrap = bootstrap

    def topics(self, *words: str) -> tuple[int, list[str]]:
        """Run `push22 topics`; return its exit code and what it said."""
        done = subprocess.run(
            [sys.executable, "-m", "push22", "topics", *words],
            env={**os.environ, "PUSH22_KAFKA": self.bootstrap},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert not done.stderr, done.stderr
        return done.returncode, done.stdout.splitlines()

    def set(self, topic: str, **changed: str) -> None:
        """Let a topic be as it is made but for some, whose dots are underlines."""
        named = {name.replace("_", "."): value for name, value in changed.items()}
        wanted = settings_of(BY_NAME[topic], 1) | named
        resource = ConfigResource(ConfigResourceType.TOPIC, topic, wanted)
        found = self._asked(lambda admin: admin.alter_configs([resource]))
        assert found["error_code"] == 0
        assert self.comes_to(topic, wanted)

    def own(self, topic: str) -> dict[str, str]:
        """Return which settings were given to a topic."""
        resource = ConfigResource(ConfigResourceType.TOPIC, topic)
        found = self._asked(lambda admin: admin.describe_configs([resource]))
        return {
            entry["config_names"]: entry["config_value"]
            for entry in found["config_entries"]
            if entry["config_source"] == 1
        }

    def comes_to(self, topic: str, wanted: dict[str, str]) -> bool:
        """Return whether they come to be these: a broker hears of changes by and by."""
        until = time.monotonic() + _BOUND_S
        while time.monotonic() < until:
            if self.own(topic) == wanted:
                return True
            time.sleep(0.1)
        return False

    def _asked(self, ask: Callable[[AIOKafkaAdminClient], Awaitable[Any]]) -> Any:
        """Return what the broker answers about the one topic that it is asked about."""

        async def asked() -> Any:
            admin = AIOKafkaAdminClient(**KafkaSettings(self.bootstrap).client())
            await admin.start()
            try:
                (answer,) = await ask(admin)
            finally:
                await admin.close()
            (found,) = answer.to_object()["resources"]
            return found

        return asyncio.run(asked())


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    """One broker, so one copy of each topic."""
    with running(local_kafka, images.Kafka) as server:
        made = Broker(server.bootstrap)
        code, lines = made.topics()
        assert (code, lines) == (0, [f"{topic.name}: made" for topic in TOPICS])
        yield made


@pytest.fixture(autouse=True)
def _as_made(broker: Broker) -> None:
    for topic in (EVENTS, COMMANDS):
        broker.set(topic)


def about(topic: str, lines: list[str]) -> list[str]:
    return [x.removeprefix(f"{topic}: ") for x in lines if x.startswith(f"{topic}: ")]


def test_topics_as_they_were_made_are_as_they_should_be(broker: Broker) -> None:
    """All of them, and a second time nothing is made."""
    code, lines = broker.topics()
    assert code == 0
    assert len(lines) == len(TOPICS)
    assert about(EVENTS, lines) == ["as it should be (8 partitions, copies: 1)"]


def test_an_unsafe_topic_is_told_and_left_as_it_is(broker: Broker) -> None:
    """It would delete events after an hour, and take none of them to begin with."""
    wrong = {"retention_ms": "3600000", "min_insync_replicas": "2"}
    broker.set(EVENTS, **wrong)
    before = broker.own(EVENTS)

    code, lines = broker.topics()
    assert code == 1
    assert about(EVENTS, lines) == [
        f"UNSAFE: min.insync.replicas is 2, {_REFUSES}",
        f"UNSAFE: retention.ms is 3600000, {_DELETES}",
    ]
    assert len([x for x in lines if "UNSAFE" not in x]) == len(TOPICS) - 1
    assert broker.own(EVENTS) == before


def test_whatever_else_deletes_is_found(broker: Broker) -> None:
    """By a bound of bytes, or by keeping the newest of each key."""
    broker.set(EVENTS, cleanup_policy="compact", retention_bytes="1048576")
    code, lines = broker.topics()
    assert code == 1
    assert about(EVENTS, lines) == [
        f"UNSAFE: retention.bytes is 1048576, {_DELETES}",
        f"UNSAFE: cleanup.policy is compact, {_COMPACTS}",
    ]


def test_what_is_unsafe_is_set_right_when_that_is_asked_for(
    broker: Broker,
) -> None:
    """What somebody else has set stays, and what is harmless."""
    broker.set(EVENTS, retention_ms="3600000", segment_bytes="10485760")
    broker.set(COMMANDS, retention_ms="-1")

    code, lines = broker.topics("--alter")
    assert code == 0
    assert about(EVENTS, lines) == ["retention.ms was 3600000, is set to -1"]
    harmless = ["otherwise: retention.ms is -1, wanted 86400000"]
    assert about(COMMANDS, lines) == harmless
    made = settings_of(BY_NAME[EVENTS], 1)
    assert broker.comes_to(EVENTS, made | {"segment.bytes": "10485760"})

    code, lines = broker.topics()
    assert code == 0
    assert about(EVENTS, lines) == ["as it should be (8 partitions, copies: 1)"]
    assert about(COMMANDS, lines) == harmless


def test_copies_do_not_come_by_a_setting(broker: Broker) -> None:
    """Who asks for three hears of each topic that has one, and has to make them."""
    for words in (["--replicas", "3"], ["--replicas", "3", "--alter"]):
        code, lines = broker.topics(*words)
        assert code == 1
        assert lines == [
            f"{topic.name}: UNSAFE: copies is 1, wanted 3: fewer brokers may be lost"
            for topic in TOPICS
        ]
