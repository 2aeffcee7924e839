"""Samples: what /metrics says, and what the kernel says of a process."""

import os
import subprocess
import sys

import pytest
from prometheus_client import CollectorRegistry, Gauge, generate_latest

from push22.load.sampling import figures, use, use_of


def test_the_worst_lag_counts_and_backlogs_add_up() -> None:
    """As a page of our own metrics has them, by their labels."""
    registry = CollectorRegistry()
    lag = Gauge("push22_consumer_lag_seconds", "", ("source",), registry=registry)
    behind = Gauge("push22_relay_unpublished_events", "", ("x",), registry=registry)
    for name, value in (("shoe", 0.5), ("wallet", 2.5)):
        lag.labels(name).set(value)
        behind.labels(name).set(10 * value)

    found = figures(generate_latest(registry).decode())

    assert found["push22_consumer_lag_seconds"] == 2.5
    assert found["push22_relay_unpublished_events"] == 30.0
    assert use(found).cpu_s == 0.0


def test_the_kernel_tells_of_a_process_and_its_children() -> None:
    """A child's memory is part of it: a database is a family of processes."""
    words = "import sys; x = b'1' * 2**25; print(len(x), flush=True); sys.stdin.read()"
    alone = use_of(os.getpid())
    with subprocess.Popen(
        [sys.executable, "-c", words], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        together = use_of(os.getpid(), with_children=True)
        itself = use_of(child.pid)
        child.communicate()

    assert itself.rss_bytes > 2**25
    assert together.rss_bytes > alone.rss_bytes + 2**24
    assert alone.cpu_s > 0


def test_a_process_that_is_gone_is_an_error() -> None:
    """The sampler leaves it out; no zero is made up."""
    with pytest.raises(OSError, match="No such file"):
        use_of(2**22 + 1)
