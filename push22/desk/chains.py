"""The hash chains around one round: of each log, the stretch that its records span.

A long log is not read whole for one round. A stretch begins where the checkpoint over
the round's first record does. What follows the round is checked up to the log's head
where that is near; else the stretch ends at a record further on.
"""

from collections.abc import Iterator
from functools import partial
from itertools import groupby
from typing import NamedTuple

from contracts.envelope import Envelope
from push22.desk.checkpoints import Cover, known_keys, last_of
from push22.inspect.reader import LogName, Reader
from push22.inspect.verify import witnessed
from services.archive.chain import GENESIS, ChainCheck, Fault, Head
from services.archive.checkpoints import Keys
from services.gateway.desk.verdict import Chain, ChainFault, CheckpointTold

FOLLOWING_MAX = 20_000
"""So many records after the round's last one are read, to reach the head."""
_BEFORE = 8
"""So many records before the round's first one: that one might be missing itself."""


class Around(NamedTuple):
    """Chains, and the checkpoints that they were held to."""

    chains: tuple[Chain, ...]
    checkpoints: tuple[CheckpointTold, ...]


def chains_around(reader: Reader, records: list[Envelope]) -> Around:
    """Check every log that the round's records lie in; of the others, their ends."""
    keys = known_keys(reader)
    offsets = {
        key: [record.offset for record in found] for key, found in _logs(records)
    }
    chains: list[Chain] = []
    told: list[CheckpointTold] = []
    for log in reader.logs():
        of_log: tuple[CheckpointTold, ...] = ()
        if log[:2] in offsets:
            chain, of_log = _chain(reader, log, offsets[log[:2]], keys)
            chains.append(chain)
        told += (*of_log, *last_of(reader, log, keys, of_log))
    return Around(tuple(chains), tuple(told))


def _logs(records: list[Envelope]) -> Iterator[tuple[tuple[str, int], list[Envelope]]]:
    def log_of(record: Envelope) -> tuple[str, int]:
        return record.service, record.partition

    for key, found in groupby(sorted(records, key=log_of), key=log_of):
        yield key, list(found)


def _chain(
    reader: Reader, log: LogName, offsets: list[int], keys: Keys
) -> tuple[Chain, tuple[CheckpointTold, ...]]:
    cover = Cover(reader, log, offsets, keys)
    first = max(1, min(min(offsets) - _BEFORE, cover.first))
    known = reader.head(log) or Head(0, b"")
    is_near = known.offset - max(offsets) <= FOLLOWING_MAX
    far = max(max(offsets) + FOLLOWING_MAX, cover.last)
    last = known.offset if is_near else far
    link = reader.link_at(log, first - 1) if first > 1 else None
    check = ChainCheck(
        log.incarnation,
        log.partition,
        first,
        partial(reader.version_before, log),
        link=link or GENESIS,
    )
    # Read beyond a near head too: what follows it was added by nobody of ours.
    to = last + FOLLOWING_MAX if is_near else last
    end = known if is_near else Head(last, reader.link_at(log, last) or b"")
    report = check.run(cover.passing(reader.stretch(log, first, to)), end)
    faults = list(report.faults)
    if first > 1 and link is None:
        faults.insert(0, Fault("missing_record", first - 1, "the record is missing"))
    blamed = {fault.offset for fault in faults}
    faults += [x for x in witnessed(reader, log) if x.offset not in blamed]
    chain = Chain(
        log.service,
        log.partition,
        first,
        last,
        report.records,
        "head" if is_near else "link",
        known.offset,
        len(offsets),
        cover.uncovered,
        tuple(ChainFault(*fault) for fault in faults),
    )
    return chain, tuple(cover.told(len(report.faults)))
