"""The answers that a door would know had it run on: it knows them after a restart.

A service records nothing of another command under an id that it knows, so nobody hears
of that one. Who knows the first one's answer refuses it; the copy has it, but only the
first one's stream leads there, and another command may be for another stream.
"""

from collections.abc import Iterator

from contracts.catalog import Undecodable
from push22.answers import Heard, heard_of
from runtime.bus_memory import Delivery
from runtime.log import Record
from runtime.sqlite_file import SqliteFile

LOOK_BACK = 100_000
"""So many of the newest records of all logs are looked at, once, at the start."""

_BY_COMMAND = b'"cause":{"kind":"command"'
"""Stands in the first event of a command; few others are decoded."""

_NEWEST = """
    SELECT r.service, r.part, r.offset, r.stream, r.version, r.type, r.round_id,
           zeroblob(32), r.hash, r.body
    FROM records r
    WHERE r.place > (SELECT coalesce(max(place), 0) FROM records) - ?
    AND instr(r.body, ?) ORDER BY r.place
"""


def newest_answers(file: SqliteFile, look_back: int = LOOK_BACK) -> Iterator[Heard]:
    """Return what the newest commands said and got, as they were recorded.

    An event of newer software is left out, as it is where it is heard.
    """
    for row in file.query(_NEWEST, (look_back, _BY_COMMAND)):
        try:
            heard = heard_of(Delivery(Record._make(row)))
        except Undecodable:
            continue
        if heard is not None:
            yield heard
