"""`push22 conformance`: try an operator's wallet, case by case."""

import asyncio
import secrets
import sys
from pathlib import Path

import httpx

from push22.errors import Failure
from push22.operator import conformance_report as reporting
from push22.operator.cases import CASES
from push22.operator.conformance import Case, Verdict, Wallet, judged
from push22.operator.mock_books import Books
from push22.operator.mock_faults import Faults, Rates
from push22.operator.mock_server import MockOperator
from push22.operator.secret import operator_secret

_MOCK = "mock"
_REACHED_S = 10.0


def conformance(  # noqa: PLR0913 - these are the command's options
    url: str,
    /,
    *,
    player: str = "",
    token: str = "",
    key: str = "k1",
    currency: str = "EUR",
    json: bool = False,
    report: Path | None = None,
    only: str = "",
) -> int:
    """Try an operator's own wallet, case by case. Exit 1 if any fails.

    The key's secret is read from $PUSH22_OPERATOR_SECRET, in base64; make one with
    `export PUSH22_OPERATOR_SECRET=$(openssl rand -base64 32)`, the same on both sides.
    The player needs some money, and loses and gains a little. `push22 mock-operator`
    prints a line of this command to paste. Where nothing listens at the url it stops.

    Parameters
    ----------
    url
        Where the wallet is: what comes before /wallet/v1. Or `mock`: a mock of one,
        in this process, that needs no other option.
    player
        A player there, as <operator>.<player>.
    token
        What the wallet takes for a session of this player, as often as it is asked.
    key
        The id of the key.
    currency
        The player's currency.
    json
        Print one JSON document.
    report
        Write a report to this file, HTML that needs no other file.
    only
        Run one case by its name.

    """
    cases = tuple(case for case in CASES if only in ("", case.name))
    if not cases:
        raise Failure("--only", f"no case {only!r}", exit_code=2)
    if url == _MOCK:
        wallet, verdicts = _of_mock(cases)
    else:
        if not (player and token):
            raise Failure("conformance", "give --player and --token", exit_code=2)
        wallet = Wallet(url, key, operator_secret(), player, currency, token)
        asyncio.run(_reached(url))
        verdicts = asyncio.run(judged(cases, wallet))
    if json:
        sys.stdout.write(reporting.as_json(wallet, verdicts).decode() + "\n")
    else:
        sys.stdout.write(reporting.lines(verdicts))
    if report is not None:
        report.write_text(reporting.as_html(wallet, verdicts))
    return 0 if all(verdict.passed for verdict in verdicts) else 1


def _of_mock(cases: tuple[Case, ...]) -> tuple[Wallet, list[Verdict]]:
    """Try the mock; nothing leaves this process."""
    secret = secrets.token_bytes(32)
    player = "acme.alice"
    books = Books(":memory:", opening_minor=1_000_000)
    mock = MockOperator(books, Faults(0, Rates()), {"k1": secret})
    wallet = Wallet("http://mock", "k1", secret, player, "EUR", f"token:{player}")
    try:
        judging = judged(cases, wallet, httpx.ASGITransport(mock))
        return wallet, asyncio.run(judging)
    finally:
        books.close()


async def _reached(url: str) -> None:
    """See that anything listens there, whatever it answers: else no case can say."""
    try:
        async with httpx.AsyncClient(timeout=_REACHED_S, trust_env=False) as http:
            await http.get(url)
    except (httpx.ConnectError, httpx.ConnectTimeout) as error:
        raise Failure(url, f"no wallet can be reached there: {error}") from error
    except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
        raise Failure(url, f"no address of a wallet: {error}", exit_code=2) from error
    except httpx.HTTPError:
        return
