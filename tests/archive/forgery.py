"""What a forger would do to a copy of a casino's file."""

import sqlite3
from collections.abc import Callable
from hashlib import sha256

import msgspec

from contracts import catalog
from contracts.envelope import Envelope

TABLE = "table-orchestrator"
GENESIS = bytes(32)


def body_of(file: sqlite3.Connection, stream: str, version: int) -> bytes:
    query = "SELECT body FROM records WHERE stream = ? AND version = ?"
    return bytes(file.execute(query, (stream, version)).fetchone()[0])


def offset_of(file: sqlite3.Connection, stream: str, version: int) -> int:
    query = "SELECT offset FROM records WHERE stream = ? AND version = ?"
    return int(file.execute(query, (stream, version)).fetchone()[0])


def version_of(file: sqlite3.Connection, stream: str, type_: str) -> int:
    """Return the first version of that type in a stream."""
    query = "SELECT min(version) FROM records WHERE stream = ? AND type = ?"
    return int(file.execute(query, (stream, type_)).fetchone()[0])


def write(file: sqlite3.Connection, stream: str, version: int, body: bytes) -> None:
    query = "UPDATE records SET body = ? WHERE stream = ? AND version = ?"
    file.execute(query, (body, stream, version))


def rewrite(
    file: sqlite3.Connection,
    record: tuple[str, int],
    change: Callable[[Envelope], Envelope],
) -> None:
    """Change a record and its row, as if it had always been so."""
    stream, version = record
    envelope = change(catalog.decode_envelope(body_of(file, stream, version)))
    write(file, stream, version, catalog.encode(envelope))
    query = "UPDATE records SET type = ? WHERE stream = ? AND version = ?"
    file.execute(query, (envelope.type, stream, version))


def with_data(envelope: Envelope, old: bytes, new: bytes) -> Envelope:
    data = bytes(envelope.data)
    assert old in data, f"{old!r} is not in {data!r}"
    return msgspec.structs.replace(envelope, data=msgspec.Raw(data.replace(old, new)))


def rechain(file: sqlite3.Connection, service: str) -> None:
    """Make a log's chain fit its bytes again, for its readers as well."""
    link = GENESIS
    links = {0: link}
    rows = file.execute(
        "SELECT place, offset, body FROM records WHERE service = ? ORDER BY offset",
        (service,),
    ).fetchall()
    for place, offset, body in rows:
        link = sha256(link + sha256(body).digest()).digest()
        links[offset] = link
        file.execute("UPDATE records SET hash = ? WHERE place = ?", (link, place))
    file.execute("UPDATE heads SET hash = ? WHERE service = ?", (link, service))
    readers = file.execute(
        "SELECT service, offset FROM positions WHERE source = ?", (service,)
    ).fetchall()
    for reader, offset in readers:
        file.execute(
            "UPDATE positions SET hash = ? WHERE service = ? AND source = ?",
            (links[offset], reader, service),
        )
