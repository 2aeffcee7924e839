"""A round tried out another way: played for the asker, recorded nowhere."""

import json
from pathlib import Path
from typing import Any

import pytest

from contracts import table as t
from push22.desk import trying
from push22.inspect.reader import Reader
from services.gateway.desk.what_if import SCRIPT_CHARACTERS_MAX
from tests.desk.rounds import ALICE, ROUND, ask, deal, done, stacked
from tests.gateway.house import House

CARDS = "Ah 9c 6d 9s Kd 6c Tc 8d Th"


async def tried(the: House, script: str) -> dict[str, Any]:
    answer = await ask(the, "/what-if", body={"script": script})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_another_decision_has_another_result(tmp_path: Path) -> None:
    """The recorded round plays again; without the switch the hands are others."""
    async with stacked(tmp_path, "ny-switch-6d", CARDS) as the:
        await deal(the, (ALICE, t.PlaceBet(ROUND, 1, (1000, 1000))))
        await done(the, t.SwitchCards(ROUND, "1"), ALICE)
        await done(the, t.Stand(ROUND, "1.1"), ALICE)
        await done(the, t.Stand(ROUND, "1.2"), ALICE)
        script = (await ask(the, f"/rounds/{ROUND}/replay")).json()["script"]
        before = Reader.open(tmp_path).last_place()
        same = await tried(the, script)
        other = await tried(the, script.replace('  "1 switch",\n', '  "1 keep",\n'))
        new = {x.service for x in Reader.open(tmp_path).everything(after=before)}

    assert (same["fault"], same["failures"]) == (None, [])
    assert same["hands"] == {"1.1": "Ah Kd", "1.2": "9c 9s"}
    assert other["hands"] == {"1.1": "Ah 9s", "1.2": "9c Kd"}
    assert other["banner"].startswith("WHAT-IF")
    assert new == {"desk"}, "nothing but that somebody looked"


async def test_what_is_no_script_says_why(tmp_path: Path) -> None:
    """A fault names its place; too long a script is not taken at all."""
    async with stacked(tmp_path, "ny-switch-6d", CARDS) as the:
        wrong = await tried(the, 'rules = "no-such"\ncards = ""\n[[box]]\nbox = 1\n')
        long = await ask(
            the, "/what-if", body={"script": "#" * (SCRIPT_CHARACTERS_MAX + 1)}
        )

    assert wrong["fault"]["place"] == "rules"
    assert (long.status_code, long.json()["reason"]) == (400, "malformed")


@pytest.mark.parametrize(
    ("place", "more"),
    [
        ("limits", f"limits = {{ min = 1, max = {10**20} }}\n"),
        ("box.balance", ""),
        ("toml", "x = " + "[" * 7_000),
    ],
)
def test_a_script_of_absurd_amounts_says_so(place: str, more: str) -> None:
    """What no casino takes is a fault of the script, and none of ours."""
    balance = 10**20 if place == "box.balance" else 1_000
    text = (
        f'rules = "ny-switch-6d"\ncards = "Th 9c 6d 5s Kd 6c"\n{more}'
        f'[[box]]\nbox = 1\nplayer = "ann"\nbalance = {balance}\nwager = 100\n'
    )
    fault = trying.tried(text).fault
    assert fault is not None
    assert fault.place == place


def test_a_script_has_a_bounded_number_of_steps() -> None:
    """Who asks for a thousand steps is told so before any is played."""
    head = 'rules = "lv-6d"\ncards = "Th 9c 6d 5s"\n'
    steps = json.dumps(["1.1 hit"] * (trying.STEPS_MAX + 1))
    found = trying.tried(f"{head}play = {steps}\n[[box]]\nbox = 1\nwager = 1000\n")

    assert found.fault is not None
    assert found.fault.place == "play"


def test_a_script_that_takes_too_long_is_stopped(monkeypatch: Any) -> None:
    """Whatever it is: the time is bounded."""
    monkeypatch.setattr(trying, "SECONDS_MAX", 0.0)
    found = trying.tried(
        'rules = "lv-6d"\ncards = "Th 9c 6d 5s"\nplay = ["1.1 stand"]\n'
        "[[box]]\nbox = 1\nwager = 1000\n"
    )

    assert found.fault is not None
    assert "seconds" in found.fault.reason
