"""Asks the index of rounds: one way for the command line, the door and the desk.

The index keeps lists of rounds in the order of time (index_tables.py). Of the lists
that a question allows, the one that leads furthest back is walked, newest first, and
no further than a bounded number of rows: so any question is answered in time, if need
be with a place to go on from.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from contracts.round_search import OVERDUE_US, Found, Place, Query, RoundRow, SeatRow
from services.archive.search_terms import Case, Term, cases_of, span_of

Ask = Callable[[str, tuple[Any, ...]], list[Any]]
"""Runs a reading statement with its values."""

WALKED = 3_000
"""Of a list so many rows are looked up at most, one by one."""
PASSED = (1_000, 4_000, 12_000)
"""Of all rows, which lie in the order of time, so many are gone through at first, and
more if those were not enough."""
_ALIKE = 100
"""A transaction of an operator may be named alike by another one, so often at most."""

_ID = """
    SELECT round_id FROM archive_transfers WHERE id = ?
    UNION SELECT round_id FROM archive_calls WHERE id = ?
"""
_OPERATOR_ID = f"""
    SELECT DISTINCT round_id FROM archive_calls
    WHERE operator_transaction = ? AND operator_transaction <> '' LIMIT {_ALIKE}
"""  # noqa: S608 - ours
_SHOE = "SELECT round_id FROM archive_rounds WHERE shoe = ? AND shoe <> ''"
_OF_THESE = "round_id IN (SELECT value FROM json_each(?))"
_ROWS = f"""
    SELECT round_id, table_id, rule_set, currency, shoe, status, opened_at, closed_at,
           interrupted > 0 OR (status = 'open' AND due_at BETWEEN 1 AND ?)
    FROM archive_rounds WHERE {_OF_THESE} ORDER BY opened_at DESC, round_id DESC
"""  # noqa: S608 - ours
_SEATS = f"""
    SELECT round_id, player, staked_minor, paid_minor, net_minor FROM archive_players
    WHERE {_OF_THESE} ORDER BY round_id, player
"""  # noqa: S608 - ours
_WITHIN = "(opened_at, round_id) >= (?, ?) AND (opened_at, round_id) < (?, ?)"
_NEWEST_FIRST = "ORDER BY opened_at DESC, round_id DESC"


def find(ask: Ask, query: Query) -> Found:
    """Return the rounds that fit, newest first, as far as the work is bounded."""
    ids = _named(ask, query)
    pages = [_page(ask, query, case, ids) for case in cases_of(query)]
    floor = max((floor for _, floor in pages if floor is not None), default=None)
    places = sorted({place for found, _ in pages for place in found}, reverse=True)
    if floor is not None:
        # What lies behind it may not be all: it is found again from there.
        places = [place for place in places if place >= floor]
    shown = places[: query.limit]
    goes_on = shown[-1] if len(places) > query.limit else floor
    return Found(_told(ask, query, shown), goes_on)


def find_all(ask: Ask, query: Query) -> tuple[RoundRow, ...]:
    """Go on until there are as many as asked for, or no more."""
    rows: list[RoundRow] = []
    place = query.before
    while len(rows) < query.limit:
        left = query.limit - len(rows)
        found = find(ask, replace(query, before=place, limit=left))
        rows += found.rows
        place = found.place
        if place is None:
            break
    return tuple(rows)


def _named(ask: Ask, query: Query) -> frozenset[str] | None:
    """Return the rounds that an id leads to; `None` if no id is given.

    A shoe is one too: it is used up after some dozens of rounds.
    """
    sets = []
    if query.round_id:
        sets.append({query.round_id})
    if query.transaction:
        name = query.transaction
        sets.append({row[0] for row in ask(_ID, (name, name))})
    if query.shoe:
        sets.append({row[0] for row in ask(_SHOE, (query.shoe,))})
    if query.operator_transaction:
        rows = ask(_OPERATOR_ID, (query.operator_transaction,))
        sets.append({row[0] for row in rows})
    return frozenset.intersection(*map(frozenset, sets)) if sets else None


def _page(
    ask: Ask, query: Query, case: Case, ids: frozenset[str] | None
) -> tuple[list[Place], Place | None]:
    """Return one place more than asked for, and where the walk was stopped."""
    span = span_of(query)
    if ids is not None:
        these = Term(_OF_THESE, (_json(ids),), _OF_THESE)
        terms = (*case.terms, these)
        return _places(ask, case, terms=terms, span=span, limit=query.limit), None
    term = _longest(ask, case, span)
    for steps in (WALKED,) if term else PASSED:
        is_ordered = term is None or term.is_ordered
        floor = _floor(ask, case, term, span=span, steps=steps) if is_ordered else None
        reached = (floor or span[0], span[1])
        found = _places(
            ask, case, terms=case.terms, span=reached, limit=query.limit, by=term
        )
        if len(found) > query.limit or floor is None:
            break
    return found, floor


def _places(  # noqa: PLR0913 - all of one statement
    ask: Ask,
    case: Case,
    *,
    terms: Sequence[Term],
    span: tuple[Place, Place],
    limit: int,
    by: Term | None = None,
) -> list[Place]:
    """Run the one statement that a search comes down to."""
    conditions = [_WITHIN]
    values: list[object] = [*span[0], *span[1]]
    for term in terms:
        conditions.append(term.by if term is by else term.text)
        values += term.values
    query = (
        f"SELECT DISTINCT opened_at, round_id {_from(case, by)}"
        f" WHERE {' AND '.join(conditions)} {_NEWEST_FIRST} LIMIT ?"
    )
    return [(row[0], row[1]) for row in ask(query, (*values, limit + 1))]


def _from(case: Case, by: Term | None) -> str:
    return f"FROM {case.table}" + (f" INDEXED BY {by.list}" if by else "")


def _longest(ask: Ask, case: Case, span: tuple[Place, Place]) -> Term | None:
    """Choose the list that is over soonest, else the one that leads furthest back.

    `None`: no condition has a list that is of use, so all rows are gone through.
    """
    walks: list[tuple[Place, Term]] = []
    for term in case.terms:
        if not term.list:
            continue
        if not term.is_ordered:
            if _is_short(ask, case, term):
                return term
            continue
        floor = _floor(ask, case, term, span=span, steps=WALKED)
        if floor is None:
            return term
        walks.append((floor, term))
    return min(walks)[1] if walks else None


def _is_short(ask: Ask, case: Case, term: Term) -> bool:
    """Tell whether a list in another order is soon read whole and sorted."""
    query = (
        f"SELECT count(*) FROM (SELECT 1 {_from(case, term)}"  # noqa: S608 - ours
        f" WHERE {term.by} LIMIT {WALKED})"
    )
    [(count,)] = ask(query, term.values)
    return bool(count < WALKED)


def _floor(
    ask: Ask, case: Case, term: Term | None, *, span: tuple[Place, Place], steps: int
) -> Place | None:
    """Return the place so many steps back in a list; `None` if it ends before."""
    where = f"{_WITHIN} AND {term.by}" if term else _WITHIN
    values = (*span[0], *span[1], *(term.values if term else ()))
    query = (
        f"SELECT opened_at, round_id {_from(case, term)}"
        f" WHERE {where} {_NEWEST_FIRST} LIMIT 1 OFFSET {steps}"
    )
    rows = ask(query, values)
    return (rows[0][0], rows[0][1]) if rows else None


def _told(ask: Ask, query: Query, places: Iterable[Place]) -> tuple[RoundRow, ...]:
    names = _json(name for _, name in places)
    seats: dict[str, list[SeatRow]] = {}
    for round_id, *seat in ask(_SEATS, (names,)):
        seats.setdefault(round_id, []).append(SeatRow(*seat))
    late = query.now - OVERDUE_US
    found = (RoundRow(*row) for row in ask(_ROWS, (late, names)))
    return tuple(
        replace(
            row,
            is_interrupted=bool(row.is_interrupted),
            seats=tuple(seats.get(row.round_id, ())),
        )
        for row in found
    )


def _json(names: Iterable[str]) -> str:
    return msgspec.json.encode(list(names)).decode()
