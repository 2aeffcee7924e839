"""The tables of a pack: settlement lines, transfers and balances; all events (H8).

`verify.py` writes the same tables again from the records and compares them.
"""

import csv
import io
from collections.abc import Iterable, Iterator

from contracts import round_events as e
from contracts import settlement as st
from contracts.envelope import Micros
from contracts.identities import correction_id, operator_of
from push22.evidence.gather import Gathered
from push22.inspect.money import moment
from push22.inspect.wording import actor_of, words_of
from services.archive.put_right import corrections_of
from services.archive.round_book import transfers_in
from services.archive.round_money import money_of

Row = list[object]

_NONE: list[Row] = [["no activity"]]
_BALANCE = ("before_minor", "net_minor", "other_minor", "owed_minor", "after_minor")
_APPROVAL = (
    *("case", "proposed_by", "approved_by", "outcome"),
    *("before_minor", "after_minor"),
)


def lines_csv(found: Gathered, made_at: Micros) -> bytes:
    """Return settlement lines, transfers and balances, in minor units."""
    money = ["stake_minor", "payout_minor", "net_minor", "clauses"]
    return _csv(
        [
            *_heading(
                found, made_at, "Settlement lines, transfers and balances of one round"
            ),
            ["part", "wager", "player", "result", *money],
            *(list(_settled(found)) or _NONE),
            [],
            ["transfer", "record", "debit", "credit", "amount_minor"],
            *(list(_transfers(found)) or _NONE),
            [],
            ["player", "kept_by", *_BALANCE],
            *(list(_balances(found)) or _NONE),
            [],
            ["correction", "player", "amount_minor", *_APPROVAL],
            *(list(_corrections(found)) or _NONE),
        ]
    )


def timeline_csv(found: Gathered, made_at: Micros) -> bytes:
    """Return every record with its place and what it says."""
    names = ["sequence", "foreign", "time_utc", "microseconds", "service", "partition"]
    names += ["offset", "record", "type", "actor", "words"]
    heading = _heading(found, made_at, "Events of one round, in order")
    return _csv([*heading, list(names), *_events(found)])


def _csv(rows: Iterable[Row]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


def operators_of(found: Gathered) -> list[str]:
    """Return the operators whose players sat there or had money moved."""
    closed = next(found.of(e.RoundClosed))
    wallets = {s.event.player for s in found.steps if s.record.service == "wallet"}
    names = {*closed.players, *wallets}
    return sorted({operator_of(name) for name in names if "." in name})


def _heading(found: Gathered, made_at: Micros, title: str) -> list[Row]:
    return [
        ["operator", " ".join(operators_of(found)) or "none"],
        ["title", title],
        ["interval UTC", moment(found.opened_at), moment(found.closed_at)],
        ["made at UTC", moment(made_at)],
        ["round", found.round_id],
        ["currency", found.terms.currency],
        [],
    ]


def _settled(found: Gathered) -> Iterator[Row]:
    for event in found.of(st.WagersSettled):
        for item in event.lines:
            line = item.line
            stake, paid = line.stake_minor, line.payout_minor
            money = [stake, paid, paid - stake, " ".join(line.clauses)]
            yield [event.part, line.label, item.player, line.result, *money]
    for event in found.of(st.RoundVoidSettled):
        for back in event.refunds:
            money = [back.stake_minor, back.stake_minor, back.lost_minor, ""]
            yield [event.part, back.label, back.player, "void", *money]


def _transfers(found: Gathered) -> Iterator[Row]:
    for item in found.shown:
        for move in transfers_in(item.event):
            names = [move.id, item.entry.id, move.debit, move.credit]
            yield [*names, move.amount_minor]


def _balances(found: Gathered) -> Iterator[Row]:
    for player, money in money_of(found.steps).items():
        *amounts, is_operators = money
        yield [player, "operator" if is_operators else "casino", *amounts]


def _corrections(found: Gathered) -> Iterator[Row]:
    for item in corrections_of(found.steps):
        name = correction_id(item.case, item.proposal)
        people = [item.proposed_by, item.approved_by]
        balances = [item.before_minor, item.after_minor]
        about = [name, item.player, item.amount_minor, item.case]
        yield [*about, *people, item.outcome, *balances]


def _events(found: Gathered) -> Iterator[Row]:
    for item in found.shown:
        entry, at = item.entry, item.envelope.recorded_at
        yield [
            entry.sequence,
            "yes" if entry.foreign else "no",
            moment(at),
            at,
            entry.service,
            entry.partition,
            entry.offset,
            entry.id,
            entry.type,
            found.eyes.hide(actor_of(item.envelope, item.event)),
            found.eyes.hide(words_of(item.event)),
        ]
