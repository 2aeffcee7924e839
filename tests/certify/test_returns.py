"""The figures that a table's page tells: there, above the least, and right (G13)."""

import json
from fractions import Fraction
from importlib import resources
from math import hypot
from pathlib import Path

import msgspec
import pytest

from blackjack.house_rules import digest
from blackjack.returns import Returns, file_name, returns_of
from blackjack.rule_sets import RULE_SETS, rule_set
from blackjack.strategy_table import strategy_for
from contracts import ENGINE_VERSION
from push22.__main__ import run
from push22.certify.by_kernel import sample_by_kernel
from push22.certify.by_values import edge_by_values
from push22.certify.estimate import estimate
from push22.certify.side_wagers import side_worth
from services.gateway.told_rules import told_rules
from services.gateway.views import LimitsView

LEAST_PERCENT = 75
FOLDER = resources.files("blackjack") / "returns_data"
FILES = sorted(file.name for file in FOLDER.iterdir() if file.name.endswith(".json"))
SWITCH = "lv-switch"
BY_CHANCE = ("ny-switch-6d", "ny-multiple-action", "online-switch", SWITCH)
"""One of each kind of game whose strategy's values do not add up to its edge."""
BY_VALUES = [name for name in RULE_SETS if name.startswith("lv-") and name != SWITCH]
FEW = 200_000
LIMITS = LimitsView(1000, 500_000, 100)


def known(name: str) -> Returns:
    found = returns_of(rule_set(name))
    assert found is not None, f"no figure of {name}: push22 certify {name} --figure"
    return found


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_rule_set_has_its_figures(name: str) -> None:
    """Made for these very rules, strategy and engine, of ten million rounds or more."""
    found, rules = known(name), rule_set(name)

    assert (found.rules, found.options) == (name, {})
    assert found.strategy_sha256 == strategy_for(rules).digest
    assert found.engine == ENGINE_VERSION
    assert found.rounds >= 10_000_000
    assert (found.side is None) == (rules.side is None)


@pytest.mark.parametrize("file", FILES)
def test_no_game_returns_less_than_the_least(file: str) -> None:
    """G13: at least 75 % in every configuration that has a figure."""
    text = (FOLDER / file).read_bytes()
    found = msgspec.json.decode(text, type=Returns)

    assert found.main_percent - found.margin_percent >= LEAST_PERCENT
    assert found.side is None or found.side.percent >= LEAST_PERCENT


@pytest.mark.parametrize("file", FILES)
def test_no_figure_lies_about_that_nobody_finds(file: str) -> None:
    """Each is of a game that the rule book has now, under the name of its digest."""
    text = (FOLDER / file).read_bytes()
    found = msgspec.json.decode(text, type=Returns)
    rules = rule_set(found.rules, found.options)

    assert file == file_name(found.rules, digest(rules))
    assert returns_of(rules) == found


@pytest.mark.parametrize("name", [x for x in RULE_SETS if rule_set(x).side])
def test_side_wagers_are_counted_again(name: str) -> None:
    """To the last digit: one plus the value of all combinations."""
    worth, found = side_worth(rule_set(name)), known(name).side

    assert worth is not None
    assert found is not None
    assert (found.name, Fraction(found.fraction)) == (worth.name, 1 + worth.value)
    assert found.percent == round(100 * float(1 + worth.value), 4)


@pytest.mark.parametrize("name", BY_VALUES)
def test_samples_lie_about_the_strategys_values(name: str) -> None:
    """Without chance, where the values tell: within four errors."""
    rules, found = rule_set(name), known(name)
    edge = edge_by_values(rules, strategy_for(rules))
    assert edge is not None
    off = found.main_percent - 100 * (1 - edge)

    assert abs(off) < 4 / 1.96 * found.margin_percent


@pytest.mark.parametrize("name", BY_CHANCE)
def test_another_sample_agrees(name: str) -> None:
    """A small one from another seed: within four errors of both."""
    found = known(name)
    again = estimate(sample_by_kernel(rule_set(name), FEW, 22).sample)
    error = hypot(found.margin_percent, 100 * again.margin) / 1.96

    assert abs(found.main_percent - 100 * (1 - again.edge)) < 4 * error


def test_the_command_writes_the_figure_of_its_certificate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With options too; rounds and seed as they were asked for."""
    few = ["--rounds", "2000", "--seed", "5", "--json", "--figure", str(tmp_path)]

    assert run(["certify", "ny-switch-8d", *few, "--option", "soft17=stand"]) == 0

    certificate = json.loads(capsys.readouterr().out)
    (file,) = tmp_path.iterdir()
    found = msgspec.json.decode(file.read_bytes(), type=Returns)
    rules = rule_set("ny-switch-8d", {"soft17": "stand"})
    main = certificate["main_game"]
    assert file.name == file_name("ny-switch-8d", digest(rules))
    assert (found.rounds, found.seed) == (2000, 5)
    assert found.main_percent == round(100 - main["edge_percent"], 4)
    assert found.options == {"soft17": "stand"}


def test_the_page_is_told_method_and_strategy() -> None:
    """Both figures in words, as the file has them."""
    found = known("ny-switch-6d")
    main, side = told_rules("ny-switch-6d", {}, LIMITS).returns

    assert f"{found.main_percent:.2f} % of the first bets" in main
    assert "basic strategy (sampled, 20 million rounds" in main
    assert f"±{found.margin_percent:.2f}" in main
    assert side.startswith("Theoretical return of Super Match: 97.45 %")


def test_the_page_is_told_where_nothing_is_known() -> None:
    """Other options are another game: the figure of the first is not shown."""
    told = told_rules("ny-switch-6d", {"soft17": "stand"}, LIMITS)

    assert told.returns == (
        "No theoretical return has been worked out for these house options.",
    )
