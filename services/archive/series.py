"""Checks a series of checkpoints: each one alone, that they join, and against a log.

What a hash chain alone can't show, shows here: a log that was cut with its head, and a
chain that was made anew after a change.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import groupby
from typing import NamedTuple

from contracts.checkpoints import Checkpoint, Statement
from runtime.lineage import is_earlier
from services.archive.checkpoints import (
    CheckpointFault,
    Keys,
    believed,
    decode,
    place_of,
    said,
)
from services.archive.frontier import Frontier

_NO_LINK = bytes(32).hex()


class Series(NamedTuple):
    """What can be believed of many checkpoints, in the order of logs and offsets."""

    statements: tuple[Statement, ...]
    faults: tuple[CheckpointFault, ...]

    def of(self, service: str, partition: int) -> tuple[Statement, ...]:
        return tuple(
            item
            for item in self.statements
            if (item.service, item.partition) == (service, partition)
        )


NO_SERIES = Series((), ())


def lines_of(
    lines: Iterable[bytes],
) -> tuple[list[Checkpoint], list[CheckpointFault]]:
    """Read a file of checkpoints, one a line; say which lines are none."""
    found: list[Checkpoint] = []
    faults = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(_line(line))
        except ValueError as error:
            text = f"line {number}: {error}"
            faults.append(CheckpointFault("unreadable_checkpoint", "", 0, text))
    return found, faults


def _line(line: bytes) -> Checkpoint:
    checkpoint = decode(line.removesuffix(b"\n"))
    if not line.endswith(b"\n"):
        raise ValueError("it does not end")
    return checkpoint


def series_of(checkpoints: Iterable[Checkpoint], keys: Keys) -> Series:
    """Judge each checkpoint, and whether those of a log join without a gap."""
    good: list[Statement] = []
    faults: list[CheckpointFault] = []
    doubted: list[Statement] = []
    for checkpoint in dict.fromkeys(checkpoints):
        found = believed(checkpoint, keys)
        if isinstance(found, Statement):
            good.append(found)
        else:
            faults.append(found)
            doubted += _readable(checkpoint)
    good.sort(key=_order)
    for _, group in groupby(good, key=lambda item: (item.service, item.partition)):
        faults += Joining(doubted).faults_of(group)
    return Series(tuple(good), tuple(faults))


def _readable(checkpoint: Checkpoint) -> list[Statement]:
    try:
        return [said(checkpoint)]
    except ValueError:
        return []


def _order(statement: Statement) -> tuple[str, int, int, int]:
    return statement.service, statement.partition, statement.since, statement.offset


class Joining:
    """Whether the statements about one partition join, and agree with each other.

    What was signed twice, in other stretches, agrees if the hashes do. A stretch
    whose checkpoint is there but not believed is named already.
    """

    def __init__(self, doubted: Sequence[Statement]) -> None:
        self._doubted = {(d.service, d.partition, d.since) for d in doubted}
        self._links = {0: _NO_LINK}
        self._roots: dict[tuple[int, int], str] = {}
        self._end = 0

    def faults_of(self, series: Iterable[Statement]) -> Iterator[CheckpointFault]:
        for item in series:
            yield from self._gap(item)
            if self._links.setdefault(item.since, item.before) != item.before:
                text = f"it goes on from another record {item.since} than was signed"
                yield _fault("unjoined_checkpoint", item, text)
            stretch = (item.since, item.offset)
            is_same = self._links.setdefault(item.offset, item.hash) == item.hash
            is_same = (
                self._roots.setdefault(stretch, item.root) == item.root and is_same
            )
            if not is_same:
                text = f"records {item.since + 1} to {item.offset} were signed two ways"
                yield _fault("forked_log", item, text)
            self._end = max(self._end, item.offset)

    def _gap(self, item: Statement) -> Iterator[CheckpointFault]:
        is_named = (item.service, item.partition, self._end) in self._doubted
        if item.since > self._end and not is_named:
            text = f"none covers records {self._end + 1} to {item.since}"
            yield _fault("removed_checkpoint", item, text)


def _fault(kind: str, item: Statement, text: str) -> CheckpointFault:
    return CheckpointFault(kind, place_of(item).name, item.offset, text)


def missing_from(kept: Series, lodged: Series) -> list[CheckpointFault]:
    """Return what a lodged copy has and the kept series, its original, has not."""
    here = set(kept.statements)
    text = "the lodged checkpoint of records {} to {} is not kept with the log any more"
    return [
        _fault("removed_checkpoint", item, text.format(item.since + 1, item.offset))
        for item in lodged.statements
        if item not in here
    ]


class Comparison:
    """Compares one partition's records, shown in offset order, with its checkpoints."""

    def __init__(self, name: str, log: str, statements: Iterable[Statement]) -> None:
        self._name = name
        self._coming = sorted(set(statements), key=_order, reverse=True)
        self._open: list[tuple[Statement, Frontier]] = []
        self._last = 0
        self._is_rechained = False
        self.faults = [self._other_log(s, log) for s in self._foreign(log)][:1]
        self.covered = max((item.offset for item in self._coming), default=0)
        self.count = len(self._coming)

    def _foreign(self, log: str) -> list[Statement]:
        return [item for item in self._coming if not is_earlier(item.log, log)]

    def _other_log(self, item: Statement, log: str) -> CheckpointFault:
        return self._of(item, "other_log", f"this is log {log}, signed was {item.log}")

    def _of(self, item: Statement, kind: str, text: str) -> CheckpointFault:
        return CheckpointFault(kind, self._name, item.offset, text)

    def see(self, offset: int, link: bytes, body: bytes) -> None:
        """Take in the next record, as the log holds it."""
        while self._coming and self._coming[-1].since < offset:
            self._open.append((self._coming.pop(), Frontier()))
        self._last = max(self._last, offset)
        if not self._open:
            return
        digest = sha256(body).digest()
        is_end = False
        for statement, tree in self._open:
            tree.add(digest)
            is_end = is_end or statement.offset <= offset
        if is_end:
            self._close(offset, link)

    def _close(self, offset: int, link: bytes) -> None:
        for statement, tree in self._open:
            if statement.offset <= offset:
                self._compare(statement, tree, link)
        self._open = [item for item in self._open if item[0].offset > offset]

    def _compare(self, item: Statement, tree: Frontier, link: bytes) -> None:
        stretch = f"records {item.since + 1} to {item.offset}"
        is_changed = tree.root().hex() != item.root
        is_led_away = link.hex() != item.hash
        if is_changed:
            text = f"{stretch} are not those that were signed"
            if is_led_away:
                text += ": the chain was made anew over a change"
            self.faults.append(self._of(item, "changed_stretch", text))
        elif is_led_away and not self._is_rechained:
            text = f"the hash of record {item.offset} is not the one that was signed"
            self.faults.append(self._of(item, "changed_chain", text))
        self._is_rechained = self._is_rechained or is_led_away

    def finish(self) -> tuple[CheckpointFault, ...]:
        """Judge what the log no longer reaches, and return all that was found."""
        beyond = [*self._coming, *(item for item, _ in self._open)]
        if beyond:
            last = max(beyond, key=lambda item: item.offset)
            text = (
                f"the log ends at {self._last}, "
                f"signed was that it held {last.offset} records"
            )
            self.faults.append(self._of(last, "lost_tail", text))
        return tuple(self.faults)
