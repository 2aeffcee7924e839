"""The ids of traces and spans follow from names: nothing of a trace is in a record.

All of one correlation is one trace. A record's span is named by the record, a command's
by the command: so whoever handles one knows its parent, wherever that was written down,
and what is sent or handled again after a crash gets the same ids again.
"""

from hashlib import sha256


def trace_of(correlation: str) -> str:
    """Return a trace's id: 32 hexadecimal digits."""
    return sha256(correlation.encode()).hexdigest()[:32]


def span_of(name: str) -> str:
    """Return a span's id: 16 hexadecimal digits."""
    return sha256(name.encode()).hexdigest()[:16]


def span_of_command(command_id: str) -> str:
    """Return the id of the span in which a command is sent and answered."""
    return span_of(f"command:{command_id}")
