"""Betting: bets count when their money is reserved, until the first card."""

import hashlib

import pytest

from contracts import round_events as e
from contracts import table as t
from contracts import table_events as te
from contracts.envelope import Actor
from runtime.service import Rejected
from services.table_orchestrator import TABLE
from services.table_orchestrator.state import Betting, Ended, Playing
from tests.decisions.table_orchestrator.felt import (
    ALICE,
    BOB,
    ROUND,
    Felt,
    refused,
    reserved,
    terms,
)
from tests.spec import NOON, PLATFORM, SUPPORT, given, player

CARDS = "Tc 9d 6h 5c 7d Kd"


def test_h1_a_bet_counts_when_its_funds_are_reserved() -> None:
    """A bet is pending until the wallet has reserved its whole amount."""
    felt = Felt(hold="funds")

    felt.bet(ALICE, 1, side_wagers_minor={"super_match": 300})

    placed = felt.last(e.WagersPlaced)
    assert placed.amount_minor == 2300
    assert felt.state.bets == ()
    felt.tell(reserved(placed))
    assert [bet.box for bet in felt.state.bets] == [1]


def test_h1_betting_does_not_close_while_a_bet_is_pending() -> None:
    """A player who is ready before the money is reserved waits for it."""
    felt = Felt(CARDS, hold="funds")
    felt.bet(ALICE, 1)

    felt.tell(t.StartDealing(ROUND), player(ALICE))

    assert felt.count(e.BettingClosed) == 0
    assert felt.deadlines() == [f"funds:{ROUND}:bet:1"]
    felt.tell(reserved(felt.last(e.WagersPlaced)))
    assert felt.count(e.BettingClosed) == 1


def test_h1_silence_of_the_wallet_becomes_a_refusal() -> None:
    """When the funds deadline passes, the bet is refused as not confirmed."""
    felt = Felt(hold="funds")
    felt.bet(ALICE, 1)

    felt.pass_deadline()

    assert felt.last(e.WagersRefused).reason == "funds_not_confirmed"
    assert felt.decide(reserved(felt.last(e.WagersPlaced)), PLATFORM) == ()


def test_c_60_a_bet_over_the_balance_is_refused_as_a_whole() -> None:
    """The wallet's refusal leaves the box without a bet and the clock without one."""
    felt = Felt(hold="funds")
    felt.bet(ALICE, 1)

    felt.tell(refused(felt.last(e.WagersPlaced)))

    assert felt.last(e.WagersRefused).reason == "insufficient_funds"
    assert felt.deadlines() == []


def test_c_10_a_bet_may_be_replaced_until_the_cards_come() -> None:
    """The new bet names the reservation whose place it takes."""
    felt = Felt()
    felt.bet(ALICE, 1, 1000)

    felt.bet(ALICE, 1, 2000)

    assert felt.last(e.WagersPlaced).replaces == f"{ROUND}:bet:1"
    assert [bet.wagers_minor for bet in felt.state.bets] == [(2000, 2000)]


def test_c_10_a_withdrawn_bet_leaves_an_idle_table() -> None:
    """Without any bet no clock runs."""
    felt = Felt()
    felt.bet(ALICE, 1)

    felt.tell(t.WithdrawBet(ROUND, 1), player(ALICE))

    assert felt.state.bets == ()
    assert felt.deadlines() == []


def test_nobody_withdraws_another_players_bet() -> None:
    """The box belongs to who bet on it."""
    felt = Felt()
    felt.bet(ALICE, 1)

    decided = felt.tell(t.WithdrawBet(ROUND, 1), player(BOB))

    assert decided == Rejected("not_your_box", "1", ROUND)


def test_c_63_box_taken() -> None:
    """A box with another player's bet is taken."""
    felt = Felt()
    felt.bet(ALICE, 1)

    assert felt.bet(BOB, 1) == Rejected("box_taken", "1", ROUND)


def test_ny_4_a_barred_player_may_not_enter() -> None:
    """Whoever is not admitted to the round is refused."""
    felt = Felt(entry=te.Entry(admitted=(ALICE,)))

    assert felt.bet(BOB, 1) == Rejected("entry_barred", "1", ROUND)
    assert not isinstance(felt.bet(ALICE, 1), Rejected)


def test_betting_closes_when_every_player_with_a_bet_is_ready() -> None:
    """One ready player of two does not start the deal."""
    felt = Felt("Tc 9c 5d Ac 8h 8d 9d Kh 6s Tc")
    felt.bet(ALICE, 1)
    felt.bet(BOB, 2)

    felt.tell(t.StartDealing(ROUND), player(ALICE))
    assert felt.count(e.BettingClosed) == 0
    felt.tell(t.StartDealing(ROUND), player(BOB))

    assert felt.last(e.BettingClosed).boxes == (1, 2)


def test_betting_closes_at_its_deadline() -> None:
    """The clock starts with the first bet and closes betting for everybody."""
    felt = Felt(CARDS)
    felt.bet(ALICE, 1)

    felt.pass_deadline()

    assert felt.now == NOON + 20_000_000
    assert isinstance(felt.state, Playing)


def test_c_63_betting_closed() -> None:
    """After the first card no bet is taken or withdrawn."""
    felt = Felt(CARDS).start(ALICE)

    assert felt.bet(BOB, 2) == Rejected("betting_closed", "2", ROUND)
    withdrawn = felt.tell(t.WithdrawBet(ROUND, 1), player(ALICE))
    assert withdrawn == Rejected("betting_closed", "1", ROUND)


def test_h12_the_seeds_are_opened_after_betting_and_fix_the_cut() -> None:
    """A seed's hash comes with the bet, the seed after it; then cards are asked for."""
    seed = b"my lucky number"
    felt = Felt(CARDS, first_of_shoe=True, burn=1)
    felt.bet(ALICE, 1, seed_hash=hashlib.sha256(seed).digest())
    felt.tell(t.StartDealing(ROUND), player(ALICE))
    assert felt.last(e.DecisionOpened).kind == "seeds"
    assert felt.count(e.CardsRequested) == 0

    felt.tell(t.OpenSeed(ROUND, 1, seed), player(ALICE))

    asked = felt.last(e.CardsRequested)
    assert asked.shares is not None
    assert [share.seed for share in asked.shares] == [seed]
    assert asked.burn == 1


@pytest.mark.parametrize("size", [1, 31, 33, 64])
def test_h12_what_is_no_hash_of_a_seed_is_refused(size: int) -> None:
    """H12: no seed could ever open it, and it would be part of the cut."""
    felt = Felt(CARDS, first_of_shoe=True)

    decided = felt.bet(ALICE, 1, seed_hash=b"x" * size)

    assert decided == Rejected("invalid_seed_hash", "1", ROUND)


def test_h12_a_wrong_seed_is_refused() -> None:
    """Only the seed behind the hash opens it."""
    felt = Felt(CARDS, first_of_shoe=True)
    felt.bet(ALICE, 1, seed_hash=hashlib.sha256(b"one").digest())
    felt.tell(t.StartDealing(ROUND), player(ALICE))

    decided = felt.tell(t.OpenSeed(ROUND, 1, b"two"), player(ALICE))

    assert decided == Rejected("seed_does_not_match", "1", ROUND)


def test_h12_an_unopened_seed_counts_by_its_hash() -> None:
    """When the seed deadline passes, the hash takes the seed's part in the cut."""
    seed_hash = hashlib.sha256(b"kept").digest()
    felt = Felt(CARDS, first_of_shoe=True)
    felt.bet(ALICE, 1, seed_hash=seed_hash)
    felt.tell(t.StartDealing(ROUND), player(ALICE))

    felt.pass_deadline()

    shares = felt.last(e.CardsRequested).shares
    assert [(share.seed_hash, share.seed) for share in shares] == [(seed_hash, b"")]


def test_later_rounds_of_a_shoe_do_not_cut_it_again() -> None:
    """Only the first round of a shoe sends shares."""
    felt = Felt(CARDS).start(ALICE)

    assert felt.last(e.CardsRequested).shares is None


def test_new_limits_end_a_round_without_bets() -> None:
    """A round nobody bet on is abandoned, so that the next has the new limits."""
    felt = Felt()
    changed = te.LimitsChanged("t1", t.TableLimits(), t.TableLimits(), ROUND)

    felt.tell(changed)

    assert felt.last(e.RoundClosed).status == "abandoned"
    assert isinstance(felt.state, Ended)


def test_new_limits_do_not_touch_a_round_with_bets() -> None:
    """Bets that stand keep the terms they were made under; the change is noted."""
    felt = Felt()
    felt.bet(ALICE, 1)

    changed = te.LimitsChanged("t1", t.TableLimits(), t.TableLimits(), ROUND)

    noted = e.TermsSuperseded(ROUND, "table.limits_changed.v1")
    assert felt.tell(changed) == (noted,)
    assert isinstance(felt.state, Betting)


def test_h2_a_void_before_the_deal_names_every_stake() -> None:
    """A pending bet falls away, an accepted one is named with its whole amount."""
    felt = Felt()
    felt.bet(ALICE, 1, side_wagers_minor={"super_match": 300})
    felt.hold = "funds"
    felt.bet(BOB, 2)

    felt.void()

    assert felt.last(e.WagersRefused).reason == "round_voided"
    assert felt.last(e.RoundVoided).stakes == (e.OpenStake(ALICE, "1", 2300),)


@pytest.mark.parametrize("by", [SUPPORT, PLATFORM], ids=lambda x: x.kind)
def test_only_support_and_operators_void_and_say_why(by: Actor) -> None:
    """A player may not void, and nobody may without a reason."""
    felt = Felt()

    by_player = felt.tell(t.VoidRound(ROUND, "I lost"), player(ALICE))
    without_reason = felt.tell(t.VoidRound(ROUND, "  "), by)

    assert by_player == Rejected("not_authorized", "", ROUND)
    by_operator = Felt().tell(t.VoidRound(ROUND, "no picture"), PLATFORM)
    assert isinstance(by_operator[-1], e.RoundVoided | e.RoundClosed)
    assert without_reason == Rejected("reason_missing", "", ROUND)

    felt.tell(t.VoidRound(ROUND, "agreed with the operator"), by)
    assert felt.last(e.RoundVoided).reason == "agreed with the operator"


def test_terms_name_rule_set_digest_and_engine() -> None:
    """Every round says by which rules and engine it is played."""
    assert terms().rule_set_digest
    assert terms().engine == "1"


def test_h13_only_a_players_full_name_may_bet() -> None:
    """A name that is no `<operator>.<player>` is refused before anything else."""
    felt = Felt()

    for name in ("", "alice", "local.a\n", "../x"):
        assert felt.bet(name, 1) == Rejected("invalid_name", "1", ROUND)


def test_limits_beyond_exact_reckoning_are_refused() -> None:
    """A table is not opened with a maximum that some reader could not hold."""
    command = t.OpenTable("t1", "ny-switch-6d", "EUR", limits=t.TableLimits(1, 10**30))

    given(TABLE, "table-t1").when(command).then_rejected("invalid_limits")
