"""The command line's frame: its menu, its exit codes, and one line per failure."""

import importlib.metadata
import subprocess
import sys
from types import ModuleType

import pytest

from push22 import __main__ as command_line
from push22.errors import Failure


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A stand-in for the module of the `play` command; a test gives the function."""
    module = ModuleType("push22.commands.play")
    monkeypatch.setitem(sys.modules, "push22.commands.play", module)
    return module


def fails() -> None:
    raise Failure("round-t1-7", "no such\nround", exit_code=3)


def loses_a_file() -> None:
    raise FileNotFoundError(2, "No such file or directory", "logs")


def is_interrupted() -> None:
    raise KeyboardInterrupt


async def answers_later() -> int:
    return 4


def test_the_menu_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """`push22 --help` shows all commands, whether or not they can be imported."""
    assert command_line.run(["--help"]) == 0

    menu = capsys.readouterr().out
    assert [name for name in command_line.COMMANDS if name not in menu] == []


def test_the_menu_imports_no_command() -> None:
    """The menu appears at once because nothing behind it is loaded."""
    program = (
        "import sys; from push22.__main__ import run; run(['--help']);"
        "sys.exit(any(name.startswith(('push22.commands.', 'blackjack', 'runtime'))"
        " for name in sys.modules))"
    )

    done = subprocess.run([sys.executable, "-c", program], check=False)

    assert done.returncode == 0


def test_a_failure_is_one_line_and_its_exit_code(
    play: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    """A failure tells place and reason on stderr, without a traceback."""
    play.play = fails

    assert command_line.run(["play"]) == 3
    assert capsys.readouterr().err == "push22: round-t1-7: no such round\n"


def test_a_file_that_cannot_be_read_is_one_line(
    play: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    """The system's refusals are told like all others."""
    play.play = loses_a_file

    assert command_line.run(["play"]) == 1
    assert capsys.readouterr().err == "push22: logs: No such file or directory\n"


def test_ctrl_c_ends_quietly(
    play: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who interrupts a command sees no traceback."""
    play.play = is_interrupted

    with pytest.raises(SystemExit) as ended:
        command_line.run(["play"])

    assert ended.value.code == 130
    assert capsys.readouterr().err == ""


def test_the_version_is_that_of_the_package(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`push22 --version` tells which build answers."""
    assert command_line.run(["--version"]) == 0
    assert capsys.readouterr().out == f"{importlib.metadata.version('push22')}\n"


def test_an_asynchronous_command_is_run_to_its_end(play: ModuleType) -> None:
    """What an asynchronous command returns is the exit code."""
    play.play = answers_later

    assert command_line.run(["play"]) == 4


@pytest.mark.parametrize("words", [["nope"], ["--nope"], ["contracts", "--nope"]])
def test_a_usage_error_exits_with_two(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Unknown commands and options are one line and exit code 2."""
    assert command_line.run(words) == 2

    told = capsys.readouterr().err
    assert told.startswith("push22: usage: ")
    assert told.count("\n") == 1


def test_a_command_without_its_module_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A build that lacks a command says so and does not crash."""
    monkeypatch.setitem(sys.modules, "push22.commands.play", None)

    assert command_line.run(["play"]) == 1
    assert "push22.commands.play" in capsys.readouterr().err
