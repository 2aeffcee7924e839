"""Which cases there are about a round, as the desk's own log has them."""

from collections.abc import Iterator

from contracts import catalog
from contracts.desk import CaseOpened
from contracts.identities import case_id, case_stream
from push22.inspect.reader import DESK, Reader

_OPENED = """
    SELECT stream FROM records
    WHERE service = ? AND stream > ? AND stream < ? AND version = 1 AND segment = place
    ORDER BY place
"""


def cases_of(reader: Reader, round_id: str, player: str = "") -> list[str]:
    """Return a round's cases, oldest first; with `player` none about anybody else."""
    return [
        event.case
        for event in _opened(reader, round_id)
        if not player or event.player in ("", player)
    ]


def _opened(reader: Reader, round_id: str) -> Iterator[CaseOpened]:
    # A case's name begins with its round's; "." is what follows "-".
    first = case_stream(case_id(round_id, ""))
    names = (DESK, first, f"{first[:-1]}.")
    streams = [str(row[0]) for row in reader.sql.execute(_OPENED, names)]
    for stream in streams:
        for record in reader.of_stream(stream):
            event = catalog.decode_event(record)
            if isinstance(event, CaseOpened) and event.round_id == round_id:
                yield event
            break
