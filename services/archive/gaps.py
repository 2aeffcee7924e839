"""What a round's records lack, have twice, or have too late (V7).

Judged from the records alone. That a log is whole is the chain's to say; this says
what is odd about one round, so that nobody has to find it by eye.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

from contracts import round_events as e
from contracts import wallet as w
from contracts.identities import category_of
from services.archive.rebuild import Step
from services.archive.round_book import transfers_in

Known = Callable[[str], bool]
"""Whether the logs hold a record of that id."""

_GAPLESS = ("round", "settlement")
"""The streams that one round has for itself."""


class Oddity(NamedTuple):
    kind: Literal["missing", "repeated", "late"]
    sequence: int
    record: str
    text: str


def oddities(steps: Iterable[Step], known: Known) -> tuple[Oddity, ...]:
    """Return all that is odd, in the order of the round."""
    steps = tuple(steps)
    found = [
        *_missing_versions(steps),
        *_missing_causes(steps, known),
        *_repeated(steps),
        *_late_funds(steps),
        *_late_hours(steps),
    ]
    return tuple(sorted(found, key=lambda item: item.sequence))


def _missing_versions(steps: tuple[Step, ...]) -> Iterator[Oddity]:
    newest: dict[str, int] = {}
    by_version = sorted(steps, key=lambda step: step.record.version)
    for step in by_version:
        record = step.record
        if category_of(record.stream) not in _GAPLESS:
            continue
        due = newest.get(record.stream, 0) + 1
        if record.version > due:
            last = record.version - 1
            which = f"{due}" if due == last else f"{due} to {last}"
            text = f"version {which} of {record.stream} is not there"
            yield Oddity("missing", step.sequence, record.id, text)
        newest[record.stream] = record.version


def _missing_causes(steps: tuple[Step, ...], known: Known) -> Iterator[Oddity]:
    ids = {step.record.id for step in steps}
    for step in steps:
        cause = step.record.cause
        if cause is None or cause.kind != "event" or cause.id in ids:
            continue
        if not known(cause.id):
            text = f"its cause {cause.id} is not there"
            yield Oddity("missing", step.sequence, step.record.id, text)


def _repeated(steps: tuple[Step, ...]) -> Iterator[Oddity]:
    """The same input handled twice by one stream, or money moved under one id twice."""
    inputs: dict[tuple[str, str], str] = {}
    moves: dict[str, str] = {}
    for step in steps:
        record = step.record
        if record.cause is not None and record.cause.kind != "outage":
            key = record.stream, f"{record.cause.kind} {record.cause.id}"
            if first := inputs.get(key):
                text = f"{key[1]} was answered by {first} already"
                yield Oddity("repeated", step.sequence, record.id, text)
            inputs.setdefault(key, record.id)
        for move in transfers_in(step.event):
            if first := moves.get(move.id):
                text = f"transfer {move.id} was booked by {first} already"
                yield Oddity("repeated", step.sequence, record.id, text)
            moves.setdefault(move.id, record.id)


def _late_funds(steps: tuple[Step, ...]) -> Iterator[Oddity]:
    """The wallet's answer came when the table had stopped waiting (H1)."""
    given_up: dict[str, int] = {}
    for step in steps:
        match step.event:
            case e.FundsDeclined() | e.WagersRefused() as event:
                if event.reason == "funds_not_confirmed":
                    given_up[event.reservation] = step.sequence
    for step in steps:
        match step.event:
            case w.FundsReserved() | w.FundsRefused() as answer:
                since = given_up.get(answer.reservation)
                if since is not None:
                    text = f"the table had given up {answer.reservation} at {since}"
                    yield Oddity("late", step.sequence, step.record.id, text)


def _late_hours(steps: tuple[Step, ...]) -> Iterator[Oddity]:
    """Clocks that were extended after an outage, and an effect older than its cause."""
    times = {step.record.id: step.record.recorded_at for step in steps}
    for step in steps:
        record = step.record
        if isinstance(step.event, e.ClockExtended):
            text = f"nothing was handled for {step.event.by_ms} ms: clocks go on longer"
            yield Oddity("late", step.sequence, record.id, text)
        before = times.get(record.caused_by, 0)
        if record.recorded_at < before:
            text = f"recorded {before - record.recorded_at} µs before its cause"
            yield Oddity("late", step.sequence, record.id, text)
