"""Whatever was settled before a void, no player ends it with less than before."""

from functools import reduce
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from contracts.identities import wallet_stream
from contracts.round_events import OpenStake
from contracts.settlement import RoundVoidSettled, WagersSettled
from contracts.wallet import Deposit
from runtime.service import Context, Decider
from services.settlement import SETTLEMENT as DECIDER
from services.wallet import WALLET
from tests.builders import ALICE, BOB, EUR, SETTLEMENT, bet_placed, line, voided
from tests.builders import settled as part_settled
from tests.spec import PLATFORM

PURSE = 1_000_000

Wager = tuple[str, int, int | None]
"""Player, stake, and payout if it was settled before the void."""

WAGERS = st.lists(
    st.tuples(
        st.sampled_from([ALICE, BOB]),
        st.integers(1, 2000),
        st.none() | st.integers(0, 5000),
    ),
    max_size=8,
)


def run(decider: Decider, stream: str, *messages: Any) -> tuple[Any, list[Any]]:
    """Play messages into a stream; return its state and all of its events."""
    state = decider.initial(stream)
    events: list[Any] = []
    for number, message in enumerate(messages):
        context = Context(0, f"cause-{number}", PLATFORM)
        decided = decider.decide(message, state, context)
        assert isinstance(decided, tuple)
        state = reduce(decider.evolve, decided, state)
        events.extend(decided)
    return state, events


def settle_then_void(wagers: list[Wager]) -> tuple[WagersSettled, RoundVoidSettled]:
    """Settle part of a round's wagers, then void it."""
    lines = [
        line(f"{box}.1", stake, payout, player=player)
        for box, (player, stake, payout) in enumerate(wagers, 1)
        if payout is not None
    ]
    stakes = [
        OpenStake(player, f"{box}.1", stake)
        for box, (player, stake, _) in enumerate(wagers, 1)
    ]
    settled = part_settled(*lines)
    state = DECIDER.evolve(DECIDER.initial(SETTLEMENT), settled)
    context = Context(0, "cause-1", PLATFORM)
    decided = DECIDER.decide(voided(*stakes), state, context)
    assert isinstance(decided, tuple)
    (answer,) = decided
    assert isinstance(answer, RoundVoidSettled)
    return settled, answer


@settings(max_examples=200, deadline=None)
@given(wagers=WAGERS)
def test_h2_a_void_leaves_each_player_with_the_winnings_and_all_stakes(
    wagers: list[Wager],
) -> None:
    """Booked by the wallets: nothing in play, nothing lost, what was won is kept."""
    settled, answer = settle_then_void(wagers)
    for player in (ALICE, BOB):
        own = [wager for wager in wagers if wager[0] == player]
        bets = [
            replace(bet_placed(stake, f"bet:{number}"), player=player)
            for number, (_, stake, _) in enumerate(own)
        ]
        wallet, _ = run(
            WALLET,
            wallet_stream(player, EUR),
            Deposit(player, EUR, PURSE),
            *bets,
            settled,
            answer,
        )
        won = [max(0, (payout or 0) - stake) for _, stake, payout in own]

        assert wallet.balance_minor == PURSE + sum(won)
        assert [r.in_play_minor for r in wallet.rounds] == [0] * bool(own)
