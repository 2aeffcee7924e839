"""The archive's file as a door's memory: it begins there, not at the first record.

What the file does not have yet is heard from Kafka. What was before is looked for here
when somebody asks: a balance, or the answer to a command that is repeated.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

from contracts import catalog
from contracts import wallet_calls as c
from contracts.balances import TELLING, Balance, balance_after
from contracts.envelope import Micros
from push22.answers import Asked, Heard, heard_of
from push22.door import past
from push22.door.past_answers import newest_answers
from push22.hearing import Since
from runtime.bus_memory import Delivery
from runtime.mirror_mark import refuse_casino
from runtime.sqlite_file import SqliteFile

_LOOK_BACK = 2_000
"""A repeat is of one of so many newest records of its stream, or was long ago."""

_WINDOW = 256
_SLACK_US = 10 * 60 * 1_000_000
"""A record may reach Kafka so long after its time, and clocks may differ."""

_HEADS = """
    SELECT h.service, h.part, h.offset - 1, r.body FROM heads h JOIN records r
    ON r.service = h.service AND r.part = h.part AND r.offset = h.offset - 1
"""


class Begun(NamedTuple):
    """Where the tables stand in the file, and from where on to hear.

    `answers` are those of the newest commands, the oldest first.
    """

    tables: Sequence[Delivery]
    since: Since | None
    answers: Sequence[Heard] = ()


class Copy:
    """The open file. Whoever writes it is not in the way."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the archive's file. Raises LogError, also for a casino's own."""
        refuse_casino(path)
        return cls(SqliteFile.open(path, read_only=True))

    def close(self) -> None:
        self._file.close()

    def begun(self) -> Begun:
        """Read tables and heads at one moment: the archive goes on writing."""
        self._file.execute("BEGIN")
        try:
            answers = tuple(newest_answers(self._file))
            return Begun(past.of_tables(self._file), self._since(), answers)
        finally:
            self._file.execute("COMMIT")

    def _since(self) -> Since | None:
        rows = self._file.query(_HEADS)
        if not rows:
            return None
        newest: Micros = max(
            catalog.decode_envelope(body).recorded_at for *_, body in rows
        )
        heads = {(service, part): offset for service, part, offset, _ in rows}
        return Since(newest - _SLACK_US, heads)

    def has(self, service: str, stream: str) -> bool:
        return past.newest_version(self._file, service, stream) > 0

    def balance(self, stream: str, before: int = 0) -> Balance:
        """Return a wallet's balance, before one of its versions or as it is now.

        Read from its end until an event says it. Of an operator's wallet each round
        says so: no window of this size is without.
        """
        end = (
            before - 1 if before else past.newest_version(self._file, "wallet", stream)
        )
        window = _WINDOW
        while True:
            after = max(0, end - window)
            records = self._file.records_of_stream("wallet", stream, after)
            events = [Delivery(r).event for r in records if r.version <= end]
            if after == 0 or _is_told(events):
                return _folded(events)
            window *= 4

    def answer(self, stream: str, asked: Asked) -> Heard | None:
        """Look for the recorded answer of a command, newest records first.

        Of a broker that is away every command is looked for: few records are decoded.
        """
        named = msgspec.json.encode(asked.command_id)
        newest = past.newest_version(self._file, asked.service, stream)
        after = max(0, newest - _LOOK_BACK)
        found = self._file.records_of_stream(asked.service, stream, after)
        for record in reversed(found):
            if named in record.body:
                heard = heard_of(Delivery(record))
                if heard is not None and heard.asked == asked:
                    return heard
        return None


def _folded(events: Sequence[object]) -> Balance:
    balance = Balance()
    for event in events:
        balance = balance_after(balance, event)
    return balance


def _is_told(events: Sequence[object]) -> bool:
    """Tell whether the events say the balance, whatever was before them."""
    calls = [
        e for e in events if isinstance(e, c.CallOwed | c.CallFailed | c.CallEnded)
    ]
    if calls:
        return any(
            isinstance(e, c.CallEnded) and e.outcome is c.CallOutcome.DONE
            for e in calls
        )
    return any(isinstance(e, TELLING) for e in events)
