"""G1: no role sees an undealt or face-down card, wherever one looks in the answers."""

import re
from pathlib import Path

import pytest

from contracts import table as t
from contracts.envelope import Actor
from tests.desk.rounds import ALICE, BOB, ROUND, ask, deal, done, stacked
from tests.gateway.house import House

PATHS = (f"/rounds/{ROUND}/replay", f"/rounds/{ROUND}/verdict", f"/rounds/{ROUND}")
ROLES = ("viewer", "resolver", "admin")


def said(text: str, card: str) -> bool:
    """Tell whether a card's code stands anywhere by itself, or in a row of cards."""
    alone = re.compile(rf"(?<![A-Za-z0-9+/=_-]){card}(?![A-Za-z0-9+/=_-])")
    return alone.search(text) is not None


async def answers(the: House) -> list[str]:
    """Return all that any role is told of the round, as text."""
    found = []
    for role in ROLES:
        for path in PATHS:
            answer = await ask(the, path, role)
            assert answer.status_code == 200, answer.text
            found.append(answer.text)
    return found


@pytest.mark.parametrize("role", ROLES)
async def test_hole_and_shoe_are_nobody_s_to_see(role: str, tmp_path: Path) -> None:
    """In play the hole card and the next cards are in no answer; the open ones are."""
    cards = "Ah 9c 6d 9s Kd Qc Tc 8d Th"
    async with stacked(tmp_path, "ny-switch-6d", cards) as the:
        await deal(the, (ALICE, t.PlaceBet(ROUND, 1, (1000, 1000))))
        replay, verdict, told = [await ask(the, path, role) for path in PATHS]

    assert "Kd" in replay.text
    for text in (replay.text, verdict.text, told.text):
        for card in ("Qc", "Tc", "8d", "Th"):
            assert not said(text, card), card
    assert not replay.json()["is_whole"]
    assert replay.json()["script"] == ""


async def test_face_down_hands_are_nobody_s_before_they_are_shown(
    tmp_path: Path,
) -> None:
    """LV-13: in an open pitch round not even a player's own eyes are lent out."""
    async with stacked(tmp_path, "lv-2d-pitch", "Th 9c Qh 8h 7c 6d 5s Kd Jd") as the:
        await deal(
            the,
            (ALICE, t.PlaceBet(ROUND, 1, (1000,))),
            (BOB, t.PlaceBet(ROUND, 2, (1000,))),
        )
        before = await answers(the)
        await done(the, t.Stand(ROUND, "1.1"), ALICE)
        after = await answers(the)

    hidden = {"9c", "Qh", "7c", "5s", "Kd", "Jd"}
    for text in before:
        assert {x for x in (*hidden, "Th", "8h") if said(text, x)} == set()
    for text in after:
        assert {card for card in hidden if said(text, card)} == set()
    assert all(said(after[0], card) for card in ("6d", "Th", "8h"))


async def test_a_hand_that_was_never_shown_is_not_told_once_the_round_is_void(
    tmp_path: Path,
) -> None:
    """LV-13: the shoe goes on, and nobody knows more of it than the table saw."""
    async with stacked(tmp_path, "lv-2d-pitch", "Th 9c Qh 8h 7c 6d 5s Kd Jd") as the:
        await deal(the, (ALICE, t.PlaceBet(ROUND, 1, (1000,))))
        support = Actor("support", "rita")
        await done(the, t.VoidRound(ROUND, "the table was hit"), support)
        found = await answers(the)

    for text in found:
        assert not [x for x in ("9c", "Qh", "7c") if said(text, x)]
