"""A costs file is checked when it is read: what is wrong is named by its place."""

from typing import Any

import msgspec
import pytest

from push22.capacity.costs import Costs, Malformed, read_costs, written
from push22.capacity.options import COMMITTED
from tests.capacity.made import costs_made


def document() -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(written(costs_made()))
    return found


def refused(found: dict[str, Any]) -> Malformed:
    read = read_costs(msgspec.json.encode(found))
    assert isinstance(read, Malformed)
    return read


def test_what_was_written_is_read_again() -> None:
    """Nothing is lost on the way."""
    assert read_costs(written(costs_made())) == costs_made()


def test_the_costs_that_come_with_this_version_are_sound() -> None:
    """They say of which commit they are, and hold points to check the model by."""
    found = read_costs(COMMITTED.read_bytes())

    assert isinstance(found, Costs)
    assert len(found.points) >= 2
    assert found.measured.machine["cores"].isdecimal()


def test_a_negative_figure_is_named() -> None:
    """By its process and its name."""
    found = document()
    found["processes"]["wallet"]["cpu_ms_per_round"] = -1

    assert refused(found).place == "processes.wallet.cpu_ms_per_round"
    assert "0" in refused(found).reason


@pytest.mark.parametrize("value", ["2", None, 1e300, [2.0]])
def test_a_figure_that_is_none_is_named(value: object) -> None:
    """Text, nothing, a list, or more than anything can be."""
    found = document()
    found["logs"]["shoe"]["disk_bytes_per_round"] = value

    assert refused(found).place == "logs.shoe.disk_bytes_per_round"


def test_a_misspelt_name_is_refused() -> None:
    """It is not passed over, with the figure that was meant left at nothing."""
    found = document()
    found["door"]["watcher_ms_per_event"] = 1

    assert refused(found).place == "door"
    assert "watcher_ms_per_event" in refused(found).reason


@pytest.mark.parametrize(
    ("section", "name"), [("processes", "kafka"), ("logs", "desk")]
)
def test_a_missing_entry_is_named(section: str, name: str) -> None:
    """A process without costs would be taken to be free."""
    found = document()
    del found[section][name]

    assert refused(found) == Malformed(f"{section}.{name}", "is missing")


def test_a_point_is_named_by_its_number() -> None:
    """The second of them."""
    found = document()
    point = {
        "rounds_per_s": 1,
        "closed_per_s": 1,
        "action_p50_ms": 1,
        "action_p99_ms": 1,
        "share": 1,
        "cores": {},
        "batches_per_s": {},
    }
    found["points"] = [point, {**point, "share": -1}]

    assert refused(found).place == "points[1].share"


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b"null", b'{"points": 3}'])
def test_what_is_no_document_is_refused(data: bytes) -> None:
    """No bytes lead to anything but costs or a reason."""
    assert isinstance(read_costs(data), Malformed)


@pytest.mark.parametrize(
    "data",
    [b"[" * 200_000, b'{"points": NaN}', b'{"points": [], "points": []}', b"\xff"],
    ids=["deep", "no number", "twice", "no text"],
)
def test_what_no_reader_should_be_given_is_refused(data: bytes) -> None:
    """Decoders disagree about these, or their stack ends."""
    read = read_costs(data)
    assert isinstance(read, Malformed)
    assert read.place == "the file"


def test_a_process_that_costs_nothing_or_all_is_named() -> None:
    """With neither a casino can be simulated."""
    for value in (0.0, 5e-324, 1e15):
        found = document()
        cost = found["processes"]["shoe"]
        cost.update(cpu_ms_per_batch=0.0, cpu_ms_per_round=value)
        assert refused(found).place == "processes.shoe.cpu_ms_per_round"


def test_hops_that_do_not_go_on_are_named() -> None:
    """A share of more than all, or two that are out of order."""
    for hops in ([[5, 0.9], [3, 1.0]], [[5, 0.9], [9, 0.5]]):
        found = document()
        found["hops"] = [{"up_to_ms": ms, "share": share} for ms, share in hops]
        assert refused(found).place == "hops[1]"
    found["hops"] = [{"up_to_ms": 5, "share": 9}]
    assert refused(found).place == "hops[0].share"


def test_a_topic_that_is_none_is_named() -> None:
    """Its bytes would be asked of nobody."""
    found = document()
    found["topics"] = {"nowhere": next(iter(found["topics"].values()))}
    assert refused(found).place == "topics.nowhere"
