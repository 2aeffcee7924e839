"""Whatever is asked of the index of rounds: all that fits is found, in one order."""

import random
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from bench.archive.rows import START, STEP_US, fill
from contracts.round_search import LINE_OUTCOMES, OVERDUE_US, Place, Query
from services.archive import search
from services.archive.index_tables import BITS

ROUNDS = 600
END = START + ROUNDS * STEP_US
NOW = END + OVERDUE_US * 10

RARE = (
    "UPDATE archive_players SET automatic = 2 WHERE held_minor > 0",
    "UPDATE archive_players SET retried = 1 WHERE staked_minor = 2100",
    """
    UPDATE archive_rounds SET status = 'void', interrupted = 2
    WHERE number % 17 = 5 AND status = 'settled'
    """,
    """
    UPDATE archive_players SET status = 'void', interrupted = 2
    WHERE round_id IN (SELECT round_id FROM archive_rounds WHERE status = 'void')
    """,
)
"""What six hundred rounds have none of."""

Row = dict[str, Any]


@pytest.fixture(scope="module")
def sql() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    fill(connection, ROUNDS)
    for change in RARE:
        connection.execute(change)
    yield connection
    connection.close()


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the work of a question be over so soon that it has to go on."""
    monkeypatch.setattr(search, "WALKED", 25)
    monkeypatch.setattr(search, "PASSED", (10, 40))


def asker(sql: sqlite3.Connection) -> search.Ask:
    return lambda text, values: sql.execute(text, values).fetchall()


def pages(sql: sqlite3.Connection, query: Query) -> list[Place]:
    """Ask until nothing is left; return what was found, in that order."""
    found: list[Place] = []
    place = query.before
    for _ in range(2 * ROUNDS):
        page = search.find(asker(sql), replace(query, before=place))
        found += [(row.opened_at, row.round_id) for row in page.rows]
        assert len(page.rows) <= query.limit
        assert place is None or page.place is None or page.place < place
        place = page.place
        if place is None:
            return found
    raise AssertionError("the search has no end")


def fitting(sql: sqlite3.Connection, query: Query) -> list[Place]:
    """Go through all rows and look at each, as the query is to be understood."""
    rounds = rows_of(sql, "archive_rounds")
    seats: dict[str, list[Row]] = {}
    for seat in rows_of(sql, "archive_players"):
        seats.setdefault(seat["round_id"], []).append(seat)
    found = [
        (row["opened_at"], row["round_id"])
        for row in rounds
        if fits(row, query) and any_fits(seats.get(row["round_id"], []), query)
    ]
    return sorted(found, reverse=True)


def rows_of(sql: sqlite3.Connection, table: str) -> list[Row]:
    cursor = sql.execute(f"SELECT * FROM {table}")
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]


def fits(row: Row, query: Query) -> bool:
    is_late = row["status"] == "open" and 0 < row["due_at"] <= query.now - OVERDUE_US
    equal = {
        "table_id": query.table,
        "status": query.status,
        "shoe": query.shoe,
        "rule_set": query.rule_set,
        "currency": query.currency,
    }
    return (
        all(not value or row[name] == value for name, value in equal.items())
        and row["opened_at"] >= query.since
        and (not query.until or row["opened_at"] < query.until)
        and (not query.interrupted or is_late or row["interrupted"] > 0)
    )


def any_fits(seats: list[Row], query: Query) -> bool:
    empty = Query(interrupted=query.interrupted, now=query.now)
    of_rounds = ("table", "status", "shoe", "rule_set", "currency", "since", "until")
    same = {name: getattr(query, name) for name in (*of_rounds, "before", "limit")}
    if replace(empty, **same) == query:
        return True
    return any(seat_fits(seat, query) for seat in seats)


def seat_fits(seat: Row, query: Query) -> bool:
    equal = {
        "player": query.player,
        "operator": query.operator,
        "session": query.session,
    }
    return (
        all(not value or seat[name] == value for name, value in equal.items())
        and has_outcome(seat, query.outcome)
        and all(amount_fits(seat, query, name) for name in ("staked", "paid", "net"))
        and (not query.retried or seat["retried"] > 0)
        and (not query.automatic or seat["automatic"] > 0)
    )


def amount_fits(seat: Row, query: Query, name: str) -> bool:
    least, most = getattr(query, f"{name}_min"), getattr(query, f"{name}_max")
    amount = seat[f"{name}_minor"]
    if least is None and most is None:
        return True
    return (
        seat["closed_at"] > 0
        and (least is None or amount >= least)
        and (most is None or amount <= most)
    )


def has_outcome(seat: Row, outcome: str) -> bool:
    net, is_closed = seat["net_minor"], seat["closed_at"] > 0
    match outcome:
        case "":
            return True
        case "won":
            return bool(is_closed and net > 0)
        case "lost":
            return bool(is_closed and net < 0)
        case "even":
            return bool(is_closed and net == 0)
    return bool(seat["results"] & BITS[outcome])


EACH: dict[str, Any] = {
    "player": ["rival.p1", "acme.gone", "local.p2", "acme.nobody"],
    "operator": ["local", "acme", "nobody"],
    "table": ["t0", "t1", "t40"],
    "status": ["open", "settled", "void", "abandoned"],
    "shoe": ["shoe-t0-0", "shoe-t1-1", "shoe-t9-99"],
    "rule_set": ["rules-1", "rules-old"],
    "currency": ["EUR", "USD"],
    "session": ["session-rival.p1-3", "session-local.p2-30"],
    "outcome": ["won", "lost", "even", *LINE_OUTCOMES],
    "since": [START + 100 * STEP_US, START + 590 * STEP_US],
    "until": [START + 110 * STEP_US, START + 300 * STEP_US],
    "staked_min": [1, 10_000, 10**9],
    "staked_max": [2000],
    "paid_min": [0, 2000],
    "paid_max": [0, 4000],
    "net_min": [-1000, 0, 1],
    "net_max": [-1000, 0],
    "interrupted": [True],
    "retried": [True],
    "automatic": [True],
}


def chosen(chance: random.Random, count: int) -> Query:
    names = chance.sample(sorted(EACH), count)
    asked = {name: chance.choice(EACH[name]) for name in names}
    return Query(**asked, limit=chance.choice((1, 7, 50)), now=NOW)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("name", EACH)
def test_each_way_to_search_finds_all_that_fits(
    name: str, sql: sqlite3.Connection
) -> None:
    """By one key, page by page: what a look at every row finds, newest first."""
    for value in EACH[name]:
        query = Query(**{name: value}, limit=9, now=NOW)
        assert pages(sql, query) == fitting(sql, query), query


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("seed", range(40))
def test_any_combination_finds_all_that_fits(
    seed: int, sql: sqlite3.Connection
) -> None:
    """By several keys at once, rare and common, in pages of any length."""
    chance = random.Random(seed)
    query = chosen(chance, 2 + seed % 4)
    assert pages(sql, query) == fitting(sql, query), query


@pytest.mark.parametrize("seed", range(40, 60))
def test_the_bound_changes_nothing_but_the_pages(
    seed: int, sql: sqlite3.Connection
) -> None:
    """With room for the whole casino in one question the same rounds are found."""
    query = chosen(random.Random(seed), 3)
    assert pages(sql, query) == fitting(sql, query), query


def test_every_way_to_search_was_tried(sql: sqlite3.Connection) -> None:
    """Each key finds rounds here: no test above compares nothing with nothing."""
    empty = {
        name
        for name, values in EACH.items()
        if not any(fitting(sql, Query(**{name: x}, now=NOW)) for x in values)
    }
    assert empty == set()


@pytest.mark.usefixtures("short")
def test_a_round_is_found_by_each_of_its_ids(sql: sqlite3.Connection) -> None:
    """Our id of a transfer or call, and the operator's, lead to the one round."""
    query = "SELECT id, round_id, operator_transaction FROM archive_calls LIMIT 1"
    ours, name, theirs = sql.execute(query).fetchone()
    transfer = "SELECT id FROM archive_transfers WHERE round_id = ?"
    [(moved, *_), *_] = sql.execute(transfer, (name,)).fetchall()

    for asked in (
        Query(round_id=name),
        Query(transaction=ours),
        Query(transaction=moved),
        Query(operator_transaction=theirs),
        Query(operator_transaction=theirs, round_id=name),
    ):
        assert [round_id for _, round_id in pages(sql, asked)] == [name]
    for asked in (
        Query(transaction=theirs),
        Query(operator_transaction=theirs, round_id="round-t0-999999"),
        Query(round_id=name, outcome="won", net_max=0),
    ):
        assert pages(sql, asked) == []


@pytest.mark.usefixtures("short")
def test_the_work_of_a_question_is_bounded(sql: sqlite3.Connection) -> None:
    """What fits nothing is not looked for everywhere at once: a place to go on from."""
    found = search.find(asker(sql), Query(currency="USD"))

    assert found.rows == ()
    assert found.place is not None
    assert found.place[0] > START


def test_no_list_is_read_without_its_index(sql: sqlite3.Connection) -> None:
    """SQLite goes through lists in their order: no scan of all rows, nothing sorted.

    Amounts alone lie in another order; so few are sorted that they are read whole.
    """
    for name, values in EACH.items():
        told: list[str] = []

        def ask(text: str, given: tuple[Any, ...], told: list[str] = told) -> list[Any]:
            plan = sql.execute(f"EXPLAIN QUERY PLAN {text}", given).fetchall()
            if "json_each" not in text and "count(*)" not in text:
                told += [row[3] for row in plan]
            return sql.execute(text, given).fetchall()

        search.find(ask, Query(**{name: values[0]}, now=NOW))
        is_amount = name.startswith(("staked", "paid", "net"))
        assert not [x for x in told if x.startswith("SCAN")], (name, told)
        assert is_amount or not [x for x in told if "TEMP B-TREE" in x], (name, told)


def test_players_and_marks_are_told(sql: sqlite3.Connection) -> None:
    """A row says who sat there with which amounts, and whether it was interrupted."""
    [row, *_] = search.find(asker(sql), Query(status="void", now=NOW)).rows
    seats = "SELECT player, net_minor FROM archive_players WHERE round_id = ?"

    assert row.is_interrupted
    assert [(x.player, x.net_minor) for x in row.seats] == sorted(
        sql.execute(seats, (row.round_id,)).fetchall()
    )
    open_ = search.find(asker(sql), Query(status="open", now=NOW)).rows
    assert open_
    assert all(row.is_interrupted for row in open_)
    early = search.find(asker(sql), Query(status="open", now=START)).rows
    assert not any(row.is_interrupted for row in early)


def test_find_all_goes_on_until_there_are_enough(
    sql: sqlite3.Connection, short: None
) -> None:
    """The command line asks on by itself: as many as wanted, or all there are."""
    del short
    everything = search.find_all(asker(sql), Query(outcome="won", limit=10**6))
    some = search.find_all(asker(sql), Query(outcome="won", limit=33))

    assert len(everything) == len(fitting(sql, Query(outcome="won")))
    assert some == everything[:33]
