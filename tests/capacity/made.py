"""Costs for tests, in round figures that can be reckoned with by hand."""

from typing import Any

from msgspec.structs import replace

from contracts.topics import TOPICS
from push22.capacity.costs import (
    LOGGED,
    PROCESSES,
    Commits,
    Costs,
    Door,
    Flow,
    LogCost,
    Measured,
    ProcessCost,
    TopicCost,
)
from push22.capacity.demand import Demand
from push22.capacity.options import Asked
from push22.load.settings import HEARER

CHEAP = ProcessCost(
    cpu_ms_per_batch=0.0,
    cpu_ms_per_round=2.0,
    idle_cores=0.1,
    batches_per_round=4.0,
    idle_batches_per_s=3.0,
    rss_mib=100.0,
)
DEAR = replace(CHEAP, cpu_ms_per_round=10.0, idle_cores=0.0)
"""Two cores carry twenty rounds of it: a simulation of them soon ends."""

HEARING = replace(CHEAP, cpu_ms_per_round=0.5)


def costs_made(**changed: Any) -> Costs:
    """Return costs: 2 ms and a tenth of a core for everything, 0.5 ms to hear."""
    topic = TopicCost(
        bytes_per_round=1000,
        idle_bytes_per_s=0,
        records_per_round=2,
        batches_per_round=1,
    )
    log = LogCost(
        records_per_round=10,
        body_bytes_per_round=600,
        disk_bytes_per_round=1000,
        beside_bytes_per_round=50,
    )
    usual = Costs(
        measured=Measured(
            made_at="2026-01-02 03:04 UTC",
            commit="abc",
            machine={"cores": "2", "processor": "a processor"},
            sections={"processes": "a command"},
        ),
        actions_per_round=3.0,
        archive_bytes=Flow(per_round=2000, idle_per_s=0),
        wal_bytes=Flow(per_round=500, idle_per_s=10),
        commits=Commits(per_append=0, per_round=20, idle_per_s=1),
        door=Door(watcher_us_per_event=25, idle_player_kib=16),
        processes={**dict.fromkeys(PROCESSES, CHEAP), HEARER: HEARING},
        logs=dict.fromkeys(LOGGED, log),
        topics={each.name: topic for each in TOPICS},
        hops=(),
        points=(),
    )
    return replace(usual, **changed)


def demand_made(players: int, **changed: Any) -> Demand:
    """Return players who play a round a second together for each 60 of them."""
    asked = Asked(players, rounds_per_minute=1.0, peak=1.0, day_share=1.0)
    [usual] = asked.demands()
    return replace(usual, **changed)
