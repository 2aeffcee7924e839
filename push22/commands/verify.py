"""`push22 verify`: are the logs whole, the cards proved, the decisions right?"""

import sys
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from contracts import ENGINE_VERSION
from push22.errors import Failure
from push22.inspect.counting import counted
from push22.inspect.elsewhere import readable
from push22.inspect.index_check import INDEX_TABLES
from push22.inspect.job import Job
from push22.inspect.money import moment
from push22.inspect.opening import console, opened, progress
from push22.inspect.parallel import verify_all
from push22.inspect.reader import Reader
from push22.inspect.table_fault import TableFault
from push22.inspect.verify import Decisions, Verdict, verify_round
from push22.inspect.witness import Witness, lines_in, witness_of
from runtime.ambient import KeyMissing
from services.archive.reexecute import Difference

INCOMPLETE = 3
"""The exit status where records are awaited and nothing differs."""

_FAULTS_SHOWN = 20


def verify(  # noqa: PLR0913 - each is a place or a way to look
    round_id: str = "",
    *,
    all: bool = False,  # noqa: A002 - the option's name
    json: bool = False,
    job: Path | None = None,
    checkpoints: Path | None = None,
    keys: Path | None = None,
    data: Path | None = None,
    dsn: str = "",
) -> int:
    """Check chains, checkpoints and card proofs, and make every decision again.

    Exit 1 if anything differs, with the first record that does; 3 if a copy that is
    still catching up lacks records, and what is there is right.

    Parameters
    ----------
    round_id
        Check the decisions of this round only.
    all
        Check the decisions of all rounds; so does naming no round.
    json
        Print the verdict as one JSON document.
    job
        Keep the progress on all rounds in this directory; killed and called again
        with it, go on from there.
    checkpoints
        A copy of checkpoints.jsonl that was lodged elsewhere, beside those in the data.
    keys
        The public keys that are believed; else those in the data directory.
    data
        The casino's data directory; else $PUSH22_DATA, else ./push22-data.
    dsn
        Instead: the logs of a distributed casino, as a role that may read them all,
        postgresql://...; without `--data` else $PUSH22_DSN. What is new in them is
        copied first.

    """
    if round_id and all:
        raise Failure("verify", "name a round or say --all, not both", exit_code=2)
    if round_id and job:
        raise Failure("verify", "a job is for all rounds", exit_code=2)
    lodged = None if checkpoints is None else lines_in(checkpoints)
    with opened(readable(data, dsn)) as reader:
        if round_id and not reader.of_round(round_id):
            raise Failure(round_id, "there is no such round in this log", exit_code=2)
        witness = _witness(reader, lodged, keys)
        total = reader.count()
        with progress("verify", total if round_id else 2 * total) as tick:
            if round_id:
                verdict = verify_round(reader, round_id, tick, witness)
            else:
                verdict = verify_all(reader, tick, witness, Job(job) if job else None)
    if json:
        sys.stdout.write(msgspec.json.encode(verdict).decode() + "\n")
    else:
        _show(console(), verdict)
    if verdict.is_match:
        return 0
    return INCOMPLETE if verdict.is_equal else 1


def _witness(reader: Reader, lodged: list[bytes] | None, keys: Path | None) -> Witness:
    try:
        return witness_of(reader, lodged, keys)
    except KeyMissing as error:
        raise Failure("verify", str(error), exit_code=2) from error


def _show(out: Console, verdict: Verdict) -> None:
    table = Table(box=None, padding=(0, 1), pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for log in verdict.logs:
        if not (log.records or log.faults):
            continue
        state = counted(len(log.faults), "FAULT") if log.faults else "whole"
        name = verdict.log_name(log.service, log.partition)
        table.add_row(f"chain {name}", f"{counted(log.records, 'record')}, {state}")
    table.add_row("checkpoints", _signed(verdict))
    for key in verdict.lost_keys:
        text = f"key {key.key_id} was lost and replaced: it signed until"
        table.add_row("", f"{text} {moment(key.until)}, and no longer")
    for name, text in _findings(verdict.decisions):
        table.add_row(name, text)
    if faults := _table_faults(verdict):
        verb = "CONTRADICTS" if len(faults) == 1 else "CONTRADICT"
        table.add_row("tables", f"{len(faults)} {verb} the records")
    out.print(table)
    _show_faults(out, verdict)
    for awaited in verdict.decisions.awaited[:_FAULTS_SHOWN]:
        place = f"{awaited.service}/{awaited.partition}"
        out.print(f"\nawaited: {awaited.record}")
        out.print(f"  {place} ends at offset {awaited.offset}, within an input")
    if verdict.is_equal:
        word = "MATCH" if verdict.is_match else "INCOMPLETE"
        out.print(f"\n{word}: {verdict.subject}")
        return
    out.print(f"\nDIFFERS: {verdict.subject}")
    for difference in verdict.decisions.differences[:1]:
        name = verdict.log_name(difference.service, difference.partition)
        _show_difference(out, name, difference)


_NONE_SIGNED = (
    "none: a tail cut with its head would not be found; a casino in one process signs"
    " the first within a minute, of a distributed one the archive does"
)


def _signed(verdict: Verdict) -> str:
    """Say how much of the logs is under a signature; the rest is its own witness."""
    count = sum(log.checkpoints for log in verdict.logs)
    records = sum(log.records for log in verdict.logs)
    covered = sum(min(log.covered, log.records) for log in verdict.logs)
    if not count and not verdict.checkpoints:
        return _NONE_SIGNED
    text = f"{counted(count, 'checkpoint')} over {covered:,} of {records:,} records"
    if verdict.lodged:
        text += f", compared with {verdict.lodged:,} lodged elsewhere"
    if verdict.checkpoints:
        text += f", {counted(len(verdict.checkpoints), 'FAULT')}"
    return text


def _table_faults(verdict: Verdict) -> tuple[TableFault, ...]:
    return (*verdict.tables, *verdict.decisions.tables)


def _findings(found: Decisions) -> list[tuple[str, str]]:
    cards, shoes = counted(found.cards_proved, "card"), counted(found.shoes, "shoe")
    proofs = f"{cards} of {shoes} proved"
    if found.proof_faults:
        proofs += f", {counted(len(found.proof_faults), 'FAULT')}"
    again = f"{counted(found.checked, 'record')} made again, "
    verb = "DIFFERS" if len(found.differences) == 1 else "DIFFER"
    again += f"{len(found.differences)} {verb}" if found.differences else "all equal"
    findings = [("card proofs", proofs), ("decisions", again)]
    if found.by_proof_only:
        records = counted(found.by_proof_only, "record")
        text = f"{records} of shoes in use: by their proofs only"
        findings.append(("", text))
    engine = f"this is {ENGINE_VERSION}"
    if found.other_engines:
        others = ", ".join(found.other_engines)
        engine += f", but rounds were played by {others}: run theirs to judge these"
    else:
        engine += ", as recorded"
    return [*findings, ("engine", engine)]


def _show_faults(out: Console, verdict: Verdict) -> None:
    for log in verdict.logs:
        name = verdict.log_name(log.service, log.partition)
        for fault in log.faults[:_FAULTS_SHOWN]:
            out.print(f"\n{fault.kind}: {name}, offset {fault.offset}")
            out.print(f"  {fault.text}")
    for signed in verdict.checkpoints[:_FAULTS_SHOWN]:
        out.print(f"\n{f'{signed.kind}: {signed.log}'.rstrip(': ')}\n  {signed.text}")
    for found in verdict.derived[:_FAULTS_SHOWN]:
        out.print(f"\n{found.table}: {found.service}, {found.stream}\n  {found.text}")
    for proof in verdict.decisions.proof_faults[:_FAULTS_SHOWN]:
        out.print(f"\ncard proof: {proof.shoe} {proof.round_id}\n  {proof.text}")
    for wrong in _table_faults(verdict)[:_FAULTS_SHOWN]:
        out.print(f"\n{f'{wrong.table}: {wrong.row}'.rstrip(': ')}\n  {wrong.text}")
    is_index_wrong = any(wrong.table in INDEX_TABLES for wrong in verdict.tables)
    if is_index_wrong and verdict.are_records_right:
        out.print("\nthe index follows from the logs: push22 rounds --rebuild")


def _show_difference(out: Console, log: str, difference: Difference) -> None:
    out.print(f"\nfirst record that differs: {difference.record}")
    out.print(f"  {log}, offset {difference.offset}: {difference.text}")
    for name, shown in (
        ("expected", difference.expected),
        ("recorded", difference.recorded),
    ):
        if shown is not None:
            out.print(f"  {name}  {shown[0]}")
            out.print(f"            {bytes(shown[1]).decode()}")
