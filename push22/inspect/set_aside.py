"""What was set aside (H9), as it stands in an embedded casino's file."""

import msgspec

from contracts import catalog
from contracts.envelope import Micros
from push22.inspect.reader import Reader


class SetAside(msgspec.Struct, frozen=True):
    """An input that waits. `stream` is what it was meant for; empty if unknown."""

    id: int
    service: str
    stream: str
    kind: str
    source: str
    reason: str
    parked_at: Micros
    body: bytes

    @property
    def name(self) -> str:
        """Name the record or command that waits, as far as it can be read."""
        try:
            if self.kind == "record":
                return catalog.decode_envelope(self.body).id
            if self.kind == "command":
                return catalog.decode_command_envelope(self.body).id
        except catalog.Undecodable:
            return "unreadable"
        return self.kind

    @property
    def names(self) -> tuple[str, ...]:
        """Return how a person names this input: by its number, or its stream."""
        return tuple(filter(None, (str(self.id), self.stream)))

    def is_meant_by(self, what: str) -> bool:
        return what in self.names


_WAITING = """
    SELECT id, service, stream, kind, source, reason, parked_at, body
    FROM parked WHERE verdict = '' ORDER BY id
"""


def set_aside(reader: Reader) -> list[SetAside]:
    """Return what waits, in the order in which it was set aside."""
    return [SetAside(*row) for row in reader.sql.execute(_WAITING)]
