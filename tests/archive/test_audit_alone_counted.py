"""The audit holds what was decided alone to whose money moved, and to its day."""

from typing import Any

import pytest
from money_story import ALICE, DAY, NOON, audited, deposit, placed, reserved
from msgspec.structs import replace
from test_audit_cases import OTHER, VOID_ALONE, VOID_PROPOSED, found, voided
from test_audit_corrections import ALONE, POSTED, PROPOSED, corrected

from contracts.desk import AloneDay

BOB = "local.bob"
TODAY = AloneDay(DAY, (ALICE,), 0)
MIDNIGHT = NOON + 12 * 60 * 60 * 1_000_000
MINUTE = 60 * 1_000_000


def paid(said: AloneDay | None, **proposed: Any) -> dict[str, Any]:
    """A correction of 600 that Rita decided alone, reckoned with that sum."""
    return corrected(
        proposed=replace(PROPOSED, amount_minor=600, **({"alone": said} | proposed)),
        approved=replace(ALONE, amount_minor=600, alone=said),
        corrected=replace(
            POSTED,
            transfer=replace(POSTED.transfer, amount_minor=600),
            balance_minor=101600,
        ),
    )


def given_back(said: AloneDay | None, **proposed: Any) -> dict[str, Any]:
    """A void of Alice's stakes that Rita decided alone, reckoned with that sum."""
    return voided(
        void_proposed=replace(VOID_PROPOSED, **({"alone": said} | proposed)),
        void_approved=replace(VOID_ALONE, alone=said),
    )


BEFORE = "before_days_were_added_up"
HONEST = {
    "correction": paid(TODAY),
    "with_others": paid(replace(TODAY, players=(BOB, ALICE))),
    "known_by_its_id": paid(TODAY, needs_sum=True, command_id="c"),
    "void": given_back(TODAY),
    "void_with_who_was_refused": given_back(replace(TODAY, players=(ALICE, BOB))),
    BEFORE: paid(None),
    f"void_{BEFORE}": given_back(None),
}


@pytest.mark.parametrize("name", HONEST)
def test_what_was_counted_for_its_player_breaks_no_rule(name: str) -> None:
    """Whichever log is read first: the desk's may come last."""
    events = HONEST[name]
    assert audited(events.values()).finish() == ()
    of_desk = [x for x in events.values() if type(x).__module__ == "contracts.desk"]
    others = [x for x in events.values() if x not in of_desk]
    for order in ([*of_desk, *others], [*others, *of_desk]):
        assert audited(order).finish() == ()


NOBODY = replace(TODAY, players=())
ANOTHER = replace(TODAY, players=(BOB,))
YESTERDAY = replace(TODAY, day="2026-10-30")
BROKEN = {
    "correction_of_another": (paid(ANOTHER), "money of local.alice, counted for loc"),
    "correction_of_nobody": (paid(NOBODY), "counted for nobody"),
    "correction_of_another_day": (paid(YESTERDAY), "counted on 2026-10-30"),
    "correction_of_no_day": (paid(replace(TODAY, day="")), "which was not the day"),
    "void_of_anothers_stakes": (given_back(ANOTHER), "gave back stakes of local.alice"),
    "void_of_another_day": (given_back(YESTERDAY), "counted on 2026-10-30"),
    "sum_unknown": (paid(None, needs_sum=True), "the day's sum was not known"),
    "void_unknown": (given_back(None, command_id="c"), "the day's sum was not known"),
    "proposed_otherwise": (
        paid(TODAY, alone=replace(TODAY, minor=1)),
        "it was proposed with another sum",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_was_counted_otherwise_is_found_by_name(name: str) -> None:
    """Once, with the case, under a check of its own, and nothing else is said."""
    events, words = BROKEN[name]
    of_desk = [x for x in events.values() if type(x).__module__ == "contracts.desk"]
    others = [x for x in events.values() if x not in of_desk]
    for order in ([*of_desk, *others], [*others, *of_desk]):
        (violation,) = audited(order).finish()
        assert violation.check == "alone_counted"
        assert violation.subject == VOID_PROPOSED.case
        assert words in violation.text


def test_a_void_that_counts_for_nobody_gives_nobody_anything_back() -> None:
    """Found at its approval and, for whom it was, at the void."""
    texts = [x.text for x in audited(given_back(NOBODY).values()).finish()]
    assert len(texts) == 2
    assert "gives stakes back, counted for nobody" in texts[0]
    assert "gave back stakes of local.alice, counted for nobody" in texts[1]
    of_nothing = [
        replace(VOID_PROPOSED, staked_minor=0, alone=NOBODY),
        replace(VOID_ALONE, amount_minor=0, alone=NOBODY),
    ]
    assert audited(of_nothing).finish() == ()


@pytest.mark.parametrize(
    ("since", "is_its_day"),
    [
        (MIDNIGHT - 12 * 60 * MINUTE, True),
        (MIDNIGHT + 4 * MINUTE, True),
        (MIDNIGHT + 6 * MINUTE, False),
    ],
)
def test_about_midnight_it_is_either_day(since: int, *, is_its_day: bool) -> None:
    """As the desk believes it: clocks may be five minutes apart."""
    checks = {x.check for x in audited(paid(TODAY).values(), since=since).finish()}
    assert checks == (set() if is_its_day else {"alone_counted"})


def test_a_second_persons_decision_is_not_counted_at_all() -> None:
    """Whatever the gateway said of the day: two people decided."""
    by_two = replace(ALONE, approved_by="adam", is_alone=False)
    proposed = replace(PROPOSED, alone=YESTERDAY)
    assert found(corrected(proposed=proposed, approved=by_two)) == set()


def test_many_cases_are_told_apart() -> None:
    """The finding names the case, and the proposal in it."""
    steps = [
        deposit(100000),
        placed(),
        reserved("round-t1-1:bet:1", 2000, 98000),
    ]
    for case, said in ((VOID_PROPOSED.case, TODAY), (OTHER, YESTERDAY)):
        steps += [
            replace(VOID_PROPOSED, case=case, alone=said),
            replace(VOID_ALONE, case=case, alone=said),
        ]
    texts = [
        (x.subject, x.text)
        for x in audited(steps).finish()
        if x.check == "alone_counted"
    ]
    assert texts == [
        (OTHER, f"{OTHER}:1: counted on 2026-10-30, which was not the day")
    ]
