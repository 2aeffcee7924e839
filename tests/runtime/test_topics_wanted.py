"""What a topic that is there may be like: safe, harmless, or apt to lose records."""

import pytest

from contracts.topics import BY_NAME, TOPICS, Topic
from runtime.topics_wanted import (
    Difference,
    Found,
    differences,
    is_mendable,
    settings_of,
)

EVENTS = BY_NAME["push22.wallet.events.v1"]
COMMANDS = BY_NAME["push22.wallet.commands.v1"]
_IN_STEP = "min.insync.replicas"
_TIME = "retention.ms"
_HOUR_MS = str(60 * 60 * 1000)
_WEEK_MS = str(7 * 24 * 60 * 60 * 1000)


def found(topic: Topic, copies: int = 3, **changed: str) -> Found:
    """A topic as it was made, but for some settings, whose dots are underlines."""
    settings = settings_of(topic, copies) | {
        name.replace("_", "."): value for name, value in changed.items()
    }
    return Found(topic.partitions, copies, copies, settings)


def told(topic: Topic, there: Found, replicas: int = 3) -> list[str]:
    return [str(difference) for difference in differences(topic, there, replicas)]


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
@pytest.mark.parametrize("copies", [1, 2, 3, 5])
def test_a_topic_is_well_as_it_is_made(topic: Topic, copies: int) -> None:
    """Of as many copies as were asked for, or more than that."""
    assert told(topic, found(topic, copies), copies) == []
    assert told(topic, found(topic, copies), 1) == []


@pytest.mark.parametrize(
    ("copies", "in_step", "wanted", "risk"),
    [
        (3, "1", "2", "a record may be lost that counts as kept"),
        (3, "3", "2", ""),
        (5, "3", "2", ""),
        (2, "2", "1", ""),
        (1, "2", "1", "of 1 copies it takes no record"),
    ],
)
def test_copies_in_step_are_judged_by_the_copies_that_are_there(
    copies: int, in_step: str, wanted: str, risk: str
) -> None:
    """Whatever number was asked for: `push22 topics` alone asks for one."""
    there = found(EVENTS, copies, min_insync_replicas=in_step)
    assert differences(EVENTS, there, 1) == [
        Difference("min.insync.replicas", in_step, wanted, risk)
    ]


@pytest.mark.parametrize(
    ("topic", "name", "there", "said"),
    [
        (EVENTS, "retention.ms", _WEEK_MS, "UNSAFE"),
        (EVENTS, "retention.bytes", "1073741824", "UNSAFE"),
        (EVENTS, "cleanup.policy", "compact", "UNSAFE"),
        (EVENTS, "cleanup.policy", "compact,delete", "UNSAFE"),
        (EVENTS, "max.message.bytes", "1000", "UNSAFE"),
        (EVENTS, "max.message.bytes", "8388608", "otherwise"),
        (EVENTS, "message.timestamp.type", "CreateTime", "UNSAFE"),
        (COMMANDS, "retention.ms", _HOUR_MS, "UNSAFE"),
        (COMMANDS, "retention.ms", _WEEK_MS, "otherwise"),
        (COMMANDS, "retention.ms", "-1", "otherwise"),
        (COMMANDS, "retention.bytes", "1073741824", "UNSAFE"),
    ],
)
def test_a_setting_is_unsafe_where_it_loses_or_refuses_records(
    topic: Topic, name: str, there: str, said: str
) -> None:
    """And harmless where it keeps or takes more than it must."""
    (line,) = told(topic, found(topic, **{name.replace(".", "_"): there}))
    wanted = settings_of(topic, 3)[name]
    assert line.startswith(f"{said}: {name} is {there}, wanted {wanted}")


def test_another_number_of_partitions_is_unsafe() -> None:
    """More as well as fewer: a table's records have their place by that number."""
    for partitions in (1, 9):
        there = found(EVENTS)._replace(partitions=partitions)
        (line,) = told(EVENTS, there)
        assert line.startswith(f"UNSAFE: partitions is {partitions}, wanted 8:")


def test_fewer_copies_than_were_asked_for_are_unsafe() -> None:
    """And more are none too many."""
    (line,) = told(EVENTS, found(EVENTS, 2), 3)
    assert line == "UNSAFE: copies is 2, wanted 3: fewer brokers may be lost"


def test_everything_that_is_wrong_is_told_at_once() -> None:
    """Nobody mends one thing to hear of the next."""
    there = found(EVENTS, 3, retention_ms=_WEEK_MS, min_insync_replicas="1")
    names = [x.what for x in differences(EVENTS, there, 5)]
    assert names == ["copies", "min.insync.replicas", "retention.ms"]


@pytest.mark.parametrize(
    ("in_step", "mendable"),
    [(1, [_TIME]), (2, [_IN_STEP, _TIME]), (3, [_IN_STEP, _TIME])],
)
def test_a_bound_on_copies_is_set_only_where_so_many_are_in_step(
    in_step: int, mendable: list[str]
) -> None:
    """Else whoever writes would stop at once; nor do copies come by a setting."""
    there = found(EVENTS, 3, retention_ms=_WEEK_MS, min_insync_replicas="1")
    there = there._replace(in_step=in_step)
    names = [x.what for x in differences(EVENTS, there, 5) if is_mendable(x, there)]
    assert names == mendable


def test_what_is_harmless_is_left_as_it_is() -> None:
    """Kept longer than it need is nothing to mend."""
    there = found(COMMANDS, retention_ms="-1")
    (difference,) = differences(COMMANDS, there, 3)
    assert not is_mendable(difference, there)
