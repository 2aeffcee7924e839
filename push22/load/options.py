"""What `push22 load` is told on the command line, and what it makes of it."""

import math
from dataclasses import dataclass
from pathlib import Path

from blackjack.rule_sets import RULE_SETS
from push22.errors import Failure
from push22.load.chaos import KINDS
from push22.load.places import Place
from push22.load.settings import Arrivals, Settings, Shares, Slo

_RATES_MAX = 200
_PLAYERS_MAX = 5000
_MODES = ("--door", "--embedded", "--broker")
SOAK_QUARTERS = 4


@dataclass(frozen=True, slots=True)
class Where:
    """Which casino to load.

    Parameters
    ----------
    embedded
        Start a casino in one process on a temporary directory, and remove it.
    broker
        Start Kafka, PostgreSQL, all services and a gateway, and remove them.
    door
        A casino that runs already: http://HOST:PORT.
    operators
        The operators file of that door: its first operator's tables are opened.
    metrics
        Where its processes tell how they do: name=http://host:port/metrics,...
    data
        Its data directory, for the audit.
    dsn
        Or its logs in PostgreSQL, for the audit.
    chaos
        With --broker, in the middle: broker-kill, slow-wallet or rebalance.

    """

    embedded: bool = False
    broker: bool = False
    door: str = ""
    operators: Path | None = None
    metrics: str = ""
    data: Path | None = None
    dsn: str = ""
    chaos: str = ""

    def check(self) -> None:
        """Raises Failure where not one casino is meant."""
        chosen = (bool(self.door), self.embedded, self.broker)
        if sum(chosen) != 1:
            raise Failure("load", f"choose one of {', '.join(_MODES)}", 2)
        if self.door and self.operators is None:
            raise Failure("--operators", "give the door's operators file", 2)
        if self.door and not self.door.startswith(("http://", "https://")):
            raise Failure("--door", "give an address: http://HOST:PORT", 2)
        if self.chaos and (self.chaos not in KINDS or not self.broker):
            kinds = ", ".join(KINDS)
            raise Failure("--chaos", f"with --broker, one of {kinds}", 2)

    def place(self) -> Place:
        """Return the place of a casino that runs already. Raises Failure."""
        books: tuple[str, ...] = ()
        if self.data is not None:
            books = ("--data", str(self.data))
        elif self.dsn:
            books = ("--dsn", self.dsn)
        pairs = [item.partition("=") for item in self.metrics.split(",") if item]
        if not all(name and url.startswith("http") for name, _, url in pairs):
            raise Failure("--metrics", "give name=http://host:port/metrics,...", 2)
        return Place(
            door=self.door.rstrip("/"),
            operators=str(self.operators),
            broker="not known: it ran already",
            metrics={name: url for name, _, url in pairs},
            books=books,
        )


@dataclass(frozen=True, slots=True)
class How:
    """How hard, for how long, and what players do.

    Parameters
    ----------
    players
        So many players, each with a table of its own.
    rate
        Rounds that begin a second.
    ramp
        Instead FROM:TO:STEP: one rate after another, up to the first that is not held.
    runs
        So many runs at the rate: their spread says what a difference means.
    soak
        Look for what only time shows, over the four quarters of `seconds`.
    seconds
        How long each rate, run or the whole soak is driven.
    warm_up
        Seconds before that are driven and not counted.
    idle
        Seconds before all that: tables are open, nobody plays, and it is measured.
    seed
        Arrivals and moods follow from it.
    arrivals
        poisson, or constant.
    rules
        The rule set of the tables.
    pace
        Seconds between a player's actions.
    switch
        The share of switches that are taken where they are offered.
    insure
        The share of insurances that are taken where they are offered.
    split
        The share of splits that are taken where they are offered.
    leave
        The share of rounds whose player goes away in the middle.
    stall
        The share of rounds whose player lets a clock run out.
    p50
        The objective: half of the actions within so many milliseconds.
    p99
        And 99 % of them.

    """

    players: int = 100
    rate: float = 10.0
    ramp: str = ""
    runs: int = 1
    soak: bool = False
    seconds: float = 30.0
    warm_up: float = 10.0
    idle: float = 0.0
    seed: int = 1
    arrivals: Arrivals = "poisson"
    rules: str = "ny-switch-6d"
    pace: float = 0.5
    switch: float = 0.5
    insure: float = 0.1
    split: float = 0.8
    leave: float = 0.02
    stall: float = 0.02
    p50: float = 15.0
    p99: float = 80.0

    def settings(self, chaos: str) -> Settings:
        """Check everything and put it together. Raises Failure."""
        shares = Shares(self.switch, self.insure, self.split, self.leave, self.stall)
        _check_range("--players", self.players, 1, _PLAYERS_MAX)
        _check_range("--seconds", self.seconds, 1, 86_400)
        _check_range("--warm-up", self.warm_up, 0, 3600)
        _check_range("--idle", self.idle, 0, 3600)
        _check_range("--pace", self.pace, 0, 60)
        for share in (self.switch, self.insure, self.split, self.leave, self.stall):
            _check_range("shares", share, 0, 1)
        if self.rules not in RULE_SETS:
            raise Failure("--rules", f"there are {', '.join(RULE_SETS)}", 2)
        if self.ramp and (self.soak or self.runs != 1):
            raise Failure("--ramp", "is alone: neither --runs nor --soak", 2)
        rates = rates_of(self.ramp) if self.ramp else (self.rate,) * self._many()
        for rate in rates:
            _check_range("rate", rate, 0.1, 10_000)
        return Settings(
            players=self.players,
            rates=rates,
            is_ramp=bool(self.ramp),
            is_soak=self.soak,
            seconds=self.seconds / (SOAK_QUARTERS if self.soak else 1),
            warm_up_s=self.warm_up,
            idle_s=self.idle,
            seed=self.seed,
            arrivals=self.arrivals,
            shares=shares,
            pace_s=self.pace,
            rule_set=self.rules,
            slo=Slo(self.p50, self.p99),
            chaos=chaos,
        )

    def _many(self) -> int:
        _check_range("--runs", self.runs, 1, 50)
        return SOAK_QUARTERS if self.soak else self.runs


def rates_of(ramp: str) -> tuple[float, ...]:
    """Read `from:to:step`. Raises Failure."""
    try:
        first, last, step = (float(word) for word in ramp.split(":"))
    except ValueError as error:
        raise Failure("--ramp", "is not like 10:60:10", 2) from error
    is_finite = all(math.isfinite(x) for x in (first, last, step))
    if not is_finite or not 0 < first <= last or step <= 0:
        raise Failure("--ramp", "goes up: 10:60:10", 2)
    many = int((last - first) / step + 1e-9) + 1
    _check_range("--ramp", many, 1, _RATES_MAX)
    return tuple(first + number * step for number in range(many))


def _check_range(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise Failure(name, f"must be {least:g} to {most:g}", 2)
