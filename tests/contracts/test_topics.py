"""The table of topics agrees with the services and with the routing of streams."""

from contracts import topics
from contracts.catalog import COMMANDS, EVENTS
from contracts.topics import TOPICS, Key, Kind


def test_the_topics_are_these() -> None:
    """Names of topics are addresses that others rely on."""
    assert [topic.name for topic in TOPICS] == [
        "push22.shoe.events.v1",
        "push22.table.events.v1",
        "push22.settlement.events.v1",
        "push22.wallet.events.v1",
        "push22.desk.events.v1",
        "push22.table.commands.v1",
        "push22.wallet.commands.v1",
        "push22.desk.commands.v1",
        "push22.checkpoints.v1",
    ]


def test_every_message_has_a_topic_of_its_kind() -> None:
    """Events travel in event topics, commands in command topics."""
    events = {topics.topic_of_event(tag).kind for tag in EVENTS}
    commands = {topics.topic_of_command(tag).kind for tag in COMMANDS}

    assert events == {Kind.EVENTS}
    assert commands == {Kind.COMMANDS}


def test_table_keyed_topics_have_equal_partition_counts() -> None:
    """One table's streams stand in the same partition number everywhere (H8)."""
    counts = {topic.partitions for topic in TOPICS if topic.key is Key.TABLE}

    assert counts == {8}


def test_only_commands_are_ever_dropped() -> None:
    """Events and checkpoints are kept for ever; commands for a day (H4)."""
    kept = {topic.kind: topic.retention_ms for topic in TOPICS}

    assert kept == {
        Kind.EVENTS: -1,
        Kind.CHECKPOINTS: -1,
        Kind.COMMANDS: 86_400_000,
    }
