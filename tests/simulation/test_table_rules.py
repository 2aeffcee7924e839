"""The rules of tables in the embedded casino: real shoe, wallet, settlement, clock."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from blackjack.rule_sets import RULE_SETS
from contracts import catalog
from contracts import round_events as e
from contracts import shoe as s
from contracts import table as t
from contracts import table_events as te
from contracts.base import tag_of
from contracts.sight import seen_by
from push22.commands.audit import audited
from push22.inspect.opening import opened
from push22.inspect.parallel import verify_all
from tests.simulation.auditor import audit
from tests.simulation.evening import ALICE, BOB, CY, TABLE, Evening, shoe

PEOPLE = {name: rules.players_max or 3 for name, rules in RULE_SETS.items()}
BARRED = [
    ("ny-switch-6d", {"mid_shoe_entry": "barred"}),
    ("ny-multiple-action", {"entry": "no_mid_shoe_entry"}),
    ("lv-2d-pitch", {}),
    ("lv-2d", {}),
    ("lv-1d", {}),
]

Story = Callable[[Evening], Awaitable[None]]


def tell(folder: Path, story: Story, *, seed: int = 5) -> None:
    """Let an evening happen; then everything is made again and added up."""

    async def run() -> None:
        evening = Evening(folder, seed=seed)
        try:
            await story(evening)
        finally:
            await evening.end()

    asyncio.run(run())
    with opened(folder) as reader:
        verdict = verify_all(reader, lambda _: None)
        assert verdict.is_match, verdict
        assert audited(reader, lambda _: None).finish() == ()
    assert audit(folder / "push22.sqlite3") == []


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_rule_set_is_played_verified_and_audited(
    rules: str, tmp_path: Path
) -> None:
    """Several players on one shoe, one of whom pauses; then `verify --all`, `audit`.

    With limits changed and a new dealer between the rounds.
    """
    people = (ALICE, BOB, CY)[: PEOPLE[rules]]

    async def story(evening: Evening) -> None:
        await evening.open(rules)
        for here in (people, people, people[:1], people[:1]):
            closed = await evening.play(*here)
            assert closed.status == "settled"
            assert set(closed.players) == set(here)
            await evening.house(t.ChangeDealer(TABLE, "dora"))
        limits = t.TableLimits(1500, 20_000, 100)
        await evening.house(t.ChangeLimits(TABLE, limits))
        await evening.play(people[0], amount=1500)
        assert len(evening.all(e.SettlementDue)) >= 5

    tell(tmp_path, story)


@pytest.mark.parametrize(("rules", "options"), BARRED, ids=str)
def test_lv_5_a_table_that_everybody_admitted_has_left_gets_a_new_shoe(
    rules: str, options: dict[str, str], tmp_path: Path
) -> None:
    """LV-5, NY-4, MA-4: Bob is barred, Alice does not come back, the shuffle comes."""

    async def story(evening: Evening) -> None:
        await evening.open(rules, **options)
        await evening.play(ALICE)
        assert (await evening.bet(BOB, 2)).reason == "entry_barred"

        await evening.pass_time(21)

        assert evening.last(te.ShoeDiscarded).shoe == shoe(1)
        assert evening.last(s.ShoeRetired)
        assert evening.terms.shoe == shoe(2)
        assert (await evening.play(BOB)).status == "settled"

    tell(tmp_path, story)


def test_lv_5_an_idle_table_comes_to_rest(tmp_path: Path) -> None:
    """LV-5: after one shuffle nobody is barred, so no clock runs and no shoe goes."""

    async def story(evening: Evening) -> None:
        await evening.open("lv-2d")
        await evening.play(ALICE)

        for _ in range(20):
            await evening.pass_time(600)

        assert evening.casino.host.next_due() is None
        assert len(evening.all(s.ShoeCommitted)) == 2

    tell(tmp_path, story)


def test_a_table_closed_over_a_bet_that_is_withdrawn_retires_its_shoe(
    tmp_path: Path,
) -> None:
    """No round stays open, and the shoe's order is revealed."""

    async def story(evening: Evening) -> None:
        await evening.open("ny-switch-6d")
        await evening.bet(ALICE, 1)
        round_id = evening.round_id
        await evening.house(t.CloseTable(TABLE, "end of shift"))
        assert evening.all(s.ShoeRetired) == []

        await evening.player(ALICE, t.WithdrawBet(round_id, 1))

        assert evening.last(e.RoundClosed).status == "abandoned"
        assert evening.follower.rounds.open_rounds() == ()
        assert evening.last(te.ShoeDiscarded).shoe == shoe(1)
        assert evening.balance_minor(ALICE) == 1_000_000

    tell(tmp_path, story)


def test_a_table_closed_over_a_bet_that_stands_deals_its_last_round(
    tmp_path: Path,
) -> None:
    """The round is settled as if nothing had happened; then the shoe is retired."""

    async def story(evening: Evening) -> None:
        await evening.open("ny-switch-6d")
        await evening.bet(ALICE, 1)
        await evening.house(t.CloseTable(TABLE, "end of shift"))
        assert evening.all(e.TermsSuperseded)

        closed = await evening.play(ALICE)

        assert closed.status == "settled"
        assert evening.follower.rounds.open_rounds() == ()
        assert evening.all(s.ShoeRetired)

    tell(tmp_path, story)


def test_ma_4_who_returns_bets_the_minimum_and_ma_5_with_a_kept_seat_any_amount(
    tmp_path: Path,
) -> None:
    """MA-4 (iv), MA-5: Alice's seat was kept, Bob's was not."""

    async def story(evening: Evening) -> None:
        await evening.open("ny-multiple-action", entry="return_minimum_only")
        await evening.play(ALICE, BOB, CY)
        await evening.house(t.ReserveSeat(TABLE, ALICE))
        await evening.play(CY)

        assert (await evening.bet(BOB, 2, 2000)).reason == "minimum_only"
        assert (await evening.bet(BOB, 2, 1000)).accepted
        assert (await evening.bet(ALICE, 1, 2000)).accepted

    tell(tmp_path, story)


def test_ma_4_no_return_bars_until_the_shuffle(tmp_path: Path) -> None:
    """MA-4 (iii): Bob let a round pass; with the next shoe he is back."""

    async def story(evening: Evening) -> None:
        await evening.open("ny-multiple-action", entry="no_return", penetration=0.5)
        await evening.play(ALICE, BOB)
        await evening.play(ALICE)
        assert (await evening.bet(BOB, 2)).reason == "entry_barred"

        while not evening.terms.first_of_shoe:
            await evening.play(ALICE)

        assert (await evening.bet(BOB, 2)).accepted

    tell(tmp_path, story)


@pytest.mark.parametrize(("people", "rounds"), [(1, 5), (2, 4), (3, 3)])
def test_lv_11_one_deck_lasts_so_many_rounds(
    people: int, rounds: int, tmp_path: Path
) -> None:
    """LV-11: counted over all players of the deck."""
    here = (ALICE, BOB, CY)[:people]

    async def story(evening: Evening) -> None:
        await evening.open("lv-1d")
        for _ in range(rounds):
            assert evening.terms.shoe == shoe(1)
            await evening.play(*here)

        assert evening.terms.shoe == shoe(2)

    tell(tmp_path, story)


def test_lv_5_and_lv_11_a_second_box_shortens_the_deck(tmp_path: Path) -> None:
    """LV-5: who played the first round may change to two boxes and back."""
    two = {ALICE: (1, 2)}

    async def story(evening: Evening) -> None:
        await evening.open("lv-1d")
        await evening.play(ALICE)
        await evening.play(ALICE, boxes=two)
        await evening.play(ALICE)
        assert evening.terms.shoe == shoe(1)
        await evening.play(ALICE)

        assert evening.terms.shoe == shoe(2)

    tell(tmp_path, story)


@pytest.mark.parametrize("rules", ["ny-switch-6d", "lv-2d", "online-switch"])
def test_c_16_the_cut_card_ends_the_shoe(rules: str, tmp_path: Path) -> None:
    """C-16, ON-1: the round in which it comes is finished, the next has a new shoe."""
    decks = RULE_SETS[rules].decks
    share = 50 if rules == "online-switch" else 75

    async def story(evening: Evening) -> None:
        await evening.open(rules)
        out = []
        while evening.terms.shoe == shoe(1):
            out.append((await evening.play(ALICE)).cards_out)

        assert out[-1] >= decks * 52 * share // 100 > out[-2]
        assert len(evening.all(s.ShoeRetired)) == 1

    tell(tmp_path, story)


def test_ny_5_the_burned_cards_of_shoe_and_dealer(tmp_path: Path) -> None:
    """NY-5: one with the shoe, one for the dealer who came in mid-round; shown."""

    async def story(evening: Evening) -> None:
        await evening.open("ny-switch-6d")
        await evening.bet(ALICE, 1)
        await evening.house(t.ChangeDealer(TABLE, "dora"))
        await evening.play(ALICE)
        assert len(evening.all(s.CardBurned)) == 1

        await evening.bet(ALICE, 1)
        round_id = evening.round_id
        await evening.player(ALICE, t.StartDealing(round_id))
        await evening.player(BOB, t.ShowBurnedCard(round_id))

        assert len(evening.all(s.CardBurned)) == 2
        index = evening.last(s.CardBurned).index
        assert evening.last(s.BurnedCardShown).card.index == index

    tell(tmp_path, story)


def test_ny_5_the_burned_card_is_shown_in_every_round(tmp_path: Path) -> None:
    """NY-5: to Alice in the first round, to Bob in the second, when he asks."""

    async def story(evening: Evening) -> None:
        await evening.open("ny-switch-6d")
        for name in (ALICE, BOB):
            await evening.bet(ALICE, 1)
            round_id = evening.round_id
            await evening.player(ALICE, t.StartDealing(round_id))
            answer = await evening.player(name, t.ShowBurnedCard(round_id))
            assert answer.accepted
            assert evening.last(s.BurnedCardShown).round_id == round_id
            while round_id in evening.follower.rounds.open_rounds():
                await evening.pass_time(60)

        shown = evening.all(s.BurnedCardShown)
        burned = evening.all(s.CardBurned)
        assert [x.card.index for x in shown] == [burned[0].index] * 2

    tell(tmp_path, story)


def test_lv_10_nobody_takes_the_cut_and_it_is_in_the_middle(tmp_path: Path) -> None:
    """LV-10: without a player's seed (H12) dealing begins at half of the shoe."""

    async def story(evening: Evening) -> None:
        await evening.open("lv-6d")
        await evening.play(ALICE)

        cut = evening.last(s.ShoeCut)
        assert (cut.cut, cut.shares) == (156, ())

    tell(tmp_path, story)


def test_lv_6_a_raised_minimum_leaves_the_last_rounds_players_theirs(
    tmp_path: Path,
) -> None:
    """LV-6: Alice keeps 1000, Bob has to bet 2500; after a pause so has she."""

    async def story(evening: Evening) -> None:
        await evening.open("lv-6d")
        await evening.play(ALICE)
        await evening.house(t.ChangeLimits(TABLE, t.TableLimits(2500)))
        assert (await evening.bet(BOB, 2)).reason == "below_minimum"
        await evening.play(ALICE, amount=1000)

        await evening.play(BOB, amount=2500)

        assert (await evening.bet(ALICE, 1)).reason == "below_minimum"

    tell(tmp_path, story)


def test_lv_7_the_excess_never_leaves_the_account(tmp_path: Path) -> None:
    """LV-7, LV-8: 8000 bet under a maximum of 5000, then under one's own of 6000."""
    limits = t.TableLimits(1000, 5000)

    async def story(evening: Evening) -> None:
        await evening.open("lv-6d", limits, overbet="return_excess")
        await evening.house(t.SetPlayerMaximum(TABLE, BOB, 6000))
        await evening.bet(ALICE, 1, 8000)
        await evening.bet(BOB, 2, 8000)

        assert evening.balance_minor(ALICE) == 1_000_000 - 5000
        assert evening.balance_minor(BOB) == 1_000_000 - 6000
        closed = await evening.play(ALICE, BOB, amount=8000)
        assert closed.status == "settled"

    tell(tmp_path, story)


def test_lv_13_no_record_tells_a_bystander_a_face_down_card(tmp_path: Path) -> None:
    """LV-13: nothing of the table's that Eve may see names Alice's first cards."""

    async def story(evening: Evening) -> None:
        await evening.open("lv-2d-pitch")
        await evening.bet(ALICE, 1)
        await evening.bet(BOB, 2)
        round_id = evening.round_id
        await evening.player(ALICE, t.StartDealing(round_id))
        await evening.player(BOB, t.StartDealing(round_id))

        received = evening.last(e.CardsReceived)
        seen = seen_by(received, "local.eve")
        hands = [c.card for c in seen.cards if c.place in ("1.1", "2.1")]
        assert hands == ["", "", "", ""]
        alices = [c.card for c in seen_by(received, ALICE).cards if c.place == "1.1"]
        assert all(alices)
        ups = {c.card for c in seen.cards if c.place == "dealer"}
        told = b"".join(
            catalog.encode(seen_by(event, "local.eve"))
            for event in evening.events
            if tag_of(event).startswith("table.")
        )
        assert all(card.encode() not in told for card in alices if card not in ups)
        await evening.play(ALICE, BOB, boxes={ALICE: (), BOB: ()})
        assert {x.target[:3] for x in evening.all(e.HandShown)} == {"1.1", "2.1"}

    tell(tmp_path, story)
