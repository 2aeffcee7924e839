"""Whatever people ask of a case, in whatever order: the laws of its README hold."""

from collections import Counter
from typing import Any

from desk_story import CASE, STREAM
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts import desk as d
from contracts.desk import Role
from contracts.envelope import Actor
from contracts.wallet import (
    CorrectionPosted,
    CorrectionRefused,
    Transfer,
    WalletReason,
)
from runtime.service import Context, Rejected
from services.desk import CASE as DECIDER
from tests.builders import ALICE, ALICES_MONEY, EUR, HOUSE, ROUND
from tests.spec import NOON

PEOPLE = ("rita", "adam", "eve")
LIMIT = 100

ROLES = st.sampled_from(list(Role))
NUMBERS = st.integers(1, 4)
AMOUNTS = st.integers(-150, 150)
COMMANDS = st.one_of(
    st.builds(d.AddNote, st.just(CASE), st.just("seen"), ROLES),
    st.builds(
        d.ProposeCorrection,
        st.just(CASE),
        st.just(ALICE),
        st.just(EUR),
        AMOUNTS,
        st.just("why"),
        st.sampled_from([0, LIMIT]),
        ROLES,
    ),
    st.builds(
        d.ProposeVoid,
        st.just(CASE),
        st.just(EUR),
        st.integers(0, 150),
        st.just("why"),
        st.just(LIMIT),
        ROLES,
    ),
    st.builds(d.ApproveProposal, st.just(CASE), NUMBERS, ROLES),
    st.builds(d.RejectProposal, st.just(CASE), NUMBERS, st.just("no"), ROLES),
    st.builds(d.CloseCase, st.just(CASE), st.just("done"), ROLES),
)
ASKED = st.lists(
    st.tuples(COMMANDS, st.sampled_from(PEOPLE), st.sampled_from("bri")), max_size=25
)
"""Commands by somebody; then the wallet books (b), refuses (r) or is idle (i)."""


class Story:
    """A case's events so far, and its state."""

    def __init__(self) -> None:
        self.state = DECIDER.initial(STREAM)
        self.events: list[Any] = []
        self.tell(d.OpenCase(CASE, ROUND, "a complaint", Role.RESOLVER), "rita")

    def tell(self, message: Any, who: str) -> tuple[Any, ...]:
        context = Context(now=NOON, cause_id="c", actor=Actor("support", who))
        decided = DECIDER.decide(message, self.state, context)
        if isinstance(decided, Rejected):
            return ()
        for event in decided:
            self.state = DECIDER.evolve(self.state, event)
        self.events += decided
        return decided

    def answer(self, approved: d.ProposalApproved, how: str) -> None:
        """Let the wallet answer an approved correction, twice over."""
        if how == "i" or approved.kind is d.ProposalKind.VOID:
            return
        which = (ROUND, CASE, approved.proposal, ALICE, EUR)
        transfer = Transfer("t", HOUSE, ALICES_MONEY, 1)
        reason = WalletReason.INSUFFICIENT_FUNDS
        refused = CorrectionRefused(*which, approved.amount_minor, 0, reason)
        message = CorrectionPosted(*which, transfer, 1) if how == "b" else refused
        assert len(self.tell(message, "wallet")) == 1
        assert self.tell(message, "wallet") == ()

    def all_of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


@settings(max_examples=60, deadline=None)
@given(ASKED)
def test_the_laws_of_a_case_hold_whatever_is_asked(
    asked: list[tuple[Any, str, str]],
) -> None:
    """One end each; a second person, or little; nothing by a viewer or at the end."""
    story = Story()
    for command, who, how in asked:
        decided = story.tell(command, who)
        assert not decided or command.role is not Role.VIEWER
        for event in decided:
            if isinstance(event, d.ProposalApproved):
                story.answer(event, how)

    approvals = story.all_of(d.ProposalApproved)
    decisions = [*approvals, *story.all_of(d.ProposalRejected)]
    outcomes = story.all_of(d.CorrectionBooked) + story.all_of(d.CorrectionFailed)
    for ends in (decisions, outcomes):
        assert all(n == 1 for n in Counter(x.proposal for x in ends).values())
    for event in approvals:
        assert event.is_alone == (event.proposed_by == event.approved_by)
    alone = [abs(event.amount_minor) for event in approvals if event.is_alone]
    assert sum(alone) <= LIMIT
    closed = [isinstance(event, d.CaseClosed) for event in story.events]
    assert True not in closed[:-1], "nothing comes after the end"

    state = DECIDER.initial(STREAM)
    for event in story.events:
        state = DECIDER.evolve(state, event)
    assert state == story.state
