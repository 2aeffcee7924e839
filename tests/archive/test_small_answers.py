"""What commands say where they show less than all, or were asked the wrong way."""

import base64
import json
import shlex
from pathlib import Path

import pytest

from push22.__main__ import run
from push22.casino import KEYS_NAME
from push22.commands import parked
from push22.inspect.set_aside import SetAside

Told = pytest.CaptureFixture[str]


def test_rounds_that_are_cut_off_are_not_silent(played: Path, capsys: Told) -> None:
    """Said beside the list, and only where there is more."""
    words = ["rounds", "--json", "--data", str(played)]
    assert run([*words, "--limit", "999"]) == 0
    told = capsys.readouterr()
    count = len(told.out.splitlines())
    assert "shown" not in told.err
    assert run([*words, "--limit", str(count)]) == 0
    assert "shown" not in capsys.readouterr().err
    assert run([*words, "--limit", str(count - 1)]) == 0
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == count - 1
    assert f"{count - 1} shown; --limit for more" in told.err


@pytest.mark.parametrize("option", ["--since", "--until"])
def test_a_time_written_another_way_is_told_how(
    played: Path, capsys: Told, option: str
) -> None:
    """As the help writes it, without the words of a library."""
    assert run(["rounds", option, "31.10.2026", "--data", str(played)]) == 2
    told = capsys.readouterr().err
    assert f"{option}: '31.10.2026' is no time: write 2026-10-31 or" in told
    assert run(["rounds", option, "2026-10-31T18:30", "--data", str(played)]) == 0


def test_a_retry_of_nothing_is_told_that_nothing_waits(
    played: Path, capsys: Told
) -> None:
    """No guess is needed where there is nothing to guess."""
    assert run(["parked", "retry", "shoe", "--data", str(played)]) == 2
    assert "nothing is set aside" in capsys.readouterr().err


def test_parked_prints_the_command_that_retries(tmp_path: Path, capsys: Told) -> None:
    """From the message of play to the retry, each command names the next one."""
    data = ["--data", str(tmp_path)]
    play = ["play", "--auto", "--rounds", "1", *data]

    def push22(*words: str) -> int:
        return run(list(words))

    assert push22(*play) == 0
    path = tmp_path / KEYS_NAME
    whole = path.read_text()
    other = base64.b64encode(bytes(32)).decode()
    ring = {"active": "k2", "keys": {"k2": other}, "lost": ["k1"]}
    path.write_text(json.dumps(ring))
    capsys.readouterr()
    assert push22(*play) == 1
    told = capsys.readouterr().err
    see = told.partition("see push22 ")[2].strip()
    assert see == f"parked --data {tmp_path}"

    assert push22("parked", "retry", "shoe", *data) == 2
    told = capsys.readouterr().err
    assert "what waits is 1, shoe-" in told
    path.write_text(whole)
    assert push22(*shlex.split(see)) == 0
    retry = capsys.readouterr().out.partition("push22 parked retry ")[2]
    assert push22("parked", "retry", *shlex.split(retry)) == 0
    assert push22(*play) == 0


def set_aside(number: int, stream: str) -> SetAside:
    return SetAside(number, "wallet", stream, "command", "", "behind", 1, b"")


def test_a_command_that_is_copied_is_one_line(capsys: Told) -> None:
    """A stream too long for the screen is named by its first number instead."""
    short, long = "wallet-acme.bob.EUR", f"wallet-acme.{'x' * 80}.EUR"
    waiting = [set_aside(1, short), set_aside(2, long), set_aside(3, long)]
    parked._list(waiting, json=False, where="")

    commands = capsys.readouterr().out.partition("stop the casino, then:\n")[2]
    assert commands.splitlines() == [
        f"  push22 parked retry {short}",
        "  push22 parked retry 2",
    ]


def test_distributed_the_instances_are_stopped_and_no_password_is_printed(
    capsys: Told,
) -> None:
    """The options are those of this call, but for what is secret in them."""
    where = parked._where(None, "postgresql://wallet:hidden@db/logs")
    parked._list([set_aside(1, "wallet-acme.bob.EUR")], json=False, where=where)

    told = capsys.readouterr().out
    assert "stop all instances of that service, then:" in told
    assert "retry wallet-acme.bob.EUR --dsn …" in told
    assert "hidden" not in told


def test_of_much_that_waits_the_first_few_are_named() -> None:
    """An error is a line, not a list of a thousand streams."""
    told = parked._what_waits([set_aside(n, f"round-{n}") for n in range(1, 1000)])

    assert "what waits is 1, round-1, 2, round-2" in told
    assert told.endswith(", ...; push22 parked lists all")
    assert len(told) < 200


def test_a_replay_says_what_its_signs_mean(played: Path, capsys: Told) -> None:
    """At the end of the transcript, between its marks."""
    assert run(["rounds", "--json", "--limit", "1", "--data", str(played)]) == 0
    name = json.loads(capsys.readouterr().out)["round_id"]
    assert run(["replay", name, "--data", str(played)]) == 0
    told = capsys.readouterr().out.split("REPLAY, not live")
    words = " ".join(told[1].split())
    assert "indented: other services, by their own clocks" in words
    assert words.rstrip("─ ").endswith("clauses: docs/rules.md")
    assert told[2].strip("─ \n").endswith("executed again: MATCH")
