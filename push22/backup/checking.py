"""Holds an export's records to its manifest and to their chains, one by one."""

from push22.backup.content import Manifest
from push22.backup.frames import Damaged
from push22.casino import SERVICES
from runtime.log import NO_HASH, Record
from runtime.mirror_source import SourceName, misfit


def absent(manifest: Manifest) -> list[str]:
    """Name the services of which there is no log, not even an empty one.

    A mirror has none of who has said nothing yet; where services write there is one.
    """
    listed = {log.service for log in manifest.logs}
    return [service.name for service in SERVICES if service.name not in listed]


def unlisted(manifest: Manifest) -> list[str]:
    """Name the services whose log must be there and is not."""
    return [] if manifest.origin == "mirror" else absent(manifest)


class Chains:
    """Takes each record in turn; at the end every head must have been reached."""

    def __init__(self, manifest: Manifest) -> None:
        self._heads: dict[SourceName, tuple[int, bytes]] = {}
        self._stands: dict[SourceName, tuple[int, bytes]] = {}
        self._logs = {log.service: log.incarnation for log in manifest.logs}
        for service in unlisted(manifest):
            raise Damaged(f"manifest: no log of {service} is listed")
        for log in manifest.logs:
            for part in log.partitions:
                name = SourceName(log.service, part.partition)
                if part.first != min(part.count, 1) or part.last != part.count:
                    raise Damaged(f"manifest: {name} is no log from its beginning")
                self._heads[name] = (part.last, part.hash)
                self._stands[name] = (0, NO_HASH)

    def take(self, record: Record) -> None:
        """Raises Damaged naming the first record that does not follow."""
        name = SourceName(record.service, record.partition)
        if name not in self._stands:
            raise Damaged(f"{name} offset {record.offset}: of a log that is not listed")
        offset, link = self._stands[name]
        if record.offset != offset + 1:
            raise Damaged(
                f"{name}: after offset {offset} comes {record.offset}:"
                " records are missing or out of order"
            )
        if wrong := misfit(record, self._logs[record.service], link):
            raise Damaged(f"{name} offset {record.offset}: {wrong}")
        self._stands[name] = (record.offset, record.hash)

    def finish(self) -> None:
        """Raises Damaged naming the first partition that ends elsewhere."""
        for name, (last, link) in self._heads.items():
            offset, stands = self._stands[name]
            if offset != last:
                raise Damaged(f"{name} ends at offset {offset}, its head is at {last}")
            if stands != link:
                raise Damaged(f"{name}: the head's hash is not that of record {last}")
