"""`push22 capacity` and its page: what is printed, refused, and written down."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from push22.__main__ import run
from push22.capacity.check import check
from push22.capacity.costs import PROCESSES, Costs, Point, read_costs, written
from push22.capacity.document import regenerated
from push22.load.settings import Slo
from tests.capacity.made import DEAR, costs_made
from tests.capacity.test_capacity_measure import report_at

PAGE = Path(__file__).parents[2] / "docs" / "capacity.md"
BLOCK = re.compile(r"```console\n\$ (push22 capacity[^\n]*)\n(.*?)```", re.DOTALL)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(["capacity", *words]) == 0
    return capsys.readouterr().out


def test_the_tables_of_the_page_are_what_the_command_prints(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """From the costs that come with this version: all three sizes, and each alone."""
    blocks = dict(BLOCK.findall(PAGE.read_text()))
    sizes = ("", " --players 1000", " --players 10000", " --players 100000")
    for command in (f"push22 capacity{size}" for size in sizes):
        assert blocks[command] == printed(capsys, *command.split()[2:])
    assert "push22 capacity --simulate" in blocks


def test_a_page_is_written_again_but_for_its_prose() -> None:
    """Only transcripts of this command change."""
    page = (
        "a\n```console\n$ push22 capacity --x\nold\n```\nb\n```console\n$ y\nz\n```\n"
    )
    told: list[str] = []

    def again(command: str) -> str:
        told.append(command)
        return "new\n\\1\n"

    assert regenerated(page, again) == page.replace("old", "new\n\\1")
    assert told == ["push22 capacity --x"]


def test_no_line_is_wider_than_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """80 columns, for the smallest and the largest casino."""
    for players in ("1", "100000000"):
        lines = printed(capsys, "--players", players).splitlines()
        assert max(map(len, lines)) <= 80
    assert max(map(len, printed(capsys).splitlines())) <= 80


def test_the_same_as_a_document(capsys: pytest.CaptureFixture[str]) -> None:
    """With the origin of the costs beside the plan."""
    found: dict[str, Any] = msgspec.json.decode(
        printed(capsys, "--json", "--players", "1000")
    )

    assert found["plans"][0]["demand"]["players"] == 1000
    assert found["measured"]["commit"]


def test_costs_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """At 270 rounds/s these costs fill an archive."""
    file = tmp_path / "costs.json"
    file.write_bytes(written(costs_made()))
    words = ("--costs", str(file), "--players", "15000", "--peak", "1")
    text = printed(capsys, *words, "--rounds-per-minute", "1.1")

    assert "archive: 270 rounds/s" in text
    assert "2026-01-02" in text


def test_wrong_costs_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By file and place, on one line."""
    file = tmp_path / "costs.json"
    file.write_bytes(
        written(costs_made()).replace(b'"idle_cores": 0.1', b'"idle": 1', 1)
    )

    assert run(["capacity", "--costs", str(file)]) == 2
    assert "costs.json: processes.shoe: " in capsys.readouterr().err


def test_costs_from_load_reports_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two reports, and what the door costs from the costs file."""
    words = ["--save", str(tmp_path / "costs.json")]
    for rate in (4, 10):
        path = tmp_path / f"{rate}.json"
        path.write_bytes(msgspec.json.encode(report_at(rate)))
        words += ["--from-load", str(path)]
    printed(capsys, *words)
    found = read_costs((tmp_path / "costs.json").read_bytes())

    assert isinstance(found, Costs)
    assert found.processes["wallet"].cpu_ms_per_round == pytest.approx(3.0, abs=0.01)
    assert run(["capacity", "--from-load", str(tmp_path / "4.json")]) == 2
    assert "two rates" in capsys.readouterr().err


def test_the_simulation_stands_beside_what_was_measured() -> None:
    """Cores of a process are its time of a round and what it idles; there is a knee."""
    points = tuple(
        Point(
            rounds_per_s=rate,
            closed_per_s=rate,
            action_p50_ms=20.0,
            action_p99_ms=40.0,
            share=1.0,
            cores={"wallet": 0.01 * rate},
            batches_per_s={"kafka": 30 * rate},
        )
        for rate in (1.0, 2.0)
    )
    processes = dict.fromkeys(PROCESSES, DEAR)
    lines = check(costs_made(points=points, processes=processes), Slo()).lines
    simulated = [line.split() for line in lines if "simulated " in line]

    assert [row[0] for row in simulated[:2]] == ["1", "2"]
    assert float(simulated[0][2]) == pytest.approx(20.0, abs=3.0)
    assert float(simulated[1][-2]) == pytest.approx(0.02, abs=0.01)
    [knee] = [line for line in lines if line.startswith("p99 ")]
    assert float(knee.split(" to ")[1].split()[0]) > 2
