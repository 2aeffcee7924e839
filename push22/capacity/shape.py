"""How each part of a casino grows, by the services' own tables: nothing is measured.

A service with a log shares its partitions among its instances. Archive and gateway hear
all of every topic, each instance of them.
"""

from collections import Counter

from contracts.topics import FOREVER, TOPICS
from push22.capacity.costs import ARCHIVE, GATEWAY
from push22.casino import SERVICES
from push22.kafka_rights import rights
from runtime.distributed import topics_of

INSTANCES_MIN = 2
"""One may die, or be replaced, while the other goes on."""

BROKERS_MIN = 3
PARTITION_BYTES_PER_S = 10_000_000
"""What one partition is trusted with; a broker's disk takes ten times as much."""

TOPIC_NAMES = tuple(topic.name for topic in TOPICS)
KEPT_FOREVER = frozenset(t.name for t in TOPICS if t.retention_ms == FOREVER)


def readers() -> dict[str, Counter[str]]:
    """Return who reads each topic, whoever reacts to its own records among them.

    Any other writer may read its own, and does so at its start only.
    """
    found: dict[str, Counter[str]] = {name: Counter() for name in TOPIC_NAMES}
    followed = {
        service.name: {topic.name for topic in topics_of(service)}
        for service in SERVICES
    }
    for right in rights(SERVICES):
        topics = right.topics if right.operation == "Read" else ()
        for topic in topics:
            if topic in followed.get(right.user, topics):
                found[topic][right.user] += 1
    return found


HEAR_ALL = frozenset({ARCHIVE, GATEWAY})
"""Each instance of these is a reader of its own."""

BROKER_CORES = 8
SERVER_CORES_MAX = 64
"""The largest database server that is taken to be had."""
