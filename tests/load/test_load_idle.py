"""What nobody's play costs, and how much of everything there is in a second."""

import asyncio

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from push22.load.idling import idle_at
from push22.load.places import Place
from push22.load.report import between, hops_in
from push22.load.sampling import Sample, Use, figures, use
from push22.load.settings import PLAYERS

_BEFORE = Use(1.0, 2**20, 0, batches=10, appends=None)
_AFTER = Use(2.0, 2**20, 0, batches=40, appends=8)


def test_batches_appends_and_hops_are_read_from_a_page_of_metrics() -> None:
    """Of all sources together; what a process does not tell of is not nothing."""
    registry = CollectorRegistry()
    batches = Counter("push22_batches", "", ("service",), registry=registry)
    hops = Histogram(
        "push22_hop_duration_seconds",
        "",
        ("source",),
        buckets=(0.01, 0.1),
        registry=registry,
    )
    batches.labels("wallet").inc(3)
    for source, taken in (("shoe", 0.005), ("desk", 0.05), ("desk", 7.0)):
        hops.labels(source).observe(taken)
    found = figures(generate_latest(registry).decode())

    assert (use(found).batches, use(found).appends) == (3, None)
    name = "push22_hop_duration_seconds_bucket"
    ends = {end: found[f"{name} {end}"] for end in ("0.01", "0.1", "+Inf")}
    assert ends == {"0.01": 1, "0.1": 2, "+Inf": 3}


def test_what_was_used_is_told_by_the_second() -> None:
    """What was counted first in between began at nothing."""
    first, last = Sample(10.0, {"x": _BEFORE}), Sample(14.0, {"x": _AFTER, "y": _AFTER})
    found = between(first, last)

    assert found.cpu == {"x": 0.25}
    assert found.batches == {"x": 7.5}
    assert found.appends == {"x": 2.0}


def test_a_process_that_began_again_has_used_nothing_less() -> None:
    """Its counters are lower than they were."""
    found = between(Sample(0.0, {"x": _AFTER}), Sample(1.0, {"x": _BEFORE}))

    assert (found.cpu, found.batches) == ({"x": 0.0}, {"x": 0.0})


def test_hops_are_counted_while_the_rate_is() -> None:
    """Of the warm-up and of the end there are none."""
    samples = [Sample(float(at), {}, hops={"0.1": 5.0 * at}) for at in range(10)]

    assert hops_in(samples, 2.0, 6.5) == {"0.1": 20.0}
    assert hops_in(samples, 2.0, 2.5) == {}


async def test_nobody_plays_and_this_process_is_measured() -> None:
    """It sleeps: of a core it uses next to nothing, and nothing was laid down here."""
    place = Place(door="", operators="")
    found = await asyncio.wait_for(idle_at(place, 0.5, settles_s=0.0), 30)

    assert found is not None
    assert found.seconds >= 0.5
    assert found.mean.cpu[PLAYERS] < 1.0
    assert found.volumes is None
    assert await idle_at(place, 0.0) is None
