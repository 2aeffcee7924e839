"""Each wager is decided once, by the rule book, with the clauses that decided it."""

import msgspec

from blackjack.machine import Due
from blackjack.settlement import Line
from contracts.round_events import OpenStake, PlayerDue, SettlementDue
from contracts.settlement import PlayerLine, Refund, WagersSettled
from runtime.service import To
from services.settlement import SERVICE
from services.settlement.decide import rules_of
from services.settlement.state import Settled, SettledWager, Settling, Voided
from tests.builders import (
    ALICE,
    BOB,
    EUR,
    ROUND,
    SETTLEMENT,
    line,
    settled,
    void_settled,
    voided,
)
from tests.spec import given, reactions

DEALERS_22 = ("6d", "8h", "8c")
DEALERS_18 = ("6d", "8h", "4c")


def hand(label: str, cards: str, dealer: tuple[str, ...], state: str = "stood") -> Due:
    """A hand of one wager of 10.01 that ended as `state`."""
    return Due(
        label=label,
        box=int(label[0]),
        kind="main",
        stake_minor=1001,
        wagered_minor=1001,
        cards=tuple(cards.split()),
        state=state,
        dealer=dealer,
    )


def due(*items: tuple[str, Due], part: int = 1, final: bool = False) -> SettlementDue:
    dues = tuple(PlayerDue(player, item) for player, item in items)
    return SettlementDue(
        round_id=ROUND,
        part=part,
        rule_set="ny-switch-6d",
        options={},
        currency=EUR,
        dues=dues,
        final=final,
    )


NINETEEN = hand("1.1", "Th 9c", DEALERS_18)


def test_c55_each_wager_is_decided_by_itself_with_its_clause() -> None:
    """Against 18: 19 wins 1:1, 17 loses, and an 18 of another player pushes."""
    given(SERVICE, SETTLEMENT).on(
        due(
            (ALICE, NINETEEN),
            (ALICE, hand("1.2", "Td 7c", DEALERS_18)),
            (BOB, hand("2.1", "Ts 8s", DEALERS_18)),
            final=True,
        )
    ).then(
        WagersSettled(
            ROUND,
            1,
            EUR,
            (
                PlayerLine(
                    ALICE, Line("1.1", 1, "main", 1001, "win", 2002, ("NY-43",))
                ),
                PlayerLine(ALICE, Line("1.2", 1, "main", 1001, "lose", 0, ("NY-45",))),
                PlayerLine(BOB, Line("2.1", 2, "main", 1001, "push", 1001, ("NY-44",))),
            ),
            final=True,
        )
    )


def test_c55_a_dealers_22_pushes_in_switch_games() -> None:
    """The game's signature rule returns the stake."""
    given(SERVICE, SETTLEMENT).on(due((ALICE, hand("1.1", "Th 9c", DEALERS_22)))).then(
        settled(
            PlayerLine(ALICE, Line("1.1", 1, "main", 1001, "push", 1001, ("NY-41",)))
        )
    )


def test_c58_half_of_an_odd_stake_comes_back_rounded_up() -> None:
    """Of 10.01 surrendered, 5.01 comes back."""
    surrendered = hand("1.1", "Th 6c", (), state="surrendered")
    given(SERVICE, SETTLEMENT).on(due((ALICE, surrendered))).then(
        settled(
            PlayerLine(
                ALICE, Line("1.1", 1, "main", 1001, "surrender", 501, ("NY-33",))
            )
        )
    )


def test_the_end_of_a_round_may_have_nothing_left_to_decide() -> None:
    """The last part is written all the same: it ends the round."""
    given(SERVICE, SETTLEMENT).on(due(final=True)).then(settled(final=True))


def test_h14_a_repeated_part_is_quiet() -> None:
    """A part is decided once, be it the last or not."""
    for final in (False, True):
        message = due((ALICE, NINETEEN), final=final)
        given(SERVICE, SETTLEMENT).on(message).then_quiet_when_repeated()


def test_h2_what_is_due_after_a_void_is_quiet() -> None:
    """Its stakes have been refunded."""
    given(SERVICE, SETTLEMENT, void_settled(Refund(ALICE, "1.1", 1001))).on(
        due((ALICE, NINETEEN), part=3)
    ).then_nothing()


def test_h2_a_new_part_after_the_last_stops() -> None:
    """A round that is settled has no wager left."""
    given(SERVICE, SETTLEMENT, settled(line("1.1", 1001, 0), final=True)).on(
        due((ALICE, hand("1.2", "Th 9c", DEALERS_18)), part=2)
    ).then_stops()


def test_h2_a_wager_that_is_due_twice_stops() -> None:
    """In one part or in two, a wager has one end."""
    given(SERVICE, SETTLEMENT).on(
        due((ALICE, NINETEEN), (ALICE, NINETEEN))
    ).then_stops()
    given(SERVICE, SETTLEMENT, settled(line("1.1", 1001, 0))).on(
        due((ALICE, NINETEEN), part=2)
    ).then_stops()


def test_a_void_after_a_decided_part_refunds_what_the_rule_book_took() -> None:
    """Decision and void together: the loser gets the whole stake back."""
    seventeen = hand("1.2", "Td 7c", DEALERS_18)
    given(SERVICE, SETTLEMENT).on(due((ALICE, NINETEEN), (ALICE, seventeen))).then(
        settled(
            PlayerLine(ALICE, Line("1.1", 1, "main", 1001, "win", 2002, ("NY-43",))),
            PlayerLine(ALICE, Line("1.2", 1, "main", 1001, "lose", 0, ("NY-45",))),
        )
    ).on(
        voided(
            OpenStake(ALICE, "1.1", 1001),
            OpenStake(ALICE, "1.2", 1001),
            OpenStake(BOB, "2.1", 500),
        )
    ).then(void_settled(Refund(ALICE, "1.2", 1001, 1001), Refund(BOB, "2.1", 500)))


def test_h7_only_the_table_is_heard() -> None:
    """Both messages go to the round's one stream; nothing else is read."""
    message = due((ALICE, NINETEEN))

    assert SERVICE.sources == ("table-orchestrator",)
    assert reactions(SERVICE, message) == (To("settlement-round-t1-7", message),)
    assert reactions(SERVICE, voided()) == (To("settlement-round-t1-7", voided()),)
    assert reactions(SERVICE, settled()) == ()


def test_a_settlement_is_what_its_events_say() -> None:
    """Open while parts come, over after the last part or a void."""
    decider = SERVICE.deciders["settlement"]
    part = settled(line("1.1", 1001, 501))
    end = settled(line("1.2", 1001, 0), part=2, final=True)
    histories = {
        (part,): Settling(ROUND, {"1.1": SettledWager(ALICE, 1001, 501)}, (1,)),
        (part, end): Settled(ROUND, (1, 2)),
        (part, void_settled()): Voided(ROUND),
    }
    for history, state in histories.items():
        found = given(decider, SETTLEMENT, *history).state()

        assert found == state
        assert decider.is_terminal(found) is (len(history) == 2)


def test_equal_options_share_one_rule_set() -> None:
    """A round's rules are built once, whatever the order of its options."""
    one = rules_of("ny-switch-6d", {"hole_card": "late", "soft17": "hit"})
    two = rules_of("ny-switch-6d", {"soft17": "hit", "hole_card": "late"})

    assert one is two
    assert msgspec.structs.asdict(one)["id"] == "ny-switch-6d"
