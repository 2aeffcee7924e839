"""Making the topics of the table in contracts, and judging those that are there.

A topic's number of partitions decides which one a table's records are in: it never
changes under a version (H8). A setting is changed only where that was asked for.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType

from contracts.topics import TOPICS, Topic
from runtime.kafka_settings import KafkaSettings
from runtime.log import LogError
from runtime.topics_wanted import (
    Difference,
    Found,
    differences,
    is_mendable,
    settings_of,
)

_OF_THE_TOPIC = 1
"""Kafka's DYNAMIC_TOPIC_CONFIG: a value that was set for this topic."""


class WrongTopic(LogError):
    """A broker refused to make a topic, to tell its settings or to change them."""


class Told(NamedTuple):
    """What there is to say of a topic."""

    line: str
    is_unsafe: bool = False


class _Settings(NamedTuple):
    """`own` are those that were set for the topic; in force are the broker's too."""

    in_force: Mapping[str, str]
    own: Mapping[str, str]


async def make_topics(
    kafka: KafkaSettings, *, replicas: int, alter: bool = False
) -> list[Told]:
    """Make what is missing, judge the others, and mend them where that is asked for.

    Raises WrongTopic.
    """
    admin = AIOKafkaAdminClient(**kafka.client())
    try:
        await admin.start()
        there = set(await admin.list_topics())
        present = [topic for topic in TOPICS if topic.name in there]
        missing = [topic for topic in TOPICS if topic.name not in there]
        await _make(admin, missing, replicas)
        told = [Told(f"{topic.name}: made") for topic in missing]
        return told + await _judge(admin, present, replicas, alter=alter)
    finally:
        await admin.close()


async def _make(
    admin: AIOKafkaAdminClient, missing: list[Topic], replicas: int
) -> None:
    made = [
        NewTopic(
            topic.name,
            topic.partitions,
            replicas,
            topic_configs=settings_of(topic, replicas),
        )
        for topic in missing
    ]
    if not made:
        return
    answer = await admin.create_topics(made)
    for name, code, *text in getattr(answer, "topic_errors", ()):
        if code:
            raise WrongTopic(
                f"{name}: not made: error {code} {' '.join(map(str, text))}"
            )


async def _judge(
    admin: AIOKafkaAdminClient, present: list[Topic], replicas: int, *, alter: bool
) -> list[Told]:
    names = [topic.name for topic in present]
    if not names:
        return []
    settings = await _settings(admin, names)
    shapes = {found["topic"]: found for found in await admin.describe_topics(names)}
    told: list[Told] = []
    for topic in present:
        found = _found(shapes[topic.name], settings)
        otherwise = differences(topic, found, replicas)
        mended = [x for x in otherwise if alter and is_mendable(x, found)]
        if mended:
            await _alter(admin, topic.name, settings[topic.name].own, mended)
        told += _told(topic.name, found, otherwise, mended)
    return told


def _found(shape: Mapping[str, Any], settings: Mapping[str, _Settings]) -> Found:
    partitions = shape["partitions"]
    return Found(
        len(partitions),
        min(len(partition["replicas"]) for partition in partitions),
        min(len(partition["isr"]) for partition in partitions),
        settings[shape["topic"]].in_force,
    )


def _told(
    name: str, found: Found, otherwise: list[Difference], mended: list[Difference]
) -> Iterable[Told]:
    if not otherwise:
        shape = f"{found.partitions} partitions, copies: {found.copies}"
        return [Told(f"{name}: as it should be ({shape})")]
    return [
        Told(f"{name}: {x.what} was {x.there}, is set to {x.wanted}")
        if x in mended
        else Told(f"{name}: {x}", bool(x.risk))
        for x in otherwise
    ]


async def _settings(
    admin: AIOKafkaAdminClient, names: list[str]
) -> dict[str, _Settings]:
    asked = [ConfigResource(ConfigResourceType.TOPIC, name) for name in names]
    found = {}
    for answer in await admin.describe_configs(asked):
        for resource in answer.to_object()["resources"]:
            name = resource["resource_name"]
            _refuse(name, "does not tell its settings", resource)
            entries = resource["config_entries"]
            found[name] = _Settings(
                {x["config_names"]: x["config_value"] for x in entries},
                {
                    x["config_names"]: x["config_value"]
                    for x in entries
                    if x["config_source"] == _OF_THE_TOPIC
                },
            )
    return found


async def _alter(
    admin: AIOKafkaAdminClient,
    name: str,
    own: Mapping[str, str],
    mended: list[Difference],
) -> None:
    """Set what is mended, and again what was set: else that would go with it."""
    wanted = {**own, **{found.what: found.wanted for found in mended}}
    asked = ConfigResource(ConfigResourceType.TOPIC, name, wanted)
    for answer in await admin.alter_configs([asked]):
        for resource in answer.to_object()["resources"]:
            _refuse(name, "is not altered", resource)


def _refuse(name: str, why: str, answer: Mapping[str, Any]) -> None:
    if answer["error_code"]:
        text = answer["error_message"] or ""
        raise WrongTopic(f"{name} {why}: error {answer['error_code']} {text}")
