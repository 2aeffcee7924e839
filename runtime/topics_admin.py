"""Making the topics of the table in contracts, and refusing others than those.

A topic's number of partitions decides which one a table's records are in: it never
changes under a version (H8).
"""

from aiokafka.admin import AIOKafkaAdminClient, NewTopic

from contracts.topics import TOPICS, Topic
from runtime.kafka_settings import KafkaSettings
from runtime.log import LogError

RECORD_BYTES_MAX = 1024 * 1024
_REPLICAS_OF_TWO = 3
"""So many copies may lose one and take records still; of two, neither could be lost."""


class WrongTopic(LogError):
    """A topic is there and is not as the table says."""


def settings_of(topic: Topic, replicas: int) -> dict[str, str]:
    """Return what a topic is made with, of so many copies."""
    return {
        # acks=all waits for the copies that are in step, and that may be the leader
        # alone: two of three have a record before anybody is told that it is kept.
        "min.insync.replicas": "2" if replicas >= _REPLICAS_OF_TWO else "1",
        "retention.ms": str(topic.retention_ms),
        "cleanup.policy": "delete",
        "max.message.bytes": str(RECORD_BYTES_MAX),
        # A record has its own time within. The broker would refuse one whose sender's
        # clock runs an hour ahead, and keep commands by clocks that it does not know.
        "message.timestamp.type": "LogAppendTime",
    }


async def make_topics(kafka: KafkaSettings, *, replicas: int) -> list[str]:
    """Make what is missing; return a line for each topic. Raises WrongTopic."""
    admin = AIOKafkaAdminClient(**kafka.client())
    try:
        await admin.start()
        there = set(await admin.list_topics())
        missing = [topic for topic in TOPICS if topic.name not in there]
        made = [
            NewTopic(
                topic.name,
                topic.partitions,
                replicas,
                topic_configs=settings_of(topic, replicas),
            )
            for topic in missing
        ]
        if made:
            answer = await admin.create_topics(made)
            _refuse_errors(answer)
        present = [topic.name for topic in TOPICS if topic.name in there]
        await _check(admin, present)
    finally:
        await admin.close()
    return [
        f"{topic.name}: {'made' if topic in missing else 'as it should be'}"
        for topic in TOPICS
    ]


def _refuse_errors(answer: object) -> None:
    for name, code, *text in getattr(answer, "topic_errors", ()):
        if code:
            raise WrongTopic(
                f"{name}: not made: error {code} {' '.join(map(str, text))}"
            )


async def _check(admin: AIOKafkaAdminClient, names: list[str]) -> None:
    expected = {topic.name: topic.partitions for topic in TOPICS}
    for found in await admin.describe_topics(names):
        count = len(found["partitions"])
        if count != expected[found["topic"]]:
            raise WrongTopic(
                f"{found['topic']} has {count} partitions,"
                f" not {expected[found['topic']]}: their number never changes"
            )
