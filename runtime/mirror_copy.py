"""Brings a mirror up to the logs it copies, reading them where they lie.

It ends where the logs stood when it began; what is written meanwhile may be copied too.
"""

from collections.abc import Mapping, Sequence

from runtime.lineage import is_earlier
from runtime.log import ChainBroken, Log, LogError
from runtime.mirror import Mirror
from runtime.mirror_source import SourceName
from runtime.projection import Projector


class NotCopied(LogError):
    """The logs do not fit together, or not to the copy; the text says which and why."""


async def copy(
    logs: Sequence[Log], mirror: Mirror, projectors: Sequence[Projector] = ()
) -> dict[str, int]:
    """Copy what is new and project it; return the number of new records by service."""
    ends = await _ends(logs, mirror)
    before = {name: mirror.position(*name).offset for name in ends}
    for projector in projectors:
        projector.start()
    while behind := _behind(mirror, ends):
        if not await _pass(logs, mirror):
            raise NotCopied(_why_not(mirror, behind))
        for projector in projectors:
            await projector.cycle()
    for projector in projectors:
        while await projector.cycle():
            pass
    copied = dict.fromkeys((log.service for log in logs), 0)
    for name, offset in before.items():
        copied[name.service] += mirror.position(*name).offset - offset
    return copied


def _behind(mirror: Mirror, ends: Mapping[SourceName, int]) -> list[SourceName]:
    return [name for name, end in ends.items() if mirror.position(*name).offset < end]


async def _ends(logs: Sequence[Log], mirror: Mirror) -> dict[SourceName, int]:
    """Return where the logs end now, when the copy is a beginning of them."""
    ends = {}
    for log in logs:
        if log.partitions != mirror.partitions(log.service):
            raise NotCopied(f"{log.service} has {log.partitions} partitions")
        for partition in range(log.partitions):
            await _compare(log, partition, mirror)
            ends[SourceName(log.service, partition)] = (await log.head(partition))[0]
    return ends


async def _compare(log: Log, partition: int, mirror: Mirror) -> None:
    """The source must still hold what was copied last. Raises NotCopied."""
    name = SourceName(log.service, partition)
    stands = mirror.position(*name)
    if not is_earlier(stands.incarnation or log.incarnation, log.incarnation):
        raise NotCopied(
            f"{log.service}: this is log {log.incarnation},"
            f" the copy is of log {stands.incarnation}"
        )
    if not stands.offset:
        return
    found = await log.read(partition, stands.offset - 1, 1)
    if not found or found[0].offset != stands.offset:
        raise NotCopied(
            f"{name} has no offset {stands.offset}, the copy has: it is cut"
        )
    if found[0].hash != stands.hash:
        raise NotCopied(f"{name} offset {stands.offset}: the copy has another record")


async def _pass(logs: Sequence[Log], mirror: Mirror) -> bool:
    """Read on in every partition; false if nothing came of it."""
    progress = False
    for log in logs:
        for partition in range(log.partitions):
            after, room = mirror.wanted(log.service, partition)
            records = await log.read(partition, after, room) if room else []
            offered = mirror.offer(records)
            for name, offset in offered.missing.items():
                raise ChainBroken(f"{name}: the record of offset {offset + 1} is gone")
            progress = progress or bool(records or offered.stored)
    for why in mirror.halted.values():
        raise ChainBroken(why)
    return progress


def _why_not(mirror: Mirror, behind: Sequence[SourceName]) -> str:
    waiting = mirror.waiting
    texts = [
        f"{name} waits for {waiting[name]}, which no log has"
        if name in waiting
        else f"{name} ends before its head"
        for name in behind
    ]
    return "; ".join(texts)
