"""The command line: `push22 COMMAND`.

Commands are imported only when they run, so that the menu appears at once.
A failure is one line on stderr and an exit code; a usage error exits with 2.
"""

import importlib
import importlib.metadata
import keyword
import os
import signal
import sys
from typing import Any

from cyclopts import App, CycloptsError

from contracts.undecodable import Undecodable
from push22.errors import Failure

COMMANDS = {
    "play": "Play rounds at a table in this terminal.",
    "script": "Play round scripts through the real casino and compare.",
    "rounds": "List the rounds of a casino's logs.",
    "statement": "Write a player's statement: from opening to closing balance.",
    "report": "Report stakes, payouts and returns by rule set.",
    "replay": "Rebuild a round from the logs alone and execute it again.",
    "verify": "Check hash chains, card proofs and commitments.",
    "checkpoints": "Show what was signed about the logs; show or rotate the keys.",
    "evidence": "Write a round's signed evidence pack.",
    "audit": "Check that every cent is accounted for.",
    "certify": "Count and sample what a rule set is worth.",
    "parked": "List, show, retry or discard records that were set aside.",
    "calls": "List what is owed to operators, or have a call made again now.",
    "strategy": "Print the best play of a rule set, or solve it again.",
    "serve": "Run a casino with its gateway, or one service of the distributed one.",
    "load": "Load a casino with players by schedule, audit it, and report.",
    "capacity": "Tell what a number of players needs, from what a round costs.",
    "dev-token": "Print a support token for a gateway that was started with --dev.",
    "migrate": "Make or update the logs of the services in PostgreSQL.",
    "topics": "Make or check the topics in Kafka.",
    "export": "Write all logs into one compressed file, with its digest.",
    "import": "Take an export in, where nothing is yet.",
    "digest": "Print digests of the logs and of every index, to be compared.",
    "log": "Take lost records of a log back, or go on without them.",
    "mirror": "Copy the logs from PostgreSQL into a file that all commands read.",
    "reconcile": "Compare our books of an operator with his, entry by entry.",
    "conformance": "Try an operator's own wallet, case by case.",
    "mock-operator": "Run an operator's wallet with faults on demand, to try against.",
    "components": "Verify the files that this software is.",
    "contracts": "Write the schemas of all messages, or check them.",
}

_HELP = frozenset(("--help", "-h"))


def build_app(asked: str = "", *, is_help: bool = True) -> App:
    """Return the menu; of the command that is asked for, its own words are the help."""
    app = App(
        name="push22",
        help="Blackjack Switch tables: play, replay, verify.",
        version=lambda: importlib.metadata.version("push22"),
        help_format="plaintext",
        help_formatter=_help_formatter() if is_help else None,
        result_action="return_value",
    )
    for name, summary in COMMANDS.items():
        module = name.replace("-", "_")
        if keyword.iskeyword(module):
            module += "_"
        place = f"push22.commands.{module}:{module}"
        if name == asked:
            app.command(place, name=name)
        else:
            app.command(place, name=name, help=summary)
    return app


def _help_formatter() -> Any:
    """Load what formats help only where help is asked for."""
    return importlib.import_module("push22.help_text").JoinedLines()


def run(words: list[str]) -> int:
    """Run one command line and return its exit code."""
    if words and words[0] not in (*COMMANDS, *_HELP, "--version"):
        return _failed("usage", f"no command {words[0]!r}, try push22 --help", 2)
    try:
        is_help = not words or not _HELP.isdisjoint(words)
        result = build_app(words[0] if words else "", is_help=is_help)(
            words, exit_on_error=False, print_error=False
        )
        sys.stdout.flush()
    except Failure as failure:
        return _failed(failure.place, failure.reason, failure.exit_code)
    except CycloptsError as error:
        return _failed("usage", str(error), 2)
    except KeyboardInterrupt:
        return _failed("stopped", "by the terminal", 128 + signal.SIGINT)
    except BrokenPipeError:
        return _reader_left()
    except Undecodable as error:
        reason = f"a record can't be read: {error}; see push22 verify --all"
        return _failed(words[0], reason, 1)
    except OSError as error:
        return _failed(error.filename or "system", error.strerror or str(error), 1)
    except ImportError as error:
        return _not_there(error)
    return result if isinstance(result, int) else 0


def _failed(place: object, reason: str, exit_code: int) -> int:
    line = " ".join(reason.split())
    sys.stderr.write(f"push22: {place}: {line}\n")
    return exit_code


def _reader_left() -> int:
    """Silence Python's own complaint about a pipe that nobody reads any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _not_there(error: ImportError) -> int:
    """Name the module that is missing: cyclopts keeps it as the cause."""
    return _failed("build", str(error.__cause__ or error), 1)


def main() -> None:
    raise SystemExit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
