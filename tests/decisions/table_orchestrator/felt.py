"""A round under test: its decider alone, with a shoe, a wallet and a clock by hand.

What the round asks for is answered at once from a list of cards and open purses,
unless a test says `hold`: then the test gives the answers itself.
"""

from typing import Any

from blackjack.rule_sets import digest, rule_set
from contracts import round_events as e
from contracts import shoe as s
from contracts import table as t
from contracts import wallet as w
from contracts.envelope import Actor
from contracts.table_events import Entry, RoundCalled, RoundTerms
from runtime.service import Context, DeadlinePassed, Rejected
from services.table_orchestrator import ROUND as DECIDER
from tests.spec import NOON, PLATFORM, SUPPORT, player

ROUND = "round-t1-7"
ALICE = "local.alice"
BOB = "local.bob"


def terms(rule_set_id: str = "ny-switch-6d", **changes: Any) -> RoundTerms:
    options = changes.pop("options", {})
    facts: dict[str, Any] = {
        "table": "t1",
        "number": 7,
        "rule_set": rule_set_id,
        "options": options,
        "rule_set_digest": digest(rule_set(rule_set_id, options)),
        "engine": "1",
        "currency": "EUR",
        "limits": t.TableLimits(),
        "timings": t.Timings(),
        "shoe": "shoe-t1-1",
        "shoe_root": b"root",
        "shoe_reserve_hash": b"reserve",
        "first_of_shoe": False,
        "burn": 0,
        "entry": Entry(),
    }
    return RoundTerms(**{**facts, **changes})


class Felt:
    """One round, its events so far, and what it still waits for."""

    def __init__(self, cards: str = "", *, hold: str = "", **changes: Any) -> None:
        self.cards = cards.split()
        self.hold = hold
        self.now = NOON
        self.state = DECIDER.initial(ROUND)
        self.events: list[Any] = []
        self.owed: list[Any] = []
        self.dealt = 0
        self.tell(RoundCalled(ROUND, terms(**changes)))

    def decide(self, message: Any, by: Actor) -> Any:
        """Decide one message and fold its events; return them or the rejection."""
        context = Context(
            now=self.now,
            cause_id="cause",
            actor=by,
            stream_version=len(self.events),
        )
        decided = DECIDER.decide(message, self.state, context)
        if isinstance(decided, Rejected):
            return decided
        for event in decided:
            self.state = DECIDER.evolve(self.state, event)
            self.events.append(event)
        self.owed.extend(decided)
        return decided

    def tell(self, message: Any, by: Actor = PLATFORM) -> Any:
        """Decide a message, then answer what the round asks for, unless held."""
        decided = self.decide(message, by)
        while self.owed:
            answer = self._answer(self.owed.pop(0))
            if answer is not None:
                self.decide(answer, PLATFORM)
        return decided

    def _answer(self, event: Any) -> Any | None:
        match event:
            case e.WagersPlaced() | e.FundsRequested() if self.hold != "funds":
                return reserved(event)
            case e.CardsRequested() if self.hold != "cards":
                return self.dealt_for(event)
            case e.HoleLookRequested():
                return s.HoleLooked(
                    event.shoe, ROUND, event.index, self._natural(event)
                )
            case e.HoleRevealRequested():
                card = s.DealtCard("hole", event.index, b"", self.hole)
                return s.HoleRevealed(event.shoe, ROUND, card)
        return None

    def _natural(self, event: e.HoleLookRequested) -> bool:
        ranks = {event.up_card[0], self.hole[0]}
        return "A" in ranks and bool(ranks & set("TJQK"))

    def dealt_for(self, event: e.CardsRequested) -> s.CardsDealt:
        cards = []
        for place in event.places:
            card = self.cards.pop(0)
            if place == "hole":
                self.hole = card
            seen = "" if place == "hole" else card
            cards.append(s.DealtCard(place, self.dealt, b"leaf", seen))
            self.dealt += 1
        return s.CardsDealt(event.shoe, ROUND, event.request, tuple(cards), self.dealt)

    def book(self) -> None:
        """Let the wallet book every part that is not booked yet."""
        for due in [x for x in self.events if isinstance(x, e.SettlementDue)]:
            for name in dict.fromkeys(item.player for item in due.dues):
                self.tell(w.PayoutsPosted(ROUND, due.part, name, "EUR", (), 0))

    def bet(self, name: str, box: int, wager: int = 1000, **more: Any) -> Any:
        bet = t.PlaceBet(ROUND, box, (wager, wager), **more)
        return self.tell(bet, player(name))

    def start(self, *names: str) -> "Felt":
        """Bet a box for each name, from box 1 on, and deal."""
        for box, name in enumerate(names, 1):
            self.bet(name, box)
        for name in dict.fromkeys(names):
            self.tell(t.StartDealing(ROUND), player(name))
        return self

    def do(
        self, name: str, command: type[t.HandCommand], target: str, **more: Any
    ) -> Any:
        return self.tell(command(ROUND, target, **more), player(name))

    def void(self, reason: str = "card reader broke") -> Any:
        return self.tell(t.VoidRound(ROUND, reason), SUPPORT)

    def pass_deadline(self, index: int = 0) -> Any:
        """Let the open deadline `index` pass."""
        owed = DECIDER.resume(self.state)
        deadline = owed.deadlines[index]
        self.now = deadline.due_at
        return self.tell(DeadlinePassed(owed.decision, deadline.kind))

    def deadlines(self) -> list[str]:
        return [item.kind for item in DECIDER.resume(self.state).deadlines]

    def last(self, kind: type[Any]) -> Any:
        return next(event for event in reversed(self.events) if type(event) is kind)

    def count(self, kind: type[Any]) -> int:
        return sum(isinstance(event, kind) for event in self.events)

    def due_targets(self) -> list[str]:
        offers = self.last(e.DecisionOpened).offers
        return [offer.target for offer in offers if offer.due]


def reserved(event: Any) -> w.FundsReserved:
    transfer = w.Transfer(event.reservation, "a", "b", event.amount_minor)
    return w.FundsReserved(
        ROUND, event.reservation, event.player, event.currency, transfer, 0
    )


def refused(event: Any) -> w.FundsRefused:
    return w.FundsRefused(
        ROUND,
        event.reservation,
        event.player,
        event.currency,
        event.amount_minor,
        0,
        w.WalletReason.INSUFFICIENT_FUNDS,
    )
