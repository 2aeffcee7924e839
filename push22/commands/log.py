"""`push22 log`: what an operator does with a log that lost records (H3)."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

from push22.casino import LOG_NAME, SERVICES
from push22.errors import Failure
from runtime.distributed import event_topic
from runtime.kafka_history import Remembered, remembered
from runtime.kafka_reach import check_reach
from runtime.kafka_settings import KafkaSettings
from runtime.log import Head, LogError
from runtime.log_postgres import PostgresLog
from runtime.log_recovery import Found, going_on
from runtime.log_repair import Decided, accept, begin_incarnation, take, versions
from runtime.sqlite_file import SqliteFile

Action = Literal["recover", "new-incarnation", "accept"]

_BY_NAME = {service.name: service for service in SERVICES}
_PAGE = 1000


def log(  # noqa: PLR0913 - the options of three small commands
    action: Action,
    service: str,
    /,
    *,
    take: bool = False,
    of: str = "",
    by: str = "",
    why: str = "",
    data: Path | None = None,
    dsn: str = "",
) -> int:
    """Take lost records of a log back, or go on without them.

    recover: show which records Kafka, or an archive's file, still has after the log's
    end; with `--take` append them as they were. new-incarnation: where records are
    lost for good, go on under a new name, which halts every reader. accept: let a
    service read on from the new incarnation of `--of`.

    The services that read or write the log are stopped meanwhile. Kafka is found by
    $PUSH22_KAFKA; the archive is not changed.

    Parameters
    ----------
    action
        recover, new-incarnation or accept.
    service
        Whose log it is; for accept, who reads.
    take
        Append what was found; without it nothing is changed.
    of
        For accept: the source whose new incarnation is read.
    by
        Who decides on a new incarnation.
    why
        The reason, which stays on record.
    data
        The archive's directory, to recover from its file too.
    dsn
        The database, as an administrator: postgresql://...; else $PUSH22_DSN.

    """
    address = dsn or os.environ.get("PUSH22_DSN", "")
    if not address.startswith(("postgresql://", "postgres://")):
        raise Failure("log", "give --dsn or PUSH22_DSN: postgresql://...", 2)
    for name in filter(None, (service, of)):
        if name not in _BY_NAME:
            raise Failure("log", f"no service {name!r}: {', '.join(_BY_NAME)}", 2)
    if action != "recover" and not (by.strip() and why.strip()):
        raise Failure(action, "say who decides (--by) and --why", exit_code=2)
    if action == "accept" and not of:
        raise Failure(action, "say whose new incarnation (--of)", exit_code=2)
    try:
        if action == "recover":
            return asyncio.run(_recover(address, service, data, is_taken=take))
        decided = Decided(by, why)
        if action == "accept":
            return asyncio.run(_accept(address, service, of, decided))
        return asyncio.run(_begin(address, service, decided))
    except (ValueError, LogError, OSError) as error:
        raise Failure(f"log {action}", str(error)) from error


@asynccontextmanager
async def _opened(dsn: str, service: str) -> AsyncIterator[PostgresLog]:
    found = await PostgresLog.open(dsn, service, connections=1)
    try:
        yield found
    finally:
        await found.close()


async def _recover(dsn: str, name: str, data: Path | None, *, is_taken: bool) -> int:
    if data is None and not os.environ.get("PUSH22_KAFKA"):
        raise ValueError("give PUSH22_KAFKA, or the archive's --data, or both")
    async with _opened(dsn, name) as log:
        heads = [
            Head(log.incarnation, part, *await log.head(part))
            for part in range(log.partitions)
        ]
        offered = await _offered(log, heads, data)
        is_whole, missing = True, 0
        for head in heads:
            there = offered[head.partition]
            known = await versions(log, there.records)
            found = going_on(head, log.partitions, there.records, known)
            if found.records and is_taken:
                await take(log, _BY_NAME[name], found)
            is_whole = _show(found, there.known_end, is_taken=is_taken) and is_whole
            missing += len(found.records)
    if is_whole and not missing:
        sys.stdout.write("nothing is missing\n")
    return 0 if is_whole else 1


async def _offered(
    log: PostgresLog, heads: list[Head], data: Path | None
) -> dict[int, Remembered]:
    """Ask Kafka and the archive for what comes at and after the log's end."""
    since = {head.partition: head.offset for head in heads}
    found = {part: Remembered(offset) for part, offset in since.items()}
    if os.environ.get("PUSH22_KAFKA"):
        kafka = KafkaSettings.from_environment()
        await check_reach(kafka)
        topic = event_topic(log.service).name
        found = await remembered(kafka, log, topic, since)
    if data is not None:
        file = SqliteFile.open(data / LOG_NAME, read_only=True)
        try:
            _remember(file, log.service, found)
        finally:
            file.close()
    return found


def _remember(file: SqliteFile, service: str, found: dict[int, Remembered]) -> None:
    for part, there in found.items():
        after = max(there.since - 1, 0)
        while page := file.records_of_log(service, part, after, _PAGE):
            there.records += page
            after = page[-1].offset
            there.known_end = max(there.known_end, after)


def _show(found: Found, known_end: int, *, is_taken: bool) -> bool:
    """Say what became of one partition; false if something is lost."""
    head, records, misfit = found
    reached = records[-1].offset if records else head.offset
    is_whole = not misfit and reached >= known_end
    if is_whole and not records:
        return True
    verb = "taken back" if is_taken else "found"
    line = f"partition {head.partition}: ends at {head.offset}"
    line += f", {len(records)} records {verb}"
    if not is_whole:
        line += f", lost from {reached + 1} on" if reached < known_end else ""
        line += f": {misfit}" if misfit else ""
    sys.stdout.write(f"{line}\n")
    if not is_taken:
        for record in records:
            name = f"{record.stream}@{record.version}"
            sys.stdout.write(f"  {record.offset} {name} {record.type}\n")
    return is_whole


async def _begin(dsn: str, service: str, decided: Decided) -> int:
    async with _opened(dsn, service) as log:
        name = await begin_incarnation(log, decided)
    sys.stdout.write(f"{service}: goes on as {name}; it was {log.incarnation}\n")
    return 0


async def _accept(dsn: str, service: str, of: str, decided: Decided) -> int:
    async with _opened(dsn, of) as source, _opened(dsn, service) as reader:
        moved = await accept(source, reader, decided)
    for part, (before, after) in sorted(moved.items()):
        sys.stdout.write(f"{of}/{part}: read to {before}, goes on after {after}\n")
    return 0
