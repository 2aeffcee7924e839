"""Statements of players, read from the wallet's log in a casino's file or a mirror."""

from collections.abc import Iterator
from typing import Any

import msgspec

from contracts import catalog
from contracts.envelope import Envelope, Micros
from contracts.identities import wallet_stream
from contracts.reports import Statement
from push22.round_index import check_current
from runtime.sqlite_file import OF_STREAM, SqliteFile
from services.archive.statement import Step, movements

_CHUNK = 512
_BODIES = f"SELECT r.body {OF_STREAM} LIMIT :limit"
_NEWEST = """
    SELECT max(r.version) FROM records s JOIN records r ON r.segment = s.place
    WHERE s.place = (SELECT place FROM records WHERE service = 'wallet'
                     AND segment = place AND stream = ? ORDER BY version DESC LIMIT 1)
"""
_RESULTS = """
    SELECT round_id, CASE
        WHEN status <> 'settled' THEN status
        WHEN net_minor > 0 THEN 'won' WHEN net_minor < 0 THEN 'lost' ELSE 'even' END
    FROM archive_players
    WHERE round_id IN (SELECT value FROM json_each(?)) AND player = ?
"""
_CURRENCIES = """
    SELECT DISTINCT stream FROM records WHERE service = 'wallet' AND segment = place
    AND stream >= ? AND stream < ? ORDER BY stream
"""


class Wallet:
    """One wallet's records. The log's time never runs back: it can be searched in."""

    def __init__(self, file: SqliteFile, player: str, currency: str) -> None:
        self._file = file
        self.player, self.currency = player, currency
        self._stream = wallet_stream(player, currency)
        self.newest = int(file.query(_NEWEST, (self._stream,))[0][0] or 0)

    def _after(self, version: int, limit: int) -> list[Envelope]:
        values: dict[str, Any] = {"service": "wallet", "stream": self._stream}
        values |= {"after": version, "limit": limit}
        rows = self._file.query(_BODIES, values)
        return [catalog.decode_envelope(body) for (body,) in rows]

    def version_at(self, at: Micros) -> int:
        """Return how many records there are from before a time."""
        low, high = 0, self.newest
        while low < high:
            middle = (low + high) // 2
            [record] = self._after(middle, 1)
            if record.recorded_at < at:
                low = middle + 1
            else:
                high = middle
        return low

    def balance_at(self, version: int) -> int:
        """Return the balance after a version: the newest that a record states."""
        while version:
            begin = max(0, version - _CHUNK)
            for record in reversed(self._after(begin, version - begin)):
                balance = getattr(catalog.decode_event(record), "balance_minor", None)
                if balance is not None:
                    return int(balance)
            version = begin
        return 0

    def steps(self, since: Micros, until: Micros) -> Iterator[Step]:
        """Return the records of an interval."""
        version = self.version_at(since)
        while found := self._after(version, _CHUNK):
            for record in found:
                if record.recorded_at >= until:
                    return
                yield record, catalog.decode_event(record)
            version = found[-1].version

    def results(self, rounds: list[str]) -> dict[str, str]:
        """Return how rounds stand for the player, by the index of rounds."""
        check_current(self._file)
        names = msgspec.json.encode(rounds).decode()
        return dict(self._file.query(_RESULTS, (names, self.player)))


def statement_of(
    wallet: Wallet, span: tuple[Micros, Micros], made_at: Micros
) -> Statement:
    """Return a player's statement of an interval."""
    opening = wallet.balance_at(wallet.version_at(span[0]))
    found = movements(wallet.player, wallet.currency, opening, wallet.steps(*span))
    return found.statement(span, made_at, wallet.results(found.rounds))


def currencies_of(file: SqliteFile, player: str) -> list[str]:
    """Return in which currencies a player has a wallet."""
    first = f"wallet-{player}."
    rows = file.query(_CURRENCIES, (first, first[:-1] + "/"))
    return [stream.rpartition(".")[2] for (stream,) in rows]
