"""Puts the archive's checks together: chains, card proofs, decisions made again."""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from contracts import ENGINE_VERSION, catalog
from contracts import round_events as e
from contracts.base import tag_of
from contracts.checkpoints import PublicKey
from contracts.envelope import Envelope
from contracts.identities import category_of, settlement_stream, table_stream
from push22.casino import SERVICES
from push22.inspect.answer_check import LostAnswers, check_answers
from push22.inspect.cause_order import CauseOrder
from push22.inspect.derived import DerivedFault
from push22.inspect.index_check import check_index
from push22.inspect.reader import LogName, Reader, placed
from push22.inspect.secrets import REVEALS
from push22.inspect.table_fault import TableFault
from push22.inspect.unfinished import Awaited, told_apart
from push22.inspect.witness import NO_WITNESS, Held, Witness
from runtime.log import NO_HASH
from runtime.mirror_mark import is_mirrored
from services.archive.chain import FAULTS_MAX, ChainCheck, Fault, Head
from services.archive.checkpoints import CheckpointFault
from services.archive.proofs import ProofFault, ShoeProof
from services.archive.reexecute import Difference, Reexecution

Tick = Callable[[int], None]
"""Told how many records more are done."""

_TRIES = 100
"""For so many records a place is looked for at which one can leave off."""

_OPENED = tag_of(e.RoundOpened)
_TICK = 5000


class LogVerdict(msgspec.Struct, frozen=True):
    """What the chain of one log partition says, and what was signed of it.

    Signed were the records up to `covered`, by so many checkpoints.
    """

    service: str
    partition: int
    records: int
    faults: tuple[Fault, ...]
    checkpoints: int = 0
    covered: int = 0


class Decisions(msgspec.Struct):
    """What card proofs and re-execution say."""

    checked: int = 0
    by_proof_only: int = 0
    cards_proved: int = 0
    shoes: int = 0
    differences: list[Difference] = []
    proof_faults: list[ProofFault] = []
    tables: list[TableFault] = []
    """Records placed before their cause, and answers that are gone."""
    engines: Counter[str] = msgspec.field(default_factory=Counter)
    """Rounds by the engine that played them."""
    awaited: list[Awaited] = []
    """Records before which a copy ends that is still catching up."""

    @property
    def other_engines(self) -> tuple[str, ...]:
        return tuple(sorted(self.engines.keys() - {ENGINE_VERSION}))


class Verdict(msgspec.Struct, frozen=True):
    """`subject` is a round's id, or `all`: only then is what is derived checked.

    `tables` says which tables beside the records contradict them, `derived` which
    snapshots and deadlines. `checkpoints` is what is wrong with these themselves;
    that a key of theirs was lost and replaced is nothing wrong, but is said.
    `lodged` is how many of a lodged copy were compared.
    """

    subject: str
    logs: tuple[LogVerdict, ...]
    decisions: Decisions
    tables: tuple[TableFault, ...] = ()
    derived: tuple[DerivedFault, ...] = ()
    checkpoints: tuple[CheckpointFault, ...] = ()
    lost_keys: tuple[PublicKey, ...] = ()
    lodged: int = 0

    @property
    def are_records_right(self) -> bool:
        """Whether chains, proofs and decisions are: then tables can be mended."""
        found = self.decisions
        wrong = found.differences or found.proof_faults or found.tables
        return not wrong and not any(log.faults for log in self.logs)

    @property
    def is_equal(self) -> bool:
        """Whether nothing of what is there differs; of a copy more may be awaited."""
        beside = self.tables or self.derived or self.checkpoints
        return self.are_records_right and not beside

    @property
    def is_match(self) -> bool:
        return self.is_equal and not self.decisions.awaited

    def log_name(self, service: str, partition: int) -> str:
        """Name a log; its partition too where the service has several."""
        count = sum(log.service == service for log in self.logs)
        return f"{service}/{partition}" if count > 1 else service


class Stretch(NamedTuple):
    """The records that were committed after one place, up to another one."""

    after: int
    to: int


class Keep(NamedTuple):
    """`hand_over` is given what was found up to a place, since the last time."""

    every: int
    hand_over: Callable[[int, Decisions], None]


class Checker:
    """Takes in records in commit order; some are only followed, not checked."""

    def __init__(self, reader: Reader, *, is_part: bool = False) -> None:
        self._reader = reader
        self._is_part = is_part
        self._reexecution = Reexecution(
            SERVICES, fetch=reader.find, history=reader.of_stream, reveals=REVEALS
        )
        self._proofs: dict[str, ShoeProof] = {}
        self._found = Decisions()

    def take(self, record: Envelope, *, check: bool = True) -> None:
        """Take in a record; one whose event can't be read is a difference."""
        try:
            self._see(record, check=check)
        except catalog.Undecodable as error:
            self._cannot_read(record, error)

    def _see(self, record: Envelope, *, check: bool) -> None:
        if record.service == "shoe":
            self._see_shoe(record, check=check)
            return
        self._reexecution.see(record, check=check)
        if record.type == _OPENED:
            self._found.engines[catalog.decode_event(record).terms.engine] += 1

    def _cannot_read(self, record: Envelope, error: catalog.Undecodable) -> None:
        """Note a record whose envelope can be read and whose event can't."""
        self._found.differences.append(
            Difference(
                "unreadable",
                record.id,
                record.service,
                record.offset,
                f"its event can't be read: {error}",
                partition=record.partition,
            )
        )

    def _see_shoe(self, record: Envelope, *, check: bool) -> None:
        proof = self._proofs.get(record.stream)
        if proof is None:
            if self._is_part and record.version > 1:
                self._reexecution.note(record)
                return
            proof = self._proofs[record.stream] = ShoeProof(record.stream)
            self._found.shoes += 1
        self._reexecution.see(record, check=check)
        proof.take(record)
        if proof.is_retired:
            self._take(self._proofs.pop(record.stream))

    def _take(self, proof: ShoeProof) -> None:
        self._found.cards_proved += proof.proved
        self._found.proof_faults.extend(proof.faults)

    def finish(self) -> Decisions:
        if self._is_part:
            self._finish_shoes()
        self._reexecution.finish()
        return self._hand_over()

    def leave_off(self) -> Decisions | None:
        """Hand over what was found, if one could begin here as well as go on.

        Only of a part: its shoes are followed to their own end.
        """
        assert self._is_part, "only parts can be cut"
        if not self._reexecution.is_between_inputs:
            return None
        self._finish_shoes()
        found = self._hand_over()
        self._reexecution.leave_off()
        self._proofs, self._found = {}, Decisions()
        return found

    def _hand_over(self) -> Decisions:
        for proof in self._proofs.values():
            self._take(proof)
        self._found.checked = self._reexecution.checked
        self._found.by_proof_only = self._reexecution.unrevealed
        differences = self._reexecution.differences
        named = {item.record for item in differences}
        unread = [item for item in self._found.differences if item.record not in named]
        self._found.differences = [*differences, *unread]
        return self._found

    def _finish_shoes(self) -> None:
        """Follow the shoes that were in use at the end of the stretch to their own."""
        for stream, proof in list(self._proofs.items()):
            for record in self._reader.of_stream(stream, after=proof.version):
                self._see_shoe(record, check=True)


def check_chains(
    reader: Reader, tick: Tick, witness: Witness = NO_WITNESS
) -> tuple[LogVerdict, ...]:
    return tuple(check_chain(reader, log, tick, witness) for log in reader.logs())


def check_chain(
    reader: Reader, log: LogName, tick: Tick, witness: Witness = NO_WITNESS
) -> LogVerdict:
    """Check a log's chain, what was signed of it, and that nobody has read beyond."""
    before = partial(reader.version_before, log)
    check = ChainCheck(log.incarnation, log.partition, 1, before)
    head = reader.head(log)
    stands = head or Head(0, NO_HASH)
    held = Held(log, witness)
    report = check.run(held.passing(_ticking(reader.chain(log), tick)), stands)
    blamed = {fault.offset for fault in report.faults}
    shuffled = (f for f in _shuffled(reader, log) if f.offset not in blamed)
    led_to = (*witnessed(reader, log), *_astray(reader, log), *shuffled)
    signed = held.faults(is_whole=len(report.faults) < FAULTS_MAX)
    faults = (*report.faults, *signed, *led_to)
    if head is None and not _has_not_begun(reader, log, report.records):
        faults = (*faults, Fault("cut_tail", 0, "the log has no head row"))
    name = (log.service, log.partition)
    return LogVerdict(*name, report.records, faults, held.count, held.covered)


def _has_not_begun(reader: Reader, log: LogName, records: int) -> bool:
    """Tell a copy of a service that has written nothing yet from one that lost it all.

    A copy learns of a log, and of all its heads, by its first record; a casino makes
    the heads of its own logs before that.
    """
    is_unknown = not records and not log.incarnation
    return is_unknown and is_mirrored(reader.file)


def witnessed(reader: Reader, log: LogName) -> Iterable[Fault]:
    """Whoever read a record remembers its offset and hash: a witness of the tail."""
    for who, offset, link in reader.readers(log):
        found = reader.link_at(log, offset)
        if found is None:
            text = f"{who} has read record {offset}, which the log does not hold"
            yield Fault("cut_tail", offset, text)
        elif found != link:
            yield Fault("changed_hash", offset, f"{who} has read another record there")


def _astray(reader: Reader, log: LogName) -> Iterable[Fault]:
    """Name what a look into the stream or round would not show."""
    for offset, stream, version in islice(reader.astray(log), FAULTS_MAX):
        text = f"{stream}@{version} is not found from its stream or round"
        yield Fault("astray_record", offset, text)


def _shuffled(reader: Reader, log: LogName) -> Iterable[Fault]:
    """Places follow the offsets: both are the order of commits."""
    for offset, stream, version in islice(reader.shuffled(log), FAULTS_MAX):
        text = f"{stream}@{version} is placed before records with lower offsets"
        yield Fault("shuffled_places", offset, text)


def check_tables(reader: Reader) -> tuple[TableFault, ...]:
    """Compare what is derived from the records with them."""
    return (*check_index(reader), *check_answers(reader))


def _ticking(rows: Iterable[Any], tick: Tick) -> Iterable[Any]:
    since = 0
    for row in rows:
        yield row
        since += 1
        if since == _TICK:
            tick(since)
            since = 0
    tick(since)


def check_decisions(
    reader: Reader,
    tick: Tick,
    stretch: Stretch | None = None,
    keep: Keep | None = None,
) -> Decisions:
    """Prove every card and make every decision again, in commit order.

    In a stretch, shoes that began before it are left to the earlier one. With `keep`,
    what was found is handed over now and then, and returned is what came after.
    """
    checker = Checker(reader, is_part=stretch is not None)
    order, lost = CauseOrder(reader), LostAnswers(reader)
    tables: list[TableFault] = []
    rows = reader.bodies(*stretch) if stretch else reader.bodies()
    since = 0
    for record, place in placed(_ticking(rows, tick)):
        tables += filter(None, (order.see(record), lost.see(record)))
        checker.take(record)
        since += 1
        if keep is None or since < keep.every:
            continue
        if (found := checker.leave_off()) is not None:
            found.tables, tables = tables, []
            keep.hand_over(place, found)
        # Where an input's events never come, it is not looked for at every record.
        since = 0 if found is not None or since >= keep.every + _TRIES else since
    found = checker.finish()
    found.differences, found.awaited = told_apart(reader, found.differences)
    found.tables = tables
    return found


def verify_round(
    reader: Reader, round_id: str, tick: Tick, witness: Witness = NO_WITNESS
) -> Verdict:
    """Check all logs' chains, and every decision that belongs to one round."""
    records = reader.of_round(round_id)
    found = _decisions_of(reader, round_id, records)
    found.differences, found.awaited = told_apart(reader, found.differences)
    logs = check_chains(reader, tick, witness)
    return Verdict(
        round_id,
        logs,
        found,
        checkpoints=witness.faults,
        lost_keys=witness.lost_keys,
        lodged=witness.compared,
    )


def decisions_of_round(reader: Reader, round_id: str) -> Decisions:
    """Check a round's own streams and its shoes, however long other streams are."""
    brief = ("round", "settlement", "shoe")
    records = reader.of_round(round_id)
    own = [item for item in records if category_of(item.stream) in brief]
    return _decisions_of(reader, round_id, own)


def _decisions_of(reader: Reader, round_id: str, records: list[Envelope]) -> Decisions:
    checker = Checker(reader)
    for record in _neighbourhood(reader, round_id, records):
        checker.take(record, check=_belongs(record, round_id))
    return checker.finish()


def _belongs(record: Envelope, round_id: str) -> bool:
    return record.round_id == round_id or category_of(record.stream) == "shoe"


def _neighbourhood(
    reader: Reader, round_id: str, records: list[Envelope]
) -> Iterable[Envelope]:
    """Return the round's streams from their beginning to the round's last record."""
    last = {record.stream: record.version for record in records}
    shoes = {record.stream for record in records if record.service == "shoe"}
    own = [round_id, settlement_stream(round_id)]
    order = [*own, table_stream(round_id.partition("-")[2].rpartition("-")[0])]
    for stream in sorted(last, key=lambda name: (name not in order, name)):
        for record in reader.of_stream(stream):
            if stream not in shoes and record.version > last[stream]:
                break
            yield record
