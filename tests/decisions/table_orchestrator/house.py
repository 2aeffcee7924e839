"""A table under test: its decider alone, with the shoe's and the rounds' part by hand.

A committed shoe answers each request at once, so that a round is always called.
"""

from typing import Any

from contracts import identities
from contracts import round_events as e
from contracts import shoe as s
from contracts import table as t
from contracts import table_events as te
from contracts.envelope import Actor
from runtime.service import Context, Rejected
from services.table_orchestrator import TABLE as DECIDER
from tests.spec import NOON, PLATFORM

TABLE = "t1"


class House:
    """One table, its events so far, and the terms of the round it called."""

    def __init__(self, rule_set: str, limits: t.TableLimits | None = None) -> None:
        self.state = DECIDER.initial("table-t1")
        self.events: list[Any] = []
        self.opening = t.OpenTable(
            TABLE, rule_set, "EUR", limits=limits or t.TableLimits()
        )

    def open(self, **options: Any) -> "House":
        command = self.opening
        decided = self.tell(
            t.OpenTable(
                TABLE, command.rule_set, "EUR", options=options, limits=command.limits
            )
        )
        assert not isinstance(decided, Rejected), decided
        return self

    def tell(self, message: Any, by: Actor = PLATFORM) -> Any:
        """Decide a message and fold its events; a shoe that is asked for comes."""
        decided = DECIDER.decide(message, self.state, Context(NOON, "cause", by, {}))
        if isinstance(decided, Rejected):
            return decided
        for event in decided:
            self.state = DECIDER.evolve(self.state, event)
            self.events.append(event)
        for event in decided:
            if isinstance(event, te.ShoeRequested):
                self.tell(committed(event))
        return decided

    @property
    def terms(self) -> te.RoundTerms:
        """The terms of the round that was called last."""
        called: te.RoundCalled = self.last(te.RoundCalled)
        return called.terms

    def last(self, kind: type[Any]) -> Any:
        return next(event for event in reversed(self.events) if type(event) is kind)

    def count(self, kind: type[Any]) -> int:
        return sum(isinstance(event, kind) for event in self.events)

    def deal(self, *players: str, hands: int = 0, cards_out: int = 10) -> "House":
        """The round that was called is dealt to these players and closed."""
        self.close("settled", players=players, hands=hands, cards_out=cards_out)
        return self

    def close(
        self,
        status: str,
        *,
        players: tuple[str, ...] = (),
        hands: int = 0,
        cards_out: int = 0,
        all_passed: bool = False,
    ) -> Any:
        return self.tell(
            e.RoundClosed(
                round_id=identities.round_id(TABLE, self.terms.number),
                table=TABLE,
                status=status,
                players=players,
                nets_minor={},
                starting_hands=hands or len(players),
                cards_out=cards_out,
                cut_card_reached=False,
                dealt=bool(players),
                all_passed=all_passed,
            )
        )


def committed(event: te.ShoeRequested) -> s.ShoeCommitted:
    return s.ShoeCommitted(
        shoe=event.shoe,
        table=event.table,
        decks=event.decks,
        cut_card_at=event.cut_card_at,
        algorithm="a",
        root=b"root",
        reserve_hash=b"reserve",
        sealed=b"sealed",
        key_id="k",
    )
