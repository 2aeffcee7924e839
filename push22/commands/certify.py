"""`push22 certify`: count and sample what a rule set is worth, and write it down."""

import sys
from pathlib import Path

from blackjack.rule_sets import RULE_SETS, RuleSet, RuleSetError, rule_set
from push22.certify import terminal
from push22.certify.assemble import Played, assemble, identity
from push22.certify.by_kernel import KernelMissing, sample_by_kernel
from push22.certify.by_values import edge_by_values
from push22.certify.certificate import to_json
from push22.certify.estimate import estimate
from push22.certify.figure import as_file, returns_from
from push22.certify.reference_games import REFERENCE_GAMES
from push22.certify.report import page
from push22.certify.writing import check_writable, write_whole
from push22.errors import Failure
from push22.house_option import options_of
from push22.inspect.opening import console

ROUNDS = 40_000_000
_ROUNDS_MIN = 2
_ROUNDS_MAX = 10**11
"""Sums of squares stay within 64 bits up to here."""
_SEED_MAX = 2**64 - 1


def certify(  # noqa: PLR0913 - these are the command's options
    rules: str,
    *,
    rounds: int = ROUNDS,
    seed: int = 1,
    option: list[str] | None = None,
    json: bool = False,
    report: Path | None = None,
    figure: Path | None = None,
) -> int:
    """Count a rule set's exact figures and sample its main game's edge.

    Exit 1 if the edge lies outside of what is accepted of a figure that others have
    published of this very game.

    Parameters
    ----------
    rules
        A rule set, for example ny-switch-6d, or a reference game of which others have
        published an edge: reference-6d.
    rounds
        How many rounds to sample, each from a full shoe.
    seed
        What the rounds' cards follow from: equal seeds, equal certificates.
    option
        A house option, `name=value`; may be given several times.
    json
        Print the certificate as one JSON document.
    report
        Write the certificate as one HTML page here.
    figure
        Write what the table's page tells of it, as data, into this folder.

    """
    _check_numbers(rounds, seed)
    options = options_of(option)
    game = _game(rules, options)
    if report is not None:
        check_writable(report)
    if figure is not None:
        check_writable(figure / rules)
    try:
        sample, strategy = sample_by_kernel(game, rounds, seed)
    except KernelMissing as error:
        raise Failure("certify", str(error)) from error
    certified = identity(game, options, strategy.digest)
    played = Played(estimate(sample), seed, edge_by_values(game, strategy))
    certificate = assemble(game, certified, played)
    if report is not None:
        write_whole(report, page(certificate).encode())
    if figure is not None:
        name, content = as_file(returns_from(certificate))
        write_whole(figure / name, content)
    if json:
        sys.stdout.write(to_json(certificate).decode() + "\n")
    else:
        terminal.show(certificate, console())
    published = certificate.main_game.published
    return 1 if published is not None and published.verdict == "outside" else 0


def _check_numbers(rounds: int, seed: int) -> None:
    if not _ROUNDS_MIN <= rounds <= _ROUNDS_MAX:
        reason = f"must be {_ROUNDS_MIN} to {_ROUNDS_MAX:,}"
        raise Failure("--rounds", reason, exit_code=2)
    if not 0 <= seed <= _SEED_MAX:
        raise Failure("--seed", f"must be 0 to {_SEED_MAX}", exit_code=2)


def _game(name: str, options: dict[str, object]) -> RuleSet:
    if name in REFERENCE_GAMES and not options:
        return REFERENCE_GAMES[name]
    if name in REFERENCE_GAMES:
        raise Failure("--option", f"{name} has no house options", exit_code=2)
    if name not in RULE_SETS:
        known = ", ".join((*RULE_SETS, *REFERENCE_GAMES))
        reason = f"unknown rule set {name!r}; there are {known}"
        raise Failure("certify", reason, exit_code=2)
    try:
        return rule_set(name, options)
    except RuleSetError as error:
        raise Failure("--option", str(error), exit_code=2) from error
