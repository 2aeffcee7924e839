"""`push22 mock-operator`: an operator's wallet, with faults on demand."""

import shlex
import sys
from pathlib import Path

from push22.errors import Failure
from push22.operator.mock_books import Books, token_of
from push22.operator.mock_faults import Faults, Rates
from push22.operator.mock_running import listening, server_of, url_of
from push22.operator.mock_schema import BROKEN
from push22.operator.mock_server import MockOperator
from push22.operator.secret import operator_secret

_PLAYER = "acme.test"
_CURRENCY = "EUR"


def mock_operator(  # noqa: PLR0913 - these are the command's options
    *,
    books: Path = Path("push22-operator.sqlite3"),
    host: str = "127.0.0.1",
    port: int = 0,
    key: str = "k1",
    opening: int = 1_000_000,
    seed: int = 1,
    faults: int = 0,
    hang: int = 3000,
    skew: int = 0,
    broken: str = "",
) -> int:
    """Run an operator's wallet with books of its own, until it is stopped.

    It takes any player of the token `token:<player>`, and has one with money from the
    start: a line to try him with `push22 conformance` is printed. The key's secret is
    read from $PUSH22_OPERATOR_SECRET, in base64, 32 bytes or more; make one with
    `export PUSH22_OPERATOR_SECRET=$(openssl rand -base64 32)`. Orders are taken under
    /admin/ without any signature: never let others reach it.

    Parameters
    ----------
    books
        The SQLite file of its books.
    host
        The address to listen at.
    port
        The port to listen at; 0 takes a free one and prints it.
    key
        The id of the key.
    opening
        What a new player has, in minor units.
    seed
        Of the faults.
    faults
        How often each kind of fault comes, in a thousand requests.
    hang
        How long it keeps silent where a fault says so, in milliseconds.
    skew
        How far its clock is off, in milliseconds.
    broken
        A rule to leave out, to see the conformance kit find it.

    """
    secret = operator_secret()
    if broken and broken not in BROKEN:
        raise Failure("--broken", f"one of {', '.join(sorted(BROKEN))}", exit_code=2)
    kinds = len(Rates.__struct_fields__)
    if not 0 <= faults * kinds <= 1000:
        raise Failure("--faults", f"0 to {1000 // kinds}", exit_code=2)
    kept = Books(str(books), opening_minor=opening, broken=broken)
    spoiling = Faults(seed, Rates.all(faults))
    spoiling.hang_ms, spoiling.skew_ms = hang, skew
    place = listening(host, port)
    _tell(kept, url_of(place), key)
    try:
        server_of(MockOperator(kept, spoiling, {key: secret})).run(sockets=[place])
    finally:
        kept.close()
        place.close()
    return 0


def _tell(books: Books, url: str, key: str) -> None:
    """Print where it is, and a line to paste, with a player who has money."""
    books.open_account(_PLAYER, _CURRENCY)
    who = f"--player {_PLAYER} --token {token_of(_PLAYER)} --key {shlex.quote(key)}"
    sys.stdout.write(
        f"mock operator at {url}\n"
        "try it, with the same $PUSH22_OPERATOR_SECRET:\n"
        f"  push22 conformance {url} {who}\n"
    )
    sys.stdout.flush()
