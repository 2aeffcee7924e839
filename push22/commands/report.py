"""`push22 report`: what rule sets took and gave back, beside what they should."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from cyclopts import Parameter

from contracts.reports import to_csv
from push22.certify.theory import NoCertificate, theories_in
from push22.errors import Failure
from push22.inspect.elsewhere import readable
from push22.inspect.interval import Asked, span_of
from push22.inspect.opening import opened
from push22.performance import performance
from push22.round_index import OutOfDate, behind
from runtime.ambient import SystemClock


def report(  # noqa: PLR0913 - these are the command's options
    *,
    asked: Annotated[Asked | None, Parameter(name="*")] = None,
    operator: str = "",
    certificates: Path | None = None,
    form: Annotated[Literal["csv", "json"], Parameter(name="--format")] = "csv",
    data: Path | None = None,
    dsn: str = "",
) -> int:
    """Report rounds, stakes, payouts and returns by rule set.

    Parameters
    ----------
    asked
        Which interval; rounds count by the time they were closed.
    operator
        Only seats of this operator's players.
    certificates
        A directory of certificates, `push22 certify RULES --json > RULES.json`: what
        the rule sets should return, by the digest of their rules.
    form
        As a table for spreadsheets, or as one JSON document.
    data
        The casino's data directory; else $PUSH22_DATA, else ./push22-data.
    dsn
        Instead: the logs of a distributed casino, as a role that may read them all,
        postgresql://...; without `--data` else $PUSH22_DSN. What is new in them is
        copied first.

    """
    now = SystemClock().now()
    span = span_of(asked or Asked(), now)
    try:
        theories = theories_in(certificates)
    except NoCertificate as error:
        raise Failure("--certificates", str(error), exit_code=2) from error
    with opened(readable(data, dsn)) as reader:
        try:
            found = performance(
                reader.file, span, now, operator=operator, theories=theories
            )
        except OutOfDate as error:
            raise Failure("report", str(error), exit_code=2) from error
        missing = behind(reader.file)
    if form == "json":
        sys.stdout.write(msgspec.json.encode(found).decode() + "\n")
    else:
        sys.stdout.write(to_csv(found))
    if missing:
        sys.stderr.write(f"push22: the index is {missing} records behind the logs\n")
    return 0
