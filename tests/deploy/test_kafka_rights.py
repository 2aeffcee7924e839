"""Each account of Kafka may do its service's work, and nothing else."""

import pytest

from contracts.topics import TOPICS, Kind
from push22.casino import SERVICES
from push22.commands.topics import topics
from push22.kafka_rights import ARCHIVE, GATEWAY, Right, rights
from runtime.distributed import event_topic, topics_of

TABLE = tuple(rights(SERVICES))


def may(user: str, operation: str) -> set[str]:
    return {
        topic
        for right in TABLE
        if (right.user, right.operation) == (user, operation)
        for topic in right.topics
    }


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.name)
def test_a_service_writes_its_own_events_alone(service: object) -> None:
    """Whoever takes over a service cannot speak for another one."""
    name = service.name
    own = event_topic(name).name
    assert may(name, "Write") == {own}
    assert may(name, "Read") == {own, *(topic.name for topic in topics_of(service))}
    groups = {right.group for right in TABLE if right.user == name and right.group}
    assert groups == {f"push22.{name}"}


def test_the_gateway_orders_and_states_nothing() -> None:
    """Commands go in by it, and every event comes out."""
    kinds = {kind: {t.name for t in TOPICS if t.kind is kind} for kind in Kind}
    assert may(GATEWAY, "Write") == kinds[Kind.COMMANDS]
    assert may(GATEWAY, "Read") == kinds[Kind.EVENTS]


def test_the_archive_writes_checkpoints_alone() -> None:
    """It reads all events, and no command."""
    kinds = {kind: {t.name for t in TOPICS if t.kind is kind} for kind in Kind}
    assert may(ARCHIVE, "Write") == kinds[Kind.CHECKPOINTS]
    assert may(ARCHIVE, "Read") == kinds[Kind.EVENTS] | kinds[Kind.CHECKPOINTS]


def test_nobody_may_read_commands_but_who_takes_them() -> None:
    """A seed, or what a player is about to do, is nobody else's business."""
    for topic in TOPICS:
        if topic.kind is Kind.COMMANDS:
            readers = {r.user for r in TABLE if r.operation == "Read"}
            found = {user for user in readers if topic.name in may(user, "Read")}
            assert found == {topic.service}


def test_the_command_prints_what_an_administrator_runs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line for each right, for accounts as they are called there."""
    assert topics("rights", prefix="casino-") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(TABLE)
    assert all(line.startswith("kafka-acls.sh ") for line in lines)
    wallet = Right("wallet", "Write", ("push22.wallet.events.v1",))
    assert any(
        "User:casino-wallet " in line and line.endswith(" ".join(wallet.words()))
        for line in lines
    )
