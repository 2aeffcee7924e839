"""Rows of an index of rounds as the projection makes them, for as many as needed.

They are inserted, not projected: a million rounds are there within a minute. What is
rare in a casino is rare here, and old rounds differ from new ones: a rule set that is
not dealt any more, stakes that were higher, an outage long ago.
"""

import random
import sqlite3
from collections.abc import Iterator

from contracts.round_search import LINE_OUTCOMES
from services.archive.index_tables import BITS, DDL, OUTAGE, VOID

START = 1_700_000_000_000_000
STEP_US = 5_000_000
TABLES = 64
PLAYERS = 20_000
OPERATORS = ("acme", "rival", "local")

_ROUND = f"INSERT INTO archive_rounds VALUES ({', '.join('?' * 13)})"
_SEAT = f"INSERT INTO archive_players VALUES ({', '.join('?' * 22)})"
_CALL = "INSERT INTO archive_calls VALUES (?, ?, ?)"
_TRANSFER = "INSERT INTO archive_transfers VALUES (?, ?, ?)"
_MAIN = ("main_win", "main_lose", "main_push", "main_bust", "main_blackjack")
_SIDE = ("side_win", "side_lose")

Row = tuple[object, ...]


class Casino:
    """Makes the rounds of a casino one after the other."""

    def __init__(self, seed: int, rounds: int) -> None:
        self.chance = random.Random(seed)
        self.rounds = rounds
        self.numbers = [0] * TABLES

    def round(self, at: int) -> tuple[Row, list[Row]]:
        """Return a round's row and those of its seats."""
        chance, age = self.chance, at / self.rounds
        table = min(int(chance.expovariate(0.06)), TABLES - 1)
        self.numbers[table] += 1
        number = self.numbers[table]
        rule_set = f"rules-{table % 5}" if age > 0.01 else "rules-old"
        opened = START + at * STEP_US + chance.randrange(STEP_US // 2)
        status = chance.choices(("settled", "void", "abandoned"), (990, 1, 9))[0]
        status = "open" if at >= self.rounds - 20 else status
        closed = 0 if status == "open" else opened + 30_000_000
        interrupted = OUTAGE * (0.2 < age < 0.2005) | VOID * (status == "void")
        place = (rule_set, "EUR", status, opened, closed)
        shoe = f"shoe-t{table}-{number // 40}"
        name = f"round-t{table}-{number}"
        terms = (rule_set, "digest", "1", "EUR", shoe)
        head = (name, f"t{table}", number, *terms, *place[2:])
        seats = [] if status == "abandoned" else self._seats(age)
        rows = [self._seat((name, f"t{table}"), place, interrupted, x) for x in seats]
        return (*head, opened + 20_000_000, interrupted), rows

    def _seats(self, age: float) -> list[Row]:
        count = self.chance.choices((1, 2, 3), (70, 20, 10))[0]
        found = {self._player(age) for _ in range(count)}
        return [(player, age) for player in sorted(found)]

    def _player(self, age: float) -> str:
        """Few play much, most play little; one left long ago."""
        if age < 0.001:
            return "acme.gone"
        number = min(int(self.chance.paretovariate(0.5)), PLAYERS)
        return f"{OPERATORS[number % 3]}.p{number}"

    def _seat(
        self, name: tuple[str, str], place: Row, interrupted: int, who: Row
    ) -> Row:
        chance, (player, age) = self.chance, who
        assert isinstance(player, str)
        assert isinstance(age, float)
        staked = chance.choice((1000, 2000, 2100, 4000, 10_000)) * (
            5 if age < 0.1 else 1
        )
        results = BITS[chance.choice(_MAIN)] | BITS[chance.choice(_SIDE)]
        paid = chance.choice((0, 0, staked, 2 * staked, staked * 3 // 2))
        if age < 0.05 and chance.random() < 0.02:
            results |= BITS["main_surrender"] | BITS["insurance_lose"]
        if chance.random() < 0.00001:
            paid = staked * 41
        rule_set, currency, status, opened, closed = place
        is_open = not closed
        return (
            name[0],
            player,
            player.partition(".")[0],
            name[1],
            rule_set,
            currency,
            status,
            opened,
            closed,
            interrupted,
            0 if is_open else staked,
            0 if is_open else paid,
            0 if is_open else paid - staked,
            staked if is_open else 0,
            *(0, 0, 0, 0),
            0 if is_open else results,
            int(chance.random() < 0.002),
            int(0.5 < age < 0.501 and chance.random() < 0.2),
            f"session-{player}-{int(age * 50)}",
        )


def fill(sql: sqlite3.Connection, rounds: int, seed: int = 22) -> None:
    """Make an index of so many rounds."""
    for statement in DDL[:4]:
        sql.execute(statement)
    casino = Casino(seed, rounds)
    for at in range(rounds):
        row, seats = casino.round(at)
        sql.execute(_ROUND, row)
        for seat in seats:
            sql.execute(_SEAT, seat)
            sql.executemany(_CALL, _calls(row, seat))
            name = f"{row[0]}:bet:{seat[1]}:reserve"
            sql.execute(_TRANSFER, (name, row[0], f"wallet-{seat[1]}.EUR@{at + 1}"))
    for statement in DDL[4:]:
        sql.execute(statement)


def _calls(row: Row, seat: Row) -> Iterator[Row]:
    for kind in ("debit", "credit"):
        yield f"{row[0]}-{seat[1]}-{kind}", row[0], f"theirs-{row[0]}-{seat[1]}-{kind}"


assert set(_MAIN) | set(_SIDE) <= set(LINE_OUTCOMES)
