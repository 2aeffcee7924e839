"""How fast a round is found among a million: by each key, by several, rare and common.

Run `python bench/archive_search.py [ROUNDS]`. The rows are inserted as the projection
makes them (bench/archive/rows.py); each question opens the file anew, as the door does.
A question whose work is bounded and that has not looked everywhere is marked `+`: the
whole search asks so often again as the column `pages` says.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from archive.rows import PLAYERS, START, STEP_US, TABLES, fill
from hdrh.histogram import HdrHistogram
from msgspec.structs import replace

from contracts.round_search import LINE_OUTCOMES, Query
from push22.casino import LOG_NAME
from push22.door.index import FileIndex
from runtime.sqlite_file import SqliteFile
from services.archive.project import ROUNDS

GOAL_MS = 50
ASKED = 100
PAGES_MAX = 200
NOW = 2**52


def questions(chance: random.Random, rounds: int) -> Iterator[tuple[str, Query]]:
    """Return each way to search with keys as they come, rare and common ones."""
    player = f"{chance.choice(('acme', 'rival', 'local'))}.p{_rank(chance)}"
    table = f"t{chance.randrange(TABLES)}"
    yield from by_name(chance, player, f"{table}-{chance.randrange(1, rounds // 64)}")
    yield "player", Query(player=player)
    yield "table", Query(table=table)
    yield "operator", Query(operator="local")
    yield "rule set", Query(rule_set=chance.choice(("rules-1", "rules-old")))
    for status in ("open", "settled", "void", "abandoned"):
        yield f"status {status}", Query(status=status)
    for outcome in ("won", "lost", "even", *LINE_OUTCOMES):
        yield f"outcome {outcome}", Query(outcome=outcome)
    yield "interrupted", Query(interrupted=True)
    yield "retried", Query(retried=True)
    yield "automatic", Query(automatic=True)
    since = chance.randrange(START, START + rounds * STEP_US)
    yield "time", Query(since=since, until=since + 10**10)
    yield "table, deep page", Query(table=table, before=(since, ""))
    deep = Query(before=(since, ""), outcome="won", operator="rival")
    yield "all, deep page", deep
    yield from by_amount(chance, player, table)
    yield "player + outcome", Query(player=player, outcome="lost")
    yield "operator + automatic", Query(operator="acme", automatic=True)
    yield "automatic + retried, none", Query(automatic=True, retried=True)
    yield "rule set + void", Query(rule_set="rules-2", status="void")
    yield "player + interrupted", Query(player=player, interrupted=True)


def by_name(
    chance: random.Random, player: str, place: str
) -> Iterator[tuple[str, Query]]:
    name = f"round-{place}"
    theirs = f"theirs-{name}-rival.p1-credit"
    yield "the newest", Query()
    yield "200 rows of everything", Query(limit=200, outcome="main_push")
    yield "round", Query(round_id=name)
    yield "our transaction", Query(transaction=f"{name}-rival.p1-debit")
    yield "operator's transaction", Query(operator_transaction=theirs)
    yield "shoe", Query(shoe=f"shoe-{place.partition('-')[0]}-{chance.randrange(100)}")
    yield "session", Query(session=f"session-{player}-{chance.randrange(50)}")


def by_amount(
    chance: random.Random, player: str, table: str
) -> Iterator[tuple[str, Query]]:
    won = Query(net_min=chance.choice((1, 1000, 20_000, 300_000)))
    yield "amount, net", won
    yield "amount, staked, long ago", Query(staked_min=50_000)
    yield "amount, paid", Query(paid_min=2000, paid_max=chance.choice((2000, 9000)))
    yield "player + amount", replace(won, player=player)
    yield "table + amount + outcome", replace(won, table=table, outcome="main_bust")
    yield "outcome + amount, none", replace(won, outcome="lost")


def _rank(chance: random.Random) -> int:
    """Return a player who plays much as often as one who plays little."""
    return min(int(2 ** chance.uniform(0, 15)), PLAYERS)


def _ms(values: HdrHistogram, percent: float) -> str:
    return f"{values.get_value_at_percentile(percent) / 1000:>8.2f}"


def pages(index: FileIndex, query: Query) -> int:
    """Return how often a search is asked until its page is full."""
    for count in range(1, PAGES_MAX):
        found = index.find(query)
        if found.place is None or len(found.rows) == query.limit:
            return count
        left = query.limit - len(found.rows)
        query = replace(query, before=found.place, limit=left)
    return PAGES_MAX


class Timed:
    """What one kind of question takes, by the clock and of the processor."""

    def __init__(self) -> None:
        self.wall, self.cpu = HdrHistogram(1, 10**8, 3), HdrHistogram(1, 10**8, 3)

    def note(self, wall_s: float, cpu_s: float) -> None:
        self.wall.record_value(int(wall_s * 1e6))
        self.cpu.record_value(int(cpu_s * 1e6))

    def line(self) -> str:
        return f"{_ms(self.wall, 50)} {_ms(self.wall, 99)} {_ms(self.cpu, 99)}"


def measure(path: Path, rounds: int) -> float:
    """Print what each kind of question takes; return the whole's 99th percentile."""
    index, chance = FileIndex(path), random.Random(1)
    kinds: dict[str, Timed] = {}
    asked: dict[str, int] = {}
    every = Timed()
    for turn in range(ASKED):
        for kind, query in questions(chance, rounds):
            asked_now = replace(query, now=NOW)
            began, cpu_began = time.perf_counter(), time.process_time()
            index.find(asked_now)
            took = time.perf_counter() - began, time.process_time() - cpu_began
            kinds.setdefault(kind, Timed()).note(*took)
            every.note(*took)
            if turn == 0:
                asked[kind] = pages(index, asked_now)
    print(f"{'':28} {'p50 ms':>8} {'p99 ms':>8} {'p99 CPU':>8} {'pages':>6}")
    for kind, values in kinds.items():
        print(f"{kind:28} {values.line()} {asked[kind]:>6}")
    print(f"{'all':28} {every.line()}")
    return every.wall.get_value_at_percentile(99) / 1000


def made(path: Path, rounds: int) -> None:
    """Make a casino's file with an index of so many rounds, and no logs."""
    file = SqliteFile.open(path)
    file.execute("PRAGMA cache_size = -200000")
    with file.transaction() as sql:
        fill(sql, rounds)
        mark = (ROUNDS.key, ROUNDS.mark)
        sql.execute("INSERT INTO meta VALUES (?, ?)", mark)
    file.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rounds", nargs="?", type=int, default=1_000_000)
    parser.add_argument("--file", type=Path, help="ask this index, or make and keep it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = options.file or Path(folder) / LOG_NAME
        if not path.exists():
            made(path, options.rounds)
        size = path.stat().st_size / 2**20
        print(f"{options.rounds:,} rounds, {size:,.0f} MiB\n")
        found = measure(path, options.rounds)
    verdict = "reached" if found <= GOAL_MS else "MISSED"
    print(f"p99 of all {found:.1f} ms; the goal is {GOAL_MS} ms: {verdict}")


if __name__ == "__main__":
    main()
