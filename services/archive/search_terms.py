"""What a question to the index of rounds means as conditions on rounds or seats."""

from collections.abc import Iterator
from typing import NamedTuple

from contracts.round_search import OVERDUE_US, Place, Query
from services.archive.index_tables import (
    BITS,
    LISTED_OUTCOMES,
    LISTS,
    has_result,
    list_name,
)

ROUNDS, SEATS = "archive_rounds", "archive_players"

_NETS = {"won": "> 0", "lost": "< 0", "even": "= 0"}
_AMOUNTS = ("staked", "paid", "net")
_OVERDUE = f"""
    +round_id IN (SELECT round_id FROM {ROUNDS}
                  WHERE status = 'open' AND status <> 'settled'
                    AND due_at BETWEEN 1 AND ?)
"""  # noqa: S608 - ours
_END: Place = (2**62, "")

Values = tuple[object, ...]


class Term(NamedTuple):
    """A condition. `by` is the same in the words of the list that is kept for it.

    As a mere condition it names its column with a plus, which keeps SQLite from
    walking another list than the one that was chosen.
    """

    text: str
    values: Values = ()
    by: str = ""
    list: str = ""
    is_ordered: bool = True


class Case(NamedTuple):
    """Conditions that hold together for one row of a table."""

    table: str
    terms: tuple[Term, ...]


def cases_of(query: Query) -> tuple[Case, ...]:
    """Return the ways in which a row may fit: one, or two for `interrupted`."""
    table = SEATS if _is_of_seats(query) else ROUNDS
    terms = (*_equal(table, query), *_of_seats(query))
    if not query.interrupted:
        return (Case(table, terms),)
    late = query.now - OVERDUE_US
    open_ = _flag(table, "status", "status = 'open'", "+status = 'open'")
    overdue = Term(_OVERDUE, (late,))
    marked = _flag(table, "interrupted", "interrupted > 0", "+interrupted > 0")
    return Case(table, (*terms, marked)), Case(table, (*terms, open_, overdue))


def span_of(query: Query) -> tuple[Place, Place]:
    """Return from which place on and up to before which one rounds are looked at."""
    until = (query.until, "") if query.until else _END
    return (query.since, ""), min(until, query.before or _END)


def _is_of_seats(query: Query) -> bool:
    asked = [getattr(query, name) for name in _ranges()]
    of_seats = (query.operator, query.player, query.session, query.outcome)
    return any(x is not None for x in asked) or any(
        (*of_seats, query.retried, query.automatic)
    )


def _ranges() -> Iterator[str]:
    return (f"{name}_{end}" for name in _AMOUNTS for end in ("min", "max"))


def _equal(table: str, query: Query) -> Iterator[Term]:
    asked = {
        "session": query.session,
        "player": query.player,
        "status": query.status,
        "table_id": query.table,
        "rule_set": query.rule_set,
        "operator": query.operator,
        "currency": query.currency,
    }
    for column, value in asked.items():
        if value:
            yield _listed(table, column, value)


def _listed(table: str, column: str, value: str) -> Term:
    text, values = f"{column} = ?", (value,)
    if (table, column) not in LISTS or value == "settled":
        return Term(f"+{text}", values)
    only = LISTS[table, column]
    by = f"{text} AND {only}" if only else text
    return Term(f"+{text}", values, by, list_name(table, column))


def _flag(table: str, column: str, by: str, text: str) -> Term:
    only = LISTS[table, column]
    by = by if by == only else f"{by} AND {only}"
    return Term(text, (), by, list_name(table, column))


def _of_seats(query: Query) -> Iterator[Term]:
    for name in ("retried", "automatic"):
        if getattr(query, name):
            yield _flag(SEATS, name, f"{name} > 0", f"+{name} > 0")
    if query.outcome in _NETS:
        yield Term(f"+closed_at > 0 AND +net_minor {_NETS[query.outcome]}")
        yield Term("+status <> 'abandoned'")
    elif query.outcome:
        yield _result(query.outcome)
    for name in _AMOUNTS:
        ends = (getattr(query, f"{name}_min"), getattr(query, f"{name}_max"))
        if ends != (None, None):
            yield _amount(f"{name}_minor", *ends)


def _result(outcome: str) -> Term:
    text = f"+results & {BITS[outcome]} > 0"
    if outcome not in LISTED_OUTCOMES:
        return Term(text)
    return Term(text, (), has_result(outcome), list_name(SEATS, outcome))


def _amount(column: str, least: int | None, most: int | None) -> Term:
    low = -(2**62) if least is None else least
    high = 2**62 if most is None else most
    text = f"{column} BETWEEN ? AND ?"
    only = "closed_at > 0"
    by = f"{text} AND {only}"
    name = list_name(SEATS, column)
    return Term(f"+{text} AND +{only}", (low, high), by, name, is_ordered=False)
