"""A round comes to all who hear of it, and what it costs there is charged in full."""

import pytest
from msgspec.structs import replace

from push22.capacity.costs import KAFKA, LOGGED, POSTGRES, PROCESSES, Hop, Point
from push22.capacity.prediction import Machine, Predicted, predicted
from push22.capacity.workload import Leg, heard, round_of, steps_of, visits
from push22.load.settings import HEARER, PLAYERS
from tests.capacity.made import CHEAP, costs_made

_RATE = 2.0
_COST = replace(CHEAP, cpu_ms_per_batch=0.5, cpu_ms_per_round=1.0, idle_cores=0.0)


def test_every_record_goes_to_all_who_read_its_topic() -> None:
    """One of them goes on with the round; both gateways hear of it."""
    assert set(heard("shoe")) == {"table-orchestrator", "archive", "gateway", HEARER}
    ways = [leg for leg in steps_of(1)[1].path if leg.name == KAFKA]

    assert [leg.beside for leg in ways[:1]] == [()]
    assert set(ways[1].beside) == {
        "table-orchestrator",
        "settlement",
        "wallet",
        "desk",
        "archive",
        HEARER,
    }


def test_only_what_came_through_kafka_or_is_appended_is_a_batch() -> None:
    """What a player says comes by a socket."""
    first, *_, last = steps_of(0)[0].path

    assert first == Leg("gateway")
    assert last.name == "gateway"
    assert last.opens
    for step in steps_of(2):
        for leg in (*step.path, *step.rest):
            assert leg.opens or leg.name in ("gateway", KAFKA)


def test_a_round_comes_to_everybody() -> None:
    """The archive hears of each append once, and so does a gateway of no player."""
    counts = visits(steps_of(6))

    assert counts.keys() >= {*PROCESSES}
    assert counts["archive"] == counts[HEARER] == counts[POSTGRES]


def test_an_action_that_raises_the_stake_asks_the_wallet() -> None:
    """As many of them as its records are more than a bet's and a payment's."""
    log = replace(costs_made().logs["wallet"], records_per_round=3.2)
    costs = costs_made(logs={**costs_made().logs, "wallet": log})
    asked = [step for step in round_of(costs) if step.name == "action"]
    wallets = [[leg.name for leg in step.rest].count("wallet") for step in asked]

    assert wallets == [1, 0, 0]
    assert visits(steps_of(6, 2))[POSTGRES] == visits(steps_of(6))[POSTGRES] + 4


def _watched(share: float, cores: int) -> Predicted:
    """Simulate where the load reads metrics for such a share of each second."""
    points = tuple(
        Point(
            rounds_per_s=rate,
            closed_per_s=rate,
            action_p50_ms=10,
            action_p99_ms=20,
            share=1,
            cores={PLAYERS: share},
            batches_per_s={},
        )
        for rate in (1.0, 2.0)
    )
    costs = costs_made(processes=dict.fromkeys(PROCESSES, _COST), points=points)
    return predicted(costs, _RATE, Machine(cores=cores), 0.004)


def test_what_the_load_reads_each_second_takes_a_core_and_no_player() -> None:
    """Where cores are left nobody waits for it; with one core everybody does."""
    free, beside, behind = _watched(0.0, 9), _watched(0.2, 9), _watched(0.2, 1)

    assert free.cores[PLAYERS] == 0
    assert beside.cores[PLAYERS] == pytest.approx(0.2, abs=0.01)
    assert beside.action_p99_ms == pytest.approx(free.action_p99_ms, abs=5)
    assert behind.action_p99_ms > beside.action_p99_ms + 100


def test_what_is_charged_is_what_was_counted() -> None:
    """Cores are a millisecond of each round and half of one for each batch."""
    costs = costs_made(processes=dict.fromkeys(PROCESSES, _COST))
    found = predicted(costs, _RATE, Machine(cores=2), 0.004)

    assert found.share == 1.0
    readers = sum(
        found.batches_per_s[name] - _COST.idle_batches_per_s
        for name in PROCESSES
        if name not in (KAFKA, POSTGRES)
    )
    taken = found.batches_per_s[KAFKA] - _COST.idle_batches_per_s
    assert taken == pytest.approx(readers, abs=0.2)
    for name in (*LOGGED, KAFKA, POSTGRES):
        batches = found.batches_per_s[name] - _COST.idle_batches_per_s
        rounds = found.cores[name] - 0.0005 * batches
        assert rounds == pytest.approx(0.001 * _RATE, rel=0.5)


def test_hops_that_vary_make_a_longer_tail() -> None:
    """About the same median, where one in twenty takes ten times as long."""
    steady = costs_made(processes=dict.fromkeys(PROCESSES, _COST))
    hops = (Hop(8, 0.1), Hop(12, 0.95), Hop(100, 1.0))
    varied = replace(steady, hops=hops)
    one, other = (
        predicted(costs, _RATE, Machine(cores=2), 0.01) for costs in (steady, varied)
    )

    assert other.action_p50_ms == pytest.approx(one.action_p50_ms, rel=0.25)
    assert other.action_p99_ms > 1.5 * one.action_p99_ms
