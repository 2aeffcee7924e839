"""Whole rounds by pure functions, under every rule set and every house option."""

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from blackjack import machine
from blackjack.house_options import OPTIONS
from blackjack.rule_sets import RULE_SETS, RuleSetError, default_limits, rule_set
from contracts import round_events as e
from contracts import settlement
from contracts import table as t
from contracts import wallet as w
from push22.bot import command_for
from push22.follower import PLATFORM, player_actor
from services.table_orchestrator.state import Betting, Ended, Playing
from tests.properties.pure_casino import PureCasino

PLAYERS = ("local.ann", "local.bob")
ROUND = "round-t1-1"
VALUES: tuple[Any, ...] = (
    *("hit", "stand", "dealt", "late", "open", "barred", "hole", "refuse"),
    *("determinate_first", "settle_all", "first_circle", "return_excess"),
    *("no_mid_shoe_entry", "return_minimum_only", True, False, 0.5, 0.9),
    *(1, 2, 3, 5, 6, 8),
    ["no_mid_shoe_entry", "no_return"],
)
"""A value is tried on each option; what the option does not know is left out."""


def options_of(rng: Random, name: str) -> dict[str, Any]:
    """Choose some of a rule set's options, and a value that each of them knows."""
    found = {}
    for option, (is_valid, _) in OPTIONS[name].items():
        if rng.random() < 0.5:
            found[option] = rng.choice([value for value in VALUES if is_valid(value)])
    try:
        rule_set(name, found)
    except RuleSetError:
        return {}
    return found


class Evening:
    """A table with two players who bet, decide and dawdle at random."""

    def __init__(self, name: str, seed: int) -> None:
        self.rng = rng = Random(seed)
        self.casino = PureCasino(rng)
        self.options = options_of(rng, name)
        self.rules = rule_set(name, self.options)
        self.refusals: list[str] = []
        limits = t.TableLimits(default_limits(self.rules).min_minor)
        opened = t.OpenTable("t1", name, "EUR", self.options, limits)
        assert self.casino.command(opened, PLATFORM) is None
        for player in PLAYERS:
            # Some can't afford every double: the wallet refuses those.
            money = rng.choice((5_000, 100_000))
            assert (
                self.casino.command(w.Deposit(player, "EUR", money), PLATFORM) is None
            )
        self.casino.settle()

    @property
    def state(self) -> Any:
        return self.casino.stream(ROUND).state

    def events(self, *kinds: type) -> list[Any]:
        return [
            event
            for log in self.casino.logs.values()
            for _, event in log
            if isinstance(event, kinds)
        ]

    def play(self) -> None:
        """Go on until the first round is over, at any mixture of turns."""
        for _ in range(2_000):
            if isinstance(self.state, Ended):
                self.casino.settle()
                return
            for _ in range(self.rng.randint(0, 6)):
                self.casino.turn()
            self._act()
        raise AssertionError(f"it never ends: {self.state}")

    def _act(self) -> None:
        """Somebody moves, nobody does, or the time is up."""
        if self.rng.random() < 0.1:
            self.casino.let_time_pass(ROUND)
        elif isinstance(self.state, Betting):
            self._bet(self.state)
        elif isinstance(self.state, Playing) and self.rng.random() < 0.2:
            self._switch_out_of_turn(self.state)
        elif isinstance(self.state, Playing) and self.state.offered:
            self._decide(self.state)

    def _bet(self, state: Betting) -> None:
        player = self.rng.choice(PLAYERS)
        actor = player_actor(player)
        box = PLAYERS.index(player) + 1
        if any(bet.player == player for bet in state.bets):
            self.casino.command(t.StartDealing(ROUND), actor)
            return
        low = default_limits(self.rules).min_minor
        wager = self.rng.randint(low, low + 9)
        count = self.rng.randint(self.rules.wagers_min, self.rules.wagers_max)
        side = {self.rules.side.name: 100} if self.rules.side else {}
        self.casino.command(t.PlaceBet(ROUND, box, (wager,) * count, side), actor)

    def _switch_out_of_turn(self, state: Playing) -> None:
        """A box may switch while another waits for cards; often it is refused."""
        box, owner = self.rng.choice(tuple(state.owners.items()))
        action = self.rng.choice(("switch", "keep", "switch_back"))
        command = command_for(ROUND, str(box), (action, None))
        self.casino.command(command, player_actor(owner))

    def _decide(self, state: Playing) -> None:
        """Take an offer with one of its amounts; only money can stand against it."""
        offer = self.rng.choice(machine.offers(state.game))
        option = self.rng.choice(offer.options)
        low, high = option.min_minor, option.max_minor
        amount = self.rng.choice((None, low, high)) if high else None
        if option.action == "double" and len(state.game.boxes[0].hands[0].wagers) > 1:
            amount = None
        command = command_for(ROUND, offer.target, (option.action, amount))
        refused = self.casino.command(command, player_actor(state.owners[offer.box]))
        if refused is not None:
            self.refusals.append(str(refused.reason))


evenings = st.builds(
    Evening, st.sampled_from(tuple(RULE_SETS)), st.integers(min_value=0)
)
WAITING = {t.TableReason.FUNDS_PENDING, t.TableReason.PAYOUT_PENDING}


@settings(max_examples=500)
@given(evenings)
def test_a_round_of_any_rules_ends_and_every_stake_has_one_end(
    evening: Evening,
) -> None:
    """Each accepted stake is due once, for its amount, and is settled once (law 4)."""
    evening.play()

    (closed,) = evening.events(e.RoundClosed)[:1]
    assert closed.status == "settled"
    assert set(evening.refusals) <= WAITING
    taken = sum(event.transfer.amount_minor for event in reserved(evening))
    dues = [due for event in evening.events(e.SettlementDue) for due in event.dues]
    labels = [item.due.label for item in dues]
    assert len(set(labels)) == len(labels)
    assert sum(item.due.stake_minor for item in dues) == taken
    lines = [
        item.line
        for event in evening.events(settlement.WagersSettled)
        for item in event.lines
    ]
    assert [(x.label, x.stake_minor) for x in lines] == [
        (item.due.label, item.due.stake_minor) for item in dues
    ]


def reserved(evening: Evening) -> list[w.FundsReserved]:
    """Return the reservations that were not given back."""
    back = {
        event.reservation
        for event in evening.events(w.ReservationCancelled)
        if event.transfer is not None
    }
    return [x for x in evening.events(w.FundsReserved) if x.reservation not in back]


@settings(max_examples=250)
@given(evenings)
def test_the_stakes_of_a_round_are_its_dues(evening: Evening) -> None:
    """What the round holds as stakes in the end is what fell due, label by label."""
    last: list[Any] = []
    evolve = evening.casino.stream(ROUND).decider.evolve
    evening.play()
    state = evening.casino.stream(ROUND).decider.initial(ROUND)
    for event in evening.casino.stream(ROUND).events:
        if isinstance(state, Playing):
            last = [(x.label, x.stake_minor) for x in machine.stakes(state.game)]
        state = evolve(state, event)
    dues = [due for event in evening.events(e.SettlementDue) for due in event.dues]

    assert sorted(last) == sorted((x.due.label, x.due.stake_minor) for x in dues)


@settings(max_examples=250)
@given(evenings)
def test_replaying_the_events_gives_the_live_state(evening: Evening) -> None:
    """Folded from nothing, every stream of every service is where it was."""
    evening.play()

    evening.casino.check_replay()


@settings(max_examples=250)
@given(evenings, st.integers(min_value=0, max_value=40))
def test_what_is_not_offered_is_refused_with_a_reason(
    evening: Evening, moment: int
) -> None:
    """At any moment of a round each other decision gets a reason, and no event."""
    for _ in range(moment):
        evening._act()
        evening.casino.settle()
    state = evening.state
    if not isinstance(state, Playing):
        return
    offered = {
        (offer.target, option.action)
        for offer in machine.offers(state.game)
        for option in offer.options
    }
    targets = [str(box) for box in state.owners]
    targets += [hand.label for hand in machine.hands(state.game)]
    for target in (*targets, "9", ""):
        for action in t.COMMAND_FOR:
            if (target, action) not in offered:
                owner = state.owners.get(int(target.partition(".")[0] or 0), PLAYERS[0])
                command = command_for(ROUND, target, (action, None))
                refused = evening.casino.command(command, player_actor(owner))
                assert refused is not None, command
                assert refused.reason, command
