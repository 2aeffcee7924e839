"""What a position says of its source: whether it is still the log that was read."""

from runtime.log import Position


def misfit_of(known: Position, incarnation: str, head: tuple[int, bytes]) -> str:
    """Return why the log that ends at `head` is not the one read so far, or nothing.

    `head` is the offset and the hash of its last record.
    """
    source, _, was, read_to, link = known
    offset, last = head
    if was != incarnation:
        return f"incarnation: {source} is another log now"
    if read_to > offset:
        return f"lost tail: {source} ends at {offset}, read to {read_to}"
    if read_to == offset and link != last:
        return f"fork: {source} offset {offset}"
    return ""
