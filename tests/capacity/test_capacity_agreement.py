"""The model is held against measured points: agree, or disagree and in what."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from push22.__main__ import run
from push22.capacity.agreement import Judged, judged, verdict
from push22.capacity.check import check, machine_of
from push22.capacity.costs import PROCESSES, Costs, Point, written
from push22.capacity.options import COMMITTED, costs_in
from push22.capacity.prediction import Predicted, hop_of, predicted
from push22.load.settings import Slo
from tests.capacity.made import DEAR, costs_made
from tests.capacity.test_capacity_command import BLOCK, PAGE

FORETOLD = Predicted(
    rounds_per_s=5.0,
    action_p50_ms=20.0,
    action_p99_ms=40.0,
    share=1.0,
    cores={"wallet": 0.5, "shoe": 0.1, "players": 0.2},
    batches_per_s={"kafka": 100.0, "postgres": 50.0, "wallet": 10.0},
)
MEASURED = Point(
    rounds_per_s=5.0,
    closed_per_s=5.0,
    action_p50_ms=20.0,
    action_p99_ms=40.0,
    share=1.0,
    cores={"wallet": 0.5, "shoe": 0.1},
    batches_per_s={"kafka": 100.0, "postgres": 50.0, "wallet": 99.0},
)


def differences(*, is_fitted: bool = False, **changed: object) -> tuple[str, ...]:
    point = replace(MEASURED, **changed)
    return judged(point, FORETOLD, is_fitted=is_fitted).differences


def test_what_is_within_tolerance_agrees() -> None:
    """At its very ends: 20 %, a fiftieth of a core, twice and half of a latency."""
    assert differences() == ()
    assert differences(cores={"wallet": 0.42, "shoe": 0.1}) == ()
    assert differences(cores={"shoe": 0.081}) == ()
    assert differences(batches_per_s={"kafka": 77.0, "postgres": 71.0}) == ()
    assert differences(batches_per_s={}) == ()
    assert differences(action_p50_ms=39.0, action_p99_ms=21.0) == ()


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"cores": {"wallet": 0.4}}, "cores of wallet: measured 0.40, simulated 0.50"),
        ({"cores": {"wallet": 0.7}}, "cores of wallet: measured 0.70, simulated 0.50"),
        ({"action_p50_ms": 41.0}, "p50: measured 41.0 ms, simulated 20.0 ms"),
        ({"action_p50_ms": 9.0}, "p50: measured 9.0 ms, simulated 20.0 ms"),
        ({"action_p99_ms": 796.7}, "p99: measured 796.7 ms, simulated 40.0 ms"),
        (
            {"batches_per_s": {"kafka": 150.0}},
            "batches from Kafka: measured 150/s, simulated 100/s",
        ),
        (
            {"batches_per_s": {"postgres": 38.0}},
            "appends: measured 38/s, simulated 50/s",
        ),
        ({"share": 0.5}, "held: measured no, simulated yes"),
    ],
)
def test_what_is_not_is_named(changed: dict[str, object], words: str) -> None:
    """In both directions: a model that is too good is as wrong."""
    assert words in differences(**changed)


def test_many_small_differences_are_one_of_all_cores() -> None:
    """Each is a fiftieth of a core, and together they are a third of all of it."""
    names = "abcdefgh"
    point = replace(MEASURED, cores=dict.fromkeys(names, 0.04))
    foretold = replace(FORETOLD, cores=dict.fromkeys(names, 0.059))
    found = judged(point, foretold, is_fitted=False).differences

    assert found == ("cores of all: measured 0.32, simulated 0.47",)


def test_a_figure_that_was_fitted_is_no_evidence() -> None:
    """The median at the lowest rate made the model; the tail there did not."""
    assert differences(is_fitted=True, action_p50_ms=1000.0) == ()
    assert differences(is_fitted=True, action_p99_ms=1000.0) != ()


def test_latencies_beyond_the_knee_are_not_compared() -> None:
    """They say how long the test was, where neither held the rate."""
    point = replace(MEASURED, share=0.5, action_p99_ms=60_000.0)

    foretold = replace(FORETOLD, share=0.6)
    assert judged(point, foretold, is_fitted=False).agrees


def test_the_verdict_counts_the_points() -> None:
    """And says where it decides nothing."""
    good, bad = Judged(1.0, ()), Judged(4.0, ("p99",))

    assert verdict([good], is_preliminary=False).endswith(
        "agrees with all measured points"
    )
    text = verdict([good, bad], is_preliminary=True)
    assert text.startswith("verdict (PRELIMINARY): the model disagrees with 1 of 2")


def as_simulated(rates: tuple[float, ...]) -> Costs:
    """Return costs whose points are what the model foretells, as if it were true."""
    seeds = tuple(replace(MEASURED, rounds_per_s=r, closed_per_s=r) for r in rates)
    costs = costs_made(points=seeds, processes=dict.fromkeys(PROCESSES, DEAR))
    machine = machine_of(costs)
    hop_s = hop_of(costs, machine)
    points = []
    for seed in seeds:
        found = predicted(costs, seed.rounds_per_s, machine, hop_s)
        cores = {name: used for name, used in found.cores.items() if name != "players"}
        point = replace(
            seed,
            action_p50_ms=found.action_p50_ms,
            action_p99_ms=found.action_p99_ms,
            cores=cores,
            batches_per_s=found.batches_per_s,
        )
        points.append(point)
    return replace(costs, points=tuple(points))


def test_the_command_ends_by_what_it_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """0 where the points are the model's own, 1 where one of them has another tail."""
    costs, file = as_simulated((1.0, 2.0)), tmp_path / "costs.json"
    file.write_bytes(written(costs))
    assert run(["capacity", "--simulate", "--costs", str(file)]) == 0
    assert "verdict: the model agrees with all" in capsys.readouterr().out

    slow = replace(costs.points[1], action_p99_ms=9000.0)
    file.write_bytes(written(replace(costs, points=(costs.points[0], slow))))
    assert run(["capacity", "--simulate", "--costs", str(file)]) == 1
    text = capsys.readouterr().out
    assert "1 rounds/s: agree\n2 rounds/s: disagree\n  p99: measured 9,000.0" in text
    assert "verdict: the model disagrees with 1 of 2 measured points" in text


def test_nothing_measured_is_no_agreement() -> None:
    """Without points nothing is known of the model."""
    checked = check(costs_made(), Slo())

    assert not checked.agrees
    assert "no measured points" in checked.lines[0]


@pytest.mark.parametrize("is_preliminary", [True, False])
def test_costs_that_other_work_has_spoilt_say_so_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, is_preliminary: bool
) -> None:
    """In every form, whatever is asked; and none says it of others."""
    costs = as_simulated((1.0, 2.0))
    measured = replace(costs.measured, is_preliminary=is_preliminary)
    file = tmp_path / "costs.json"
    file.write_bytes(written(replace(costs, measured=measured)))
    for words in ((), ("--players", "9"), ("--simulate",)):
        assert run(["capacity", *words, "--costs", str(file)]) == 0
        assert capsys.readouterr().out.startswith("PRELIMINARY: ") == is_preliminary
    assert run(["capacity", "--json", "--costs", str(file)]) == 0
    assert ('"is_preliminary":true' in capsys.readouterr().out) == is_preliminary


def test_the_page_says_so_whenever_its_costs_are() -> None:
    """Each transcript, by the costs that are committed; and the last has a verdict."""
    is_preliminary = costs_in(COMMITTED).measured.is_preliminary
    blocks = dict(BLOCK.findall(PAGE.read_text()))

    assert len(blocks) == 5
    for text in blocks.values():
        assert text.startswith("PRELIMINARY: ") == is_preliminary
    last = blocks["push22 capacity --simulate"].splitlines()[-1]
    assert last.startswith("verdict (PRELIMINARY): " if is_preliminary else "verdict: ")
