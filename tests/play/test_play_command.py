"""`push22 play`: what it refuses at once, and that it never plays on for ever."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from blackjack.rule_sets import RULE_SETS, rule_set
from push22.__main__ import run
from push22.bot import Wagers
from push22.casino import Casino
from push22.errors import Failure
from push22.session import Session, Table, table_id
from push22.wagering import wagers_for
from runtime.ambient import Ambient, KeyRing, ManualClock, SeededEntropy

Told = pytest.CaptureFixture[str]
DEFAULTS = (1, 1000, 100)
TIMEOUT_S = 60


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--wager 0", "--wager: invalid amount: ny-switch-6d takes 1000 to 500000"),
        ("--wager -5", "--wager: invalid amount: ny-switch-6d takes 1000 to 500000"),
        ("--wager 1", "--wager: below minimum: ny-switch-6d takes 1000 to 500000"),
        ("--wager 500001", "--wager: above maximum"),
        ("--rules online-switch --wager 20001", "online-switch takes 100 to 20000"),
        ("--super-match -1", "--super-match: must be 0 or more"),
        ("--super-match 1", "--super-match: side below minimum"),
        ("--super-match 500001", "--super-match: side above maximum"),
        ("--rules lv-6d --super-match 10001", "lv-6d takes 100 to 10000"),
        ("--rules pr-switch-6d --super-match 1001", "takes 100 to 1000"),
        ("--boxes 0", "--boxes: ny-switch-6d takes 1 to 5"),
        ("--boxes 6", "--boxes: ny-switch-6d takes 1 to 5"),
        ("--rounds 0", "--rounds: must be at least 1"),
        ("--seed -1", "--seed: must be 0 to"),
        ("--seed 18446744073709551616", "--seed: must be 0 to"),
        ("--rules poker", "--rules: unknown rule set 'poker'"),
    ],
)
def test_what_no_table_takes_is_a_usage_error(
    words: str, said: str, tmp_path: Path, capsys: Told
) -> None:
    """Law 8: a bet that would be refused is refused at once, with option and limits."""
    data = tmp_path / "data"

    assert run(["play", "--auto", *words.split(), "--data", str(data)]) == 2

    assert said in capsys.readouterr().err
    assert not data.exists()


def test_the_environment_names_another_casino_unless_a_directory_is_given(
    tmp_path: Path, capsys: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PUSH22_KAFKA is where to play; --data is here, whatever the environment says."""
    monkeypatch.setenv("PUSH22_KAFKA", "127.0.0.1:1")
    words = ["play", "--auto", "--rounds", "1"]

    assert run(words) == 1
    assert "push22: 127.0.0.1:1: " in capsys.readouterr().err
    assert run([*words, "--seed", "7"]) == 2
    assert "at 127.0.0.1:1 only --auto plays, without --seed" in capsys.readouterr().err
    assert run([*words, "--data", str(tmp_path)]) == 0


def test_a_seed_that_comes_late_is_warned_of(tmp_path: Path, capsys: Told) -> None:
    """A shoe that is in use stays in use; only a new table takes a seed at once."""
    words = ["play", "--auto", "--rounds", "1", "--seed", "7", "--data", str(tmp_path)]

    assert run(words) == 0
    assert "--seed" not in capsys.readouterr().err
    assert run(words) == 0
    assert "the table's shoe is in use: no effect until" in capsys.readouterr().err
    assert run([*words, "--rules", "lv-6d"]) == 0
    assert "--seed" not in capsys.readouterr().err


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_rule_set_takes_the_defaults(rules: str) -> None:
    """What is played without options is a bet that the rule set takes."""
    wagers = wagers_for(rule_set(rules), *DEFAULTS)

    assert len(wagers.main_minor) == rule_set(rules).wagers_max


async def _session(wagers: Wagers) -> Session:
    ambient = Ambient(ManualClock(), SeededEntropy(5), KeyRing.in_memory())
    casino = await Casino.in_memory(ambient)
    rules = "ny-switch-6d"
    return Session(casino, Table(table_id(rules), rules, "local.you", wagers))


async def _played(wagers: Wagers) -> None:
    session = await _session(wagers)
    await session.open()
    async with asyncio.timeout(TIMEOUT_S):
        await session.play(session.bot)


def test_a_refused_bot_ends_with_the_reason() -> None:
    """Law 8: a table with other limits refuses, and the bot does not ask for ever."""
    with pytest.raises(Failure, match=r"place_bet.* is refused: below_minimum"):
        asyncio.run(_played(Wagers((1,), (1, 1))))


def test_a_bot_without_funds_ends_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Law 8: a bet that the wallet refuses is not placed again and again."""
    monkeypatch.setattr("push22.session._STAKES_A_ROUND", 0)

    with pytest.raises(Failure, match="insufficient_funds"):
        asyncio.run(_played(Wagers((1,), (1000, 1000))))


def test_a_purse_bears_the_largest_bets() -> None:
    """The bot can pay for its splits and doubles on every box at the maximum."""
    asyncio.run(_played(Wagers((1, 2, 3, 4, 5), (500_000, 500_000))))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_ends_the_bot_and_the_data_are_sound(
    number: signal.Signals, tmp_path: Path, capsys: Told
) -> None:
    """Law 3: Ctrl-C ends a session between two commits; the code says which signal."""
    words = ["play", "--auto", "--rounds", "1000000", "--data"]
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "push22", *words, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    log = tmp_path / "push22.sqlite3-wal"
    until = time.monotonic() + TIMEOUT_S
    while not (log.exists() and log.stat().st_size > 1_000_000):
        assert time.monotonic() < until, "nothing was played"
        time.sleep(0.1)

    process.send_signal(number)
    out, _ = process.communicate(timeout=15)

    assert process.returncode == 128 + number
    assert "stopped  after" in out
    assert run(["verify", "--all", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out.endswith("MATCH: all\n")
