"""Executes one round again: its own decisions, its settlement's and its shoe's.

Wallets and tables outlive a round, so their streams are not followed here: that each
of their records in the round is the one that was chained is. `verify` does the rest.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Literal

import msgspec

from contracts import ENGINE_VERSION, catalog
from push22.inspect.reader import Reader
from push22.inspect.verify import Decisions, decisions_of_round
from runtime.log import NO_HASH, Record
from services.archive.reexecute import Difference


class Again(msgspec.Struct, frozen=True):
    """What executing a round again says; `record` is the first that differs."""

    verdict: Literal["MATCH", "DIFFERS"]
    record: str = ""
    text: str = ""
    expected: tuple[str, msgspec.Raw] | None = None
    recorded: tuple[str, msgspec.Raw] | None = None

    @property
    def is_match(self) -> bool:
        return self.verdict == "MATCH"


def executed_again(reader: Reader, round_id: str) -> Again:
    """Execute a round again, from the records of its own streams."""
    return judged_again(reader, round_id, decisions_of_round(reader, round_id))


def judged_again(reader: Reader, round_id: str, found: Decisions) -> Again:
    """Name the first record that differs, among decisions that were made again."""
    damage = next(_damaged(reader.file.records_of_round(round_id)), None)
    if damage is None:
        return _judged(found)
    for difference in found.differences:
        if difference.record == damage.record:
            shown = difference.expected, difference.recorded
            return Again("DIFFERS", damage.record, damage.text, *shown)
    return damage


def _judged(found: Decisions) -> Again:
    if found.differences:
        differs = _differs(found.differences[0])
        if not found.other_engines:
            return differs
        played = ", ".join(found.other_engines)
        text = f"{differs.text} (played by engine {played}, this is {ENGINE_VERSION})"
        return msgspec.structs.replace(differs, text=text)
    if found.proof_faults:
        fault = found.proof_faults[0]
        return Again("DIFFERS", fault.shoe, f"card proof: {fault.text}")
    return Again("MATCH")


def _differs(item: Difference) -> Again:
    place = f"{item.service}, offset {item.offset}" if item.offset else item.service
    text = f"{place}: {item.text}"
    return Again("DIFFERS", item.record, text, item.expected, item.recorded)


def _damaged(records: list[Record]) -> Iterator[Again]:
    """Name the records that cannot be read or are not those that were chained."""
    for record in records:
        if wrong := _wrong_with(record):
            text = f"{record.service}, offset {record.offset}: {wrong}"
            yield Again("DIFFERS", f"{record.stream}@{record.version}", text)


def _wrong_with(record: Record) -> str:
    body: object = record.body  # SQLite stores any value in any column.
    if not isinstance(body, bytes):
        return f"its body is no bytes but {type(body).__name__}"
    try:
        catalog.decode_event(catalog.decode_envelope(body))
    except catalog.Undecodable as error:
        return f"it can't be read: {error}"
    if record.offset > 1 and record.previous == NO_HASH:
        return ""  # The one before is gone: no link to compare with.
    link = sha256(record.previous + sha256(body).digest()).digest()
    return "" if link == record.hash else "its bytes are not those that were chained"
