"""Which signed checkpoints cover a round's records, and the proof of each record.

What no checkpoint covers yet, because the casino has not signed since, is signed for
the pack, on from where the last one ended, and only if the chain bears it out.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from hashlib import sha256

import msgspec

from blackjack.commitment import proof_of, tree_of
from contracts.checkpoints import Checkpoint, Statement
from push22.checkpoints.keys import SigningKeys
from push22.checkpoints.store import kept
from push22.errors import Failure
from push22.evidence.gather import Entry
from runtime.ambient import Clock
from runtime.log import NO_HASH, Record
from runtime.sqlite_file import SqliteFile
from services.archive.checkpoints import (
    CheckpointFault,
    LogPlace,
    NotChained,
    Stretch,
    believed,
    keys_of,
    said,
)
from services.archive.frontier import leaf_of
from services.archive.series import lines_of

_CHUNK = 1000
_STRETCH_MAX = 50_000
"""No pack reads more than this to sign a tail: then the casino signs too rarely."""

Name = tuple[str, int]


class Proof(msgspec.Struct, frozen=True):
    """Sibling hashes from a record's leaf to a checkpoint's root, lower-case hex."""

    record: str
    checkpoint: int
    path: tuple[str, ...]


class Cover(msgspec.Struct):
    """What `checkpoints.json` holds."""

    checkpoints: list[Checkpoint] = []
    proofs: list[Proof] = []


def cover_of(
    file: SqliteFile, entries: Iterable[Entry], keys: SigningKeys, clock: Clock
) -> Cover:
    """Cover records of any logs. Raises Failure where the logs don't bear it out."""
    wanted: defaultdict[Name, list[Entry]] = defaultdict(list)
    for entry in entries:
        wanted[entry.service, entry.partition].append(entry)
    maker = _Covering(file, keys, clock)
    for name, group in wanted.items():
        maker.add(name, sorted(group, key=lambda entry: entry.offset))
    return maker.cover


class _Covering:
    """Covers one log after the other."""

    def __init__(self, file: SqliteFile, keys: SigningKeys, clock: Clock) -> None:
        self._file = file
        self._keys = keys
        self._clock = clock
        self._known = list(_believed(file, keys, clock))
        self.cover = Cover()

    def add(self, name: Name, entries: list[Entry]) -> None:
        mine = [item for item in self._known if _name(item[1]) == name]
        last = max((said.offset for _, said in mine), default=0)
        if entries[-1].offset > last:
            mine.append(self._signed(name, mine, entries[-1]))
        for checkpoint, statement in mine:
            inside = [
                entry
                for entry in entries
                if statement.since < entry.offset <= statement.offset
            ]
            if inside:
                self._prove(checkpoint, statement, inside)

    def _signed(
        self, name: Name, known: list[tuple[Checkpoint, Statement]], last: Entry
    ) -> tuple[Checkpoint, Statement]:
        at, link = max(
            ((s.offset, bytes.fromhex(s.hash)) for _, s in known),
            default=(0, NO_HASH),
        )
        if last.offset - at > _STRETCH_MAX:
            raise Failure(last.id, "no checkpoint near it: start the casino to sign")
        stretch = Stretch(LogPlace(name[0], last.log, name[1]), at, link)
        try:
            for record in self._records(name, at, last.offset):
                stretch.take(record.offset, record.hash, record.body)
        except NotChained as error:
            raise Failure(last.id, f"{error}; see push22 verify --all") from error
        (checkpoint,) = self._keys.sign([stretch.statement(0)], self._clock)
        return checkpoint, said(checkpoint)

    def _prove(
        self, checkpoint: Checkpoint, statement: Statement, entries: list[Entry]
    ) -> None:
        records = self._records(_name(statement), statement.since, statement.offset)
        tree = tree_of([leaf_of(sha256(record.body).digest()) for record in records])
        if tree[-1][0].hex() != statement.root:
            reason = "the records are not those that were signed; see push22 verify"
            raise Failure(entries[0].id, reason)
        number = len(self.cover.checkpoints)
        self.cover.checkpoints.append(checkpoint)
        for entry in entries:
            path = proof_of(tree, entry.offset - statement.since - 1)
            hexes = tuple(node.hex() for node in path)
            self.cover.proofs.append(Proof(entry.id, number, hexes))

    def _records(self, name: Name, after: int, to: int) -> Iterator[Record]:
        while after < to:
            limit = min(_CHUNK, to - after)
            found = self._file.records_of_log(*name, after, limit)
            if not found:
                return
            yield from found
            after = found[-1].offset


def _name(statement: Statement) -> Name:
    return statement.service, statement.partition


def _believed(
    file: SqliteFile, keys: SigningKeys, clock: Clock
) -> Iterator[tuple[Checkpoint, Statement]]:
    """Return the checkpoints kept with the logs. Raises Failure for a bad one."""
    public = keys_of(keys.public(clock))
    checkpoints, faults = lines_of(kept(file))
    if faults:
        raise Failure("checkpoints", f"{faults[0].text}; see push22 verify --all")
    for checkpoint in checkpoints:
        found = believed(checkpoint, public)
        if isinstance(found, CheckpointFault):
            raise Failure("checkpoints", f"{found.text}; see push22 verify --all")
        yield checkpoint, found
