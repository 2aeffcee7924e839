"""docs/rules.md says what the rule book's data say."""

import re
from pathlib import Path

from blackjack.reasons import BetReason, StepReason
from blackjack.rule_sets import RULE_SETS
from blackjack.script import read_script
from tests.rules.pure_table import PureTable
from tests.rules.rules_page import RESULTS, clause_table, parameter_table

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text()


def test_the_parameter_table_is_generated_from_the_data() -> None:
    """The page holds exactly the table that the rule sets give."""
    found = PAGE.split("<!-- parameters -->")[1].strip()

    assert found == parameter_table()


def test_the_table_of_results_is_generated_from_the_data() -> None:
    """Every clause that a settlement may cite stands in it."""
    found = PAGE.split("<!-- results -->")[1].strip()
    words = {word for rules in RULE_SETS.values() for word in rules.clauses}

    assert found == clause_table()
    assert words == RESULTS.keys()


def test_the_page_lists_every_reason_in_order() -> None:
    """Reasons stand in the order in which the first that applies is given."""
    bets, steps = PAGE.split("### Bets")[1].split("### Steps")
    listed = re.findall(r"^\d+\. `(\w+)`", bets, re.MULTILINE)

    assert listed == [str(reason) for reason in BetReason]
    groups = [re.findall(r"`(\w+)`", part) for part in steps.split("\n- ")]
    order = [str(reason) for reason in StepReason]
    for group in groups:
        named = [name for name in group if name in order]
        assert named == sorted(named, key=order.index)
    assert set(order) <= {name for group in groups for name in group}


def test_the_example_script_comes_out_as_it_says() -> None:
    """The page's round script is played and holds."""
    text = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0]
    table = PureTable(read_script(text))

    table.play()

    assert table.differences() == []
