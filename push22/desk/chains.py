"""The hash chains around one round: of each log, the stretch that its records span.

A long log is not read whole for one round. What follows the round is checked up to the
log's head where that is near; else the stretch ends at a record further on.
"""

from itertools import groupby

from contracts.envelope import Envelope
from push22.inspect.reader import LogName, Reader
from push22.inspect.verify import witnessed
from services.archive.chain import GENESIS, ChainCheck, Fault, Head
from services.gateway.desk.verdict import Chain, ChainFault

FOLLOWING_MAX = 20_000
"""So many records after the round's last one are read, to reach the head."""
_BEFORE = 8
"""So many records before the round's first one: that one might be missing itself."""


def chains_around(reader: Reader, records: list[Envelope]) -> tuple[Chain, ...]:
    """Check every log that the round's records lie in."""

    def log_of(record: Envelope) -> tuple[str, int]:
        return record.service, record.partition

    names = {log[:2]: log for log in reader.logs()}
    return tuple(
        _chain(reader, names[key], [record.offset for record in found])
        for key, found in groupby(sorted(records, key=log_of), key=log_of)
        if key in names
    )


def _chain(reader: Reader, log: LogName, offsets: list[int]) -> Chain:
    first = max(1, min(offsets) - _BEFORE)
    known = reader.head(log) or Head(0, b"")
    is_near = known.offset - max(offsets) <= FOLLOWING_MAX
    last = known.offset if is_near else max(offsets) + FOLLOWING_MAX
    link = reader.link_at(log, first - 1) if first > 1 else None
    check = ChainCheck(log.incarnation, log.partition, first, link=link or GENESIS)
    # Read beyond a near head too: what follows it was added by nobody of ours.
    to = last + FOLLOWING_MAX if is_near else last
    end = known if is_near else Head(last, reader.link_at(log, last) or b"")
    report = check.run(reader.stretch(log, first, to), end)
    faults = list(report.faults)
    if first > 1 and link is None:
        faults.insert(0, Fault("missing_record", first - 1, "the record is missing"))
    blamed = {fault.offset for fault in faults}
    faults += [x for x in witnessed(reader, log) if x.offset not in blamed]
    return Chain(
        log.service,
        log.partition,
        first,
        last,
        report.records,
        "head" if is_near else "link",
        known.offset,
        tuple(ChainFault(*fault) for fault in faults),
    )
