"""One full sample of every event of a table, and the least where parts may lack."""

from contracts import table_events as e
from contracts.table import TableLimits, Timings

ROUND = "round-t1-7"
SHOE = "shoe-t1-3"
ROOT = bytes.fromhex("5e" * 32)
RESERVE_HASH = bytes.fromhex("7a" * 32)
DIGEST = "c0" * 32
LATER = 1_764_504_020_000_000
"""2025-11-30 12:00:20 UTC, in microseconds."""

LIMITS = TableLimits(min_minor=500, max_minor=100000, side_min_minor=200)
TIMINGS = Timings(
    betting_ms=15000,
    seed_ms=4000,
    insurance_ms=10000,
    decision_ms=25000,
    funds_ms=8000,
    min_cycle_ms=5000,
)
OPTIONS: e.Options = {
    "decks": 8,
    "entry": ["new_shoe", "minimum"],
    "penetration": 0.75,
    "soft17": "hit",
    "switch_back": False,
}
"""One value of each type that an option may have; no one rule set has them all."""

TERMS = e.RoundTerms(
    table="t1",
    number=7,
    rule_set="ny-switch-6d",
    options=OPTIONS,
    rule_set_digest=DIGEST,
    engine="1",
    currency="EUR",
    limits=LIMITS,
    timings=TIMINGS,
    shoe=SHOE,
    shoe_root=ROOT,
    shoe_reserve_hash=RESERVE_HASH,
    first_of_shoe=True,
    burn=1,
    entry=e.Entry(
        admitted=("local.alice", "local.bob"),
        unrestricted=("local.alice",),
        minimums_minor={"local.alice": 200},
        maximums_minor={"local.bob": 50000},
        barred=("local.carol",),
        minimum_only=("local.dan",),
    ),
    not_before=LATER,
)
LEAST_TERMS = e.RoundTerms(
    table="t1",
    number=7,
    rule_set="ny-switch-6d",
    options={},
    rule_set_digest=DIGEST,
    engine="1",
    currency="EUR",
    limits=TableLimits(),
    timings=Timings(),
    shoe=SHOE,
    shoe_root=ROOT,
    shoe_reserve_hash=RESERVE_HASH,
    first_of_shoe=False,
    burn=0,
)

FULL = (
    e.TableOpened(
        table="t1",
        rule_set="ny-switch-6d",
        options=OPTIONS,
        rule_set_digest=DIGEST,
        engine="1",
        currency="EUR",
        limits=LIMITS,
        timings=TIMINGS,
    ),
    e.TableClosed("t1", "end of shift", ROUND),
    e.LimitsChanged("t1", before=TableLimits(), after=LIMITS, round_id=ROUND),
    e.DealerChanged("t1", "dora", ROUND),
    e.PlayerMaximumSet("t1", "local.alice", 900000, ROUND),
    e.SeatReserved("t1", "local.alice"),
    e.ShoeRequested("t1", SHOE, decks=6, cut_card_at=234),
    e.ShoeInstalled("t1", SHOE, ROOT, RESERVE_HASH),
    e.RoundCalled(ROUND, TERMS),
    e.RoundRecorded(
        table="t1",
        round_id=ROUND,
        players=("local.alice", "local.bob"),
        starting_hands=4,
        dealt=False,
        all_passed=True,
        started_at=LATER,
    ),
    e.ShoeDiscarded("t1", SHOE),
    e.CommandRefused(
        "command-12", "table.switch_cards.v1", "not_your_turn", "1", ROUND
    ),
)

MINIMAL = (
    e.TableOpened(
        "t1", "ny-switch-6d", {}, DIGEST, "1", "EUR", TableLimits(), Timings()
    ),
    e.TableClosed("t1", "end of shift"),
    e.LimitsChanged("t1", before=TableLimits(), after=TableLimits()),
    e.DealerChanged("t1", "dora"),
    e.PlayerMaximumSet("t1", "local.alice", 900000),
    e.RoundRecorded("t1", ROUND, ("local.alice",), 2, dealt=True),
    e.RoundCalled(ROUND, LEAST_TERMS),
    e.CommandRefused("command-12", "table.open_table.v1", "table_exists"),
)
