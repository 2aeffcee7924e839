"""One full sample of every event of a round, and the least where parts may lack."""

from blackjack.state import Due, Offer, Option
from contracts import round_events as e
from contracts.desk import Proposed
from contracts.shoe import SeedShare
from tests.contracts.sample_commands import ROUND, SEED, SEED_HASH
from tests.contracts.sample_tables import LATER, LEAST_TERMS, SHOE, TERMS

ALICE = "local.alice"
EUR = "EUR"
BET = "round-t1-7:bet:2"
FIRST_BET = "round-t1-7:bet:1"
STAKE = "round-t1-7:stake:1"

DUE = Due(
    label="1.2",
    box=1,
    kind="main",
    stake_minor=5000,
    wagered_minor=2500,
    added_minor=2500,
    cards=("As", "Td"),
    state="doubled",
    natural=True,
    side="super_match",
    circle=1,
    dealer=("Ks", "6d", "6h"),
    dealer_natural=True,
    by_look=True,
)
LEAST_DUE = Due(label="1.1", box=1, kind="main", stake_minor=2500)

BETTING = (
    e.RoundOpened(ROUND, TERMS),
    e.WagersPlaced(
        round_id=ROUND,
        box=1,
        player=ALICE,
        currency=EUR,
        wagers_minor=(2500, 2500),
        side_wagers_minor={"super_match": 500},
        reservation=BET,
        amount_minor=5500,
        funds_due_at=LATER,
        replaces=FIRST_BET,
        seed_hash=SEED_HASH,
    ),
    e.WagersAccepted(ROUND, 1, BET),
    e.WagersRefused(ROUND, 1, ALICE, EUR, BET, "insufficient_funds"),
    e.WagersWithdrawn(ROUND, 1, ALICE, EUR, BET),
    e.PlayerReady(ROUND, ALICE),
    e.TermsSuperseded(ROUND, "table.table_closed.v1"),
    e.BettingClosed(ROUND, (1, 2)),
    e.SeedOpened(ROUND, 1, SEED),
)

CARDS = (
    e.CardsRequested(
        round_id=ROUND,
        shoe=SHOE,
        request=1,
        places=("1.1", "1.2", "dealer", "1.1", "1.2", "hole"),
        burn=1,
        shares=(SeedShare(1, SEED_HASH, SEED), SeedShare(2, SEED_HASH)),
        started_at=LATER,
    ),
    e.CardsReceived(
        ROUND,
        request=1,
        cards=(
            e.ReceivedCard("1.1", index=117, card="As", order=1, seen_by=ALICE),
            e.ReceivedCard("hole", index=118),
        ),
        cards_out=7,
    ),
    e.HandShown(ROUND, "1.1", ALICE, ("As", "Td")),
    e.CutCardSeen(ROUND),
    e.HoleLookRequested(ROUND, SHOE, index=118, order=0, up_card="Ks"),
    e.DealerChecked(ROUND, natural=False),
    e.HoleRevealRequested(ROUND, SHOE, index=118, order=0),
    e.HoleCardTurned(ROUND, "6d"),
    e.BurnedCardRequested(ROUND, SHOE, ALICE),
)

DECISIONS = (
    e.DecisionOpened(
        ROUND,
        decision=3,
        kind="turn",
        due_at=LATER,
        offers=(
            Offer(
                "1.2",
                box=1,
                options=(Option("hit"), Option("double", 100, 2500)),
                due=True,
            ),
            Offer("2", box=2, options=(Option("switch"),)),
        ),
        seen_by={"1.2": ALICE},
    ),
    e.InsuranceClosed(ROUND),
    e.FundsRequested(
        round_id=ROUND,
        reservation=STAKE,
        player=ALICE,
        currency=EUR,
        box=1,
        target="1.2",
        action="double",
        amount_minor=2500,
        funds_due_at=LATER,
        clock_left_ms=17250,
    ),
    e.FundsDeclined(ROUND, STAKE, ALICE, EUR, "1.2", "double", "funds_not_confirmed"),
    e.HandInsured(ROUND, 1, "1.1", ALICE, amount_minor=1250, reservation=STAKE),
    e.InsuranceDeclined(ROUND, 1, "1.1", ALICE),
    e.EvenMoneyTaken(ROUND, 1, "1.1", ALICE),
    e.CardsSwitched(ROUND, 2, "1", ALICE),
    e.CardsReturned(ROUND, 3, "1", ALICE),
    e.CardsKept(ROUND, 2, "1", ALICE),
    e.HandHit(ROUND, 3, "1.1", ALICE),
    e.HandStood(ROUND, 4, "1.1", ALICE),
    e.HandDoubled(ROUND, 5, "1.2", ALICE, amount_minor=2500, reservation=STAKE),
    e.HandSplit(ROUND, 5, "1.2", ALICE, amount_minor=2500, reservation=STAKE),
    e.HandSurrendered(ROUND, 5, "1.2", ALICE),
)

ENDS = (
    e.SettlementDue(
        round_id=ROUND,
        part=2,
        rule_set="ny-switch-6d",
        options={"switch_back": False},
        currency=EUR,
        dues=(e.PlayerDue(ALICE, DUE, ALICE), e.PlayerDue(ALICE, LEAST_DUE)),
        final=True,
    ),
    e.PayoutsReceived(ROUND, part=2, player=ALICE, net_minor=-2500),
    e.RoundVoided(
        ROUND,
        3,
        EUR,
        (e.OpenStake(ALICE, "1.1", 2500),),
        "the camera failed",
        order=Proposed("t1-7-ab12", 1),
    ),
    e.RefundsAwaited(ROUND, part=3, players=(ALICE,)),
    e.VoidDeclined(ROUND, "round_settled"),
    e.ClockExtended(ROUND, by_ms=90000),
    e.RoundClosed(
        round_id=ROUND,
        table="t1",
        status="abandoned",
        players=(ALICE,),
        nets_minor={ALICE: -2500},
        starting_hands=2,
        cards_out=7,
        cut_card_reached=True,
        dealt=False,
        all_passed=True,
        started_at=LATER,
    ),
)

FULL = (*BETTING, *CARDS, *DECISIONS, *ENDS)

MINIMAL = (
    e.RoundOpened(ROUND, LEAST_TERMS),
    e.RoundVoided(ROUND, 3, EUR, (), "the camera failed"),
    e.WagersPlaced(
        round_id=ROUND,
        box=1,
        player=ALICE,
        currency=EUR,
        wagers_minor=(2500, 2500),
        side_wagers_minor={},
        reservation=FIRST_BET,
        amount_minor=5000,
        funds_due_at=LATER,
    ),
    e.CardsRequested(ROUND, SHOE, request=2, places=("1.1",)),
    e.CardsReceived(ROUND, 2, (e.ReceivedCard("hole", index=118),), cards_out=8),
    e.DecisionOpened(ROUND, decision=1, kind="betting", due_at=LATER),
    e.HandInsured(ROUND, 1, "1.1", ALICE),
    e.HandDoubled(ROUND, 5, "1.2", ALICE),
    e.HandSplit(ROUND, 5, "1.2", ALICE),
    e.SettlementDue(
        ROUND, 1, "ny-switch-6d", {}, EUR, (e.PlayerDue(ALICE, LEAST_DUE),)
    ),
    e.RoundClosed(ROUND, "t1", "settled", (ALICE,), {ALICE: 2500}, 2, 7, True),
)
