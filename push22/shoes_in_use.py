"""Whether a key ring opens the shoes in use: asked before any stake is taken on them.

A shoe that is not opened is set aside, and its round stands open with the players'
money in it. So the casino, or the shoe's service, does not start without the keys.
"""

from collections.abc import AsyncIterator

from contracts import catalog
from contracts.base import tag_of
from contracts.identities import shoe_stream, table_of_shoe
from contracts.shoe import ShoeCommitted, ShoeRetired
from runtime.ambient import KeyMissing, KeyRing
from runtime.log import Log

_RETIRED = tag_of(ShoeRetired)
_AFTER_DIGITS = ":"
"""What follows the digits: no shoe of the same table comes after."""

_WHAT_TO_DO = (
    "bring its sealing keys back (docs/keys.md): seal-keys.json from the directory that"
    " the log came from, or its PUSH22_SEAL_KEYS, which goes before the file. Nothing"
    ' was dealt. If nobody has that key any more, list it in the keys under "lost"'
)


async def check_opens(log: Log, keys: KeyRing) -> None:
    """Raise KeyMissing naming the first shoe in use that the ring does not open.

    A shoe under a key that is listed as lost is set aside when it is asked for.
    """
    async for committed in _in_use(log):
        if committed.key_id in keys.lost:
            continue
        try:
            keys.unseal(committed.sealed, committed.key_id, committed.shoe)
        except KeyMissing as error:
            text = f"{committed.shoe} is in use, and {error}: {_WHAT_TO_DO}"
            raise KeyMissing(text) from error


async def _in_use(log: Log) -> AsyncIterator[ShoeCommitted]:
    """Return each table's shoe that is dealt from: its newest, or the one before."""
    async for table in _tables(log):
        newest = await _newest(log, table)
        for number in range(max(newest - 1, 1), newest + 1):
            shoe = shoe_stream(table, number)
            version = await log.stream_version(shoe)
            last = await log.read_stream(shoe, version - 1) if version else []
            if last and last[-1].type != _RETIRED:
                (first, *_) = await log.read_stream(shoe)
                committed = catalog.decode_event(catalog.decode_envelope(first.body))
                assert isinstance(committed, ShoeCommitted), "a shoe begins so"
                yield committed


async def _tables(log: Log) -> AsyncIterator[str]:
    """Return the tables that ever had a shoe, by a leap from each to the next."""
    found = await log.stream_after("shoe-")
    while found.startswith("shoe-"):
        table = table_of_shoe(found)
        yield table
        found = await log.stream_after(f"shoe-{table}-{_AFTER_DIGITS}")


async def _newest(log: Log, table: str) -> int:
    """Return the number of a table's newest shoe; they are numbered through."""
    there, gone = 0, 1
    while await _is_there(log, table, gone):
        there, gone = gone, 2 * gone
    while gone - there > 1:
        middle = (there + gone) // 2
        if await _is_there(log, table, middle):
            there = middle
        else:
            gone = middle
    return there


async def _is_there(log: Log, table: str, number: int) -> bool:
    return await log.stream_version(shoe_stream(table, number)) > 0
