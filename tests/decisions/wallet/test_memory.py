"""What a wallet remembers: enough for every open stake, and bounded for the rest."""

from functools import reduce

import msgspec

from runtime.service import Context
from services.wallet import SERVICE, WALLET
from services.wallet.state import RoundFunds, Wallet
from tests.builders import (
    ALICE,
    ALICES_MONEY,
    ALICES_WALLET,
    BET,
    DOUBLE,
    EUR,
    HOUSE,
    IN_PLAY,
    ROUND,
    bet_placed,
    bet_withdrawn,
    cancelled,
    deposited,
    line,
    posted,
    refused,
    reserved,
    settled,
)
from tests.spec import PLATFORM, given


def played_rounds(count: int) -> Wallet:
    """A wallet that bet 100 in each of many rounds and won 1 every time."""
    state = WALLET.initial(ALICES_WALLET)
    state = WALLET.evolve(state, deposited(1000, 1000))
    for number in range(count):
        round_id = f"round-t1-{number}"
        bet = f"{round_id}:bet:1"
        for message in (
            bet_placed(100, bet, round_id=round_id),
            settled(line("1.1", 100, 101), final=True, round_id=round_id),
        ):
            events = WALLET.decide(message, state, Context(0, "cause-1", PLATFORM))
            assert isinstance(events, tuple)
            state = reduce(WALLET.evolve, events, state)
    assert isinstance(state, Wallet)
    return state


def test_finished_rounds_leave_the_memory() -> None:
    """After a thousand rounds only the last 64 are remembered, with no money held."""
    state = played_rounds(1000)

    assert state.balance_minor == 2000
    assert [r.round_id for r in state.rounds] == [
        f"round-t1-{number}" for number in range(936, 1000)
    ]
    assert {r.in_play_minor for r in state.rounds} == {0}


def test_a_round_with_money_in_play_is_never_forgotten() -> None:
    """However many rounds are played elsewhere, the open stake can come back."""
    elsewhere = [
        event
        for number in range(100)
        for event in (
            msgspec.structs.replace(
                refused(5, 600, f"round-t2-{number}:bet:1"),
                round_id=f"round-t2-{number}",
            ),
        )
    ]
    given(
        SERVICE, ALICES_WALLET, deposited(1000, 1000), reserved(400, 600), *elsewhere
    ).on(bet_withdrawn()).then(cancelled(400, 1000))


def test_the_last_deposits_and_withdrawals_are_remembered() -> None:
    """Their number is bounded as well."""
    history = [deposited(1, n, f"c-{n}") for n in range(1, 201)]

    state = given(WALLET, ALICES_WALLET, *history).state()

    assert len(state.cash_transfers) == 64
    assert state.cash_transfers[-1] == "deposit:platform:local:c-200"


def test_a_wallet_is_what_its_events_say() -> None:
    """Held, ended and barred reservations, booked parts, money in play."""
    state = given(
        WALLET,
        ALICES_WALLET,
        deposited(1000, 1000),
        reserved(400, 600),
        reserved(100, 500, DOUBLE),
        cancelled(0, 500, "round-t1-7:stake:2"),
        refused(900, 500, "round-t1-7:stake:3"),
        posted(
            ("1.1:release", IN_PLAY, ALICES_MONEY, 50),
            ("1.1:capture", IN_PLAY, HOUSE, 50),
            balance_minor=550,
        ),
    ).state()

    assert state == Wallet(
        ALICE,
        EUR,
        550,
        (
            RoundFunds(
                ROUND,
                in_play_minor=400,
                held={BET: 400, DOUBLE: 100},
                ended=("round-t1-7:stake:3",),
                tombstones=("round-t1-7:stake:2",),
                parts=(1,),
            ),
        ),
        ("deposit:platform:local:deposit-1",),
    )


def test_a_snapshot_is_the_state() -> None:
    """Encoded and decoded, in whatever order of keys, the wallet is the same."""
    state = played_rounds(70)

    encoded = msgspec.json.encode(state, order="deterministic")

    assert msgspec.json.decode(encoded, type=Wallet) == state
    assert WALLET.state_type is Wallet
