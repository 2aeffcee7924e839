"""The archive's index, as the gateway asks it: from a casino's file or a mirror."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from msgspec.structs import asdict

from contracts import catalog
from contracts.envelope import Micros
from contracts.reports import Performance, Statement
from contracts.round_search import Found, Query
from contracts.shoe import ShoeCommitted, ShoeCut
from push22.desk.viewer import FileViewer
from push22.door.case_index import FileCases
from push22.performance import Theory, performance
from push22.round_index import find_rounds
from push22.statements import Wallet, statement_of
from runtime.bus_memory import Delivery
from runtime.log import LogError
from runtime.sqlite_file import SqliteFile
from services.archive.owed_calls import HEEDS, OwedCalls
from services.gateway.ports import By, CallRow, NotAvailable, ReportRow

_FIXED = tuple(str(x.__struct_config__.tag) for x in (ShoeCommitted, ShoeCut))
_OF_OPERATOR = "p.player >= ? AND p.player < ?"
_SEAT_THERE = (
    "EXISTS (SELECT 1 FROM archive_players p WHERE p.round_id = r.round_id AND {})"
)
_GROUPS: dict[By, str] = {
    "day": "date(r.closed_at / 1000000, 'unixepoch')",
    "table": "r.table_id",
    "rule_set": "r.rule_set",
}
_REPORT = """
    SELECT {}, r.currency, count(DISTINCT r.round_id),
           count(DISTINCT CASE r.status WHEN 'void' THEN r.round_id END),
           sum(p.staked_minor), sum(p.paid_minor), sum(p.net_minor)
    FROM archive_rounds r JOIN archive_players p USING (round_id)
    WHERE r.status <> 'open' AND r.closed_at >= ? AND r.closed_at < ?
      AND p.player >= ? AND p.player < ?
    GROUP BY 1, 2 ORDER BY 1, 2
"""
_OPEN_ROUNDS = """
    SELECT count(*) FROM archive_rounds r
    WHERE r.status = 'open' AND r.opened_at < ? AND {}
"""


_CALLS = f"""
    SELECT body FROM records WHERE service = 'wallet'
    AND type IN ({",".join("?" * len(HEEDS))}) ORDER BY place
"""  # noqa: S608 - only question marks
_NONE: Mapping[str, Theory] = {}


class FileIndex:
    """Opens the file for each question: whoever writes it is not in the way."""

    def __init__(self, path: Path, theories: Mapping[str, Theory] = _NONE) -> None:
        self._path = path
        self._theories = theories
        self._viewer = FileViewer(path)
        self._cases = FileCases(path)

    @property
    def viewer(self) -> FileViewer:
        return self._viewer

    @property
    def cases(self) -> FileCases:
        return self._cases

    @contextmanager
    def _opened(self) -> Iterator[SqliteFile]:
        try:
            file = SqliteFile.open(self._path, read_only=True)
            with closing(file.connection):
                yield file
        except (LogError, sqlite3.Error) as error:
            raise NotAvailable(f"the index of rounds: {error}") from error

    def find(self, query: Query) -> Found:
        with self._opened() as file:
            return find_rounds(file, query)

    def records(self, round_id: str) -> list[Delivery]:
        with self._opened() as file:
            return [Delivery(record) for record in file.records_of_round(round_id)]

    def shoe(self, shoe: str) -> list[Delivery]:
        with self._opened() as file:
            records = file.records_of_stream("shoe", shoe, 0)
            return [Delivery(x) for x in records if x.type in _FIXED]

    def report(
        self, operator: str, since: Micros, until: Micros, by: By
    ) -> list[ReportRow]:
        text = _REPORT.format(_GROUPS[by])
        values = (since, until, *_range(operator))
        with self._opened() as file:
            return [ReportRow(*row) for row in file.query(text, values)]

    def owed_calls(self, operator: str) -> list[CallRow]:
        owed = OwedCalls()
        with self._opened() as file:
            for (body,) in file.query(_CALLS, tuple(sorted(HEEDS))):
                envelope = catalog.decode_envelope(body)
                owed.see(envelope, catalog.decode_event(envelope))
        return [CallRow(**asdict(call)) for call in owed.now(operator)]

    def statement(
        self, player: str, currency: str, span: tuple[Micros, Micros], made_at: Micros
    ) -> Statement | None:
        with self._opened() as file:
            wallet = Wallet(file, player, currency)
            return statement_of(wallet, span, made_at) if wallet.newest else None

    def performance(
        self, operator: str, span: tuple[Micros, Micros], made_at: Micros
    ) -> Performance:
        with self._opened() as file:
            return performance(
                file, span, made_at, operator=operator, theories=self._theories
            )

    def open_rounds(self, operator: str, until: Micros) -> int:
        text = _OPEN_ROUNDS.format(_SEAT_THERE.format(_OF_OPERATOR))
        with self._opened() as file:
            return int(file.query(text, (until, *_range(operator)))[0][0])


def _range(operator: str) -> tuple[str, str]:
    """All players of an operator lie between these: `/` comes after the dot."""
    return f"{operator}.", f"{operator}/"
