"""Amounts are printed in one way by all commands, whichever casino they play at."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from push22 import door_play
from push22.inspect.money import balance_line, money, parse_money

ROOT = Path(__file__).parents[2]
_OWN_WAY = re.compile(r":[+,]*,?\.2f\}.*(EUR|currency|CURRENCY)|balance\w* / 100\b")


@pytest.mark.parametrize(
    ("minor", "text"), [(0, "0.00"), (5, "0.05"), (1000100, "10001.00"), (-50, "-0.50")]
)
def test_an_amount_is_printed_so_that_an_option_takes_it(minor: int, text: str) -> None:
    """What `rounds` or `replay` print can be given to `--net` as it is."""
    assert money(minor) == text
    assert parse_money(money(minor)) == minor


def test_a_round_at_a_door_ends_with_the_balance_as_replay_prints_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Ten thousand and one is 10001.00 there as well."""
    live = SimpleNamespace(you=SimpleNamespace(balance_minor=1000100, currency="EUR"))
    door_play._say("round-t1-7", live)

    assert capsys.readouterr().out == "round-t1-7 balance 10001.00 EUR\n"
    assert balance_line("round-t1-7", 1000100, "EUR").endswith(" 10001.00 EUR")


def test_no_command_writes_amounts_its_own_way() -> None:
    """A float of minor units, or a format of its own, is how two ways began."""
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sorted((ROOT / "push22").rglob("*.py"))
        for line in path.read_text().splitlines()
        if _OWN_WAY.search(line)
    ]

    assert found == []
