"""One full sample of every command, and the least where parts may be left out."""

from contracts import table, wallet
from contracts.table import TableLimits, Timings

ROUND = "round-t1-7"
SEED = b"alice's own seed"
SEED_HASH = bytes.fromhex(
    "ffd5421c88decf50f8b2b1e6501d9dc783730620e82663d3d3274eec6d3943ff"
)

FULL = (
    table.OpenTable(
        table="t1",
        rule_set="ny-switch-6d",
        currency="EUR",
        options={
            "decks": 8,
            "entry": ["new_shoe", "minimum"],
            "penetration": 0.75,
            "soft17": "hit",
            "switch_back": False,
        },
        limits=TableLimits(min_minor=500, max_minor=100000, side_min_minor=200),
        timings=Timings(
            betting_ms=15000,
            seed_ms=4000,
            insurance_ms=10000,
            decision_ms=25000,
            funds_ms=8000,
            min_cycle_ms=5000,
        ),
    ),
    table.CloseTable(table="t1", reason="end of shift"),
    table.ChangeLimits(
        table="t1",
        limits=TableLimits(min_minor=2500, max_minor=250000, side_min_minor=500),
    ),
    table.ChangeDealer(table="t1", dealer="dora"),
    table.SetPlayerMaximum(table="t1", player="local.alice", max_minor=900000),
    table.ReserveSeat(table="t1", player="local.alice"),
    table.PlaceBet(
        round_id=ROUND,
        box=1,
        wagers_minor=(2500, 2500),
        side_wagers_minor={"super_match": 500},
        seed_hash=SEED_HASH,
    ),
    table.WithdrawBet(round_id=ROUND, box=1),
    table.StartDealing(round_id=ROUND),
    table.OpenSeed(round_id=ROUND, box=1, seed=SEED),
    table.ShowBurnedCard(round_id=ROUND),
    table.VoidRound(round_id=ROUND, reason="the camera failed"),
    table.InsureHand(
        round_id=ROUND, target="1.1", expected_version=12, amount_minor=1250
    ),
    table.DeclineInsurance(round_id=ROUND, target="1.1", expected_version=12),
    table.TakeEvenMoney(round_id=ROUND, target="1.1", expected_version=12),
    table.SwitchCards(round_id=ROUND, target="1", expected_version=14),
    table.ReturnCards(round_id=ROUND, target="1", expected_version=16),
    table.KeepCards(round_id=ROUND, target="1", expected_version=14),
    table.Hit(round_id=ROUND, target="1.1", expected_version=18),
    table.Stand(round_id=ROUND, target="1.1", expected_version=20),
    table.DoubleDown(
        round_id=ROUND, target="1.2", expected_version=22, amount_minor=2500
    ),
    table.SplitHand(round_id=ROUND, target="1.2", expected_version=22),
    table.SurrenderHand(round_id=ROUND, target="1.2", expected_version=22),
    wallet.Deposit(
        player="local.alice", currency="EUR", amount_minor=50000, reference="cage-91"
    ),
    wallet.Withdraw(
        player="local.alice", currency="EUR", amount_minor=20000, reference="cage-92"
    ),
)

MINIMAL = (
    table.OpenTable(table="t1", rule_set="ny-switch-6d", currency="EUR"),
    table.PlaceBet(round_id=ROUND, box=1),
    table.InsureHand(round_id=ROUND, target="1.1"),
    table.DeclineInsurance(round_id=ROUND, target="1.1"),
    table.TakeEvenMoney(round_id=ROUND, target="1.1"),
    table.SwitchCards(round_id=ROUND, target="1"),
    table.ReturnCards(round_id=ROUND, target="1"),
    table.KeepCards(round_id=ROUND, target="1"),
    table.Hit(round_id=ROUND, target="1.1"),
    table.Stand(round_id=ROUND, target="1.1"),
    table.DoubleDown(round_id=ROUND, target="1.2"),
    table.SplitHand(round_id=ROUND, target="1.2"),
    table.SurrenderHand(round_id=ROUND, target="1.2"),
    wallet.Deposit(player="local.alice", currency="EUR", amount_minor=50000),
    wallet.Withdraw(player="local.alice", currency="EUR", amount_minor=20000),
)
