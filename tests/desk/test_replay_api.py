"""What the viewer is given: every record in its place, every view as it was served."""

import json
from pathlib import Path
from typing import Any

import msgspec

from contracts import table as t
from services.gateway.story import story_of
from tests.desk.rounds import ALICE, BOB, ROUND, ask, deal, done, stacked

SWITCH = "Ah 9c 6d 9s Kd 6c Tc 8d Th"
"""A switch makes 21 of A-9 and 9-K, and a pair of nines; the dealer's 22 pushes."""


async def played(data: Path) -> dict[str, Any]:
    """Play a whole round with a switch, a split and a double; return its replay."""
    async with stacked(data, "ny-switch-6d", SWITCH) as the:
        await deal(
            the, (ALICE, t.PlaceBet(ROUND, 1, (1000, 1000), {"super_match": 100}))
        )
        await done(the, t.SwitchCards(ROUND, "1"), ALICE)
        the.clock.advance(seconds=2)
        await done(the, t.Stand(ROUND, "1.1"), ALICE)
        the.clock.advance(seconds=31)
        await the.settled()
        answer = await ask(the, f"/rounds/{ROUND}/replay")
        found: dict[str, Any] = answer.json()
        story = story_of(the.door.index.records(ROUND), "")
    assert answer.status_code == 200, answer.text
    assert story is not None
    assert folded(found, "")[-1] == json.loads(msgspec.json.encode(story.view))
    return found


def folded(found: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Fold the changes of a perspective; return the view after each step."""
    view: dict[str, Any] = {}
    views = []
    for step in found["steps"]:
        changes = step["shown"].get(name, {})
        view = {**view, **changes}
        views.append(view)
    return views


def only(found: dict[str, Any], type_: str) -> dict[str, Any]:
    (step,) = [x for x in found["steps"] if x["type"].endswith(f".{type_}.v1")]
    return step


async def test_header_seats_and_money_are_the_round_s(tmp_path: Path) -> None:
    """V1, V2, V5: what was played, by whom, and what it did to the balance."""
    found = await played(tmp_path)
    header, (purse,) = found["header"], found["purses"]

    assert found["watermark"] == "REPLAY, not live"
    assert (header["status"], header["rule_set"]) == ("settled", "ny-switch-6d")
    assert header["engine"] == header["running_engine"]
    assert header["is_same_rules"]
    assert not header["is_shoe_retired"]
    assert (header["cards_out_before"], len(header["positions"])) == (0, 8)
    assert found["seats"] == [{"seat": "p1", "player": "acme.alice", "boxes": [1]}]
    assert purse["before_minor"] == 100_000
    assert purse["net_minor"] == sum(line["net_minor"] for line in found["lines"])
    assert purse["movements"][-1]["balance_minor"] == purse["after_minor"]
    assert found["gaps"] == []


async def test_each_decision_says_who_what_and_from_which_options(
    tmp_path: Path,
) -> None:
    """V3: actor, offered options with amounts, time taken, totals, transactions."""
    found = await played(tmp_path)
    switched = only(found, "cards_switched")
    first, second = [x for x in found["steps"] if x["action"] == "stand"]
    reserved = only(found, "funds_reserved")
    opened = [x for x in found["steps"] if x["action"] == "decision_opened"]

    assert (switched["by"], switched["who"]) == ("player", "acme.alice")
    assert [hand["total"] for hand in switched["hands"]] == [21, 18]
    assert {"switch", "keep"} == {
        option["action"]
        for offer in switched["offered"]
        if offer["target"] == "1"
        for option in offer["options"]
    }
    assert first["took_ms"] == 2000
    assert (second["by"], second["who"]) == ("timeout", "")
    assert second["target"] == "1.2"
    assert reserved["transactions"]
    assert reserved["is_foreign"]
    assert any(
        option["max_minor"] == 1000
        for step in opened
        for offer in step["offered"]
        for option in offer["options"]
    )


async def test_records_stand_in_the_order_of_h15(tmp_path: Path) -> None:
    """A foreign record hangs under the event that it belongs to; none is missing."""
    found = await played(tmp_path)
    own = [step["sequence"] for step in found["steps"] if not step["is_foreign"]]
    services = {step["service"] for step in found["steps"]}

    assert own == list(range(1, len(own) + 1))
    assert services == {"table-orchestrator", "shoe", "settlement", "wallet"}
    assert all(step["record"]["id"] == step["id"] for step in found["steps"])
    assert all(step["offset"] > 0 for step in found["steps"])


async def test_each_line_cites_clauses_that_can_be_read(tmp_path: Path) -> None:
    """V4: NY-41 and the other clauses of the lines come with their words."""
    found = await played(tmp_path)
    cited = {clause for line in found["lines"] for clause in line["clauses"]}

    assert cited == set(found["clauses"])
    assert "NY-41" in cited
    assert "22 is a push" in found["clauses"]["NY-41"]


async def test_what_the_server_decided_stands_beside_it(tmp_path: Path) -> None:
    """The decider's own view folds to the same hands as the player's."""
    found = await played(tmp_path)
    decided: dict[str, Any] = {}
    for step in found["steps"]:
        decided.update(step["decided"])
    shown = folded(found, "")[-1]

    assert decided["phase"] == "settled"
    assert [x["cards"] for x in decided["boxes"][0]["hands"]] == [
        x["cards"] for x in shown["boxes"][0]["hands"]
    ]
    assert decided["boxes"][0]["hands"][0]["natural"] is False


async def test_face_down_hands_have_perspectives_of_their_own(tmp_path: Path) -> None:
    """LV-13: once all is open, each player's eyes are told apart again."""
    async with stacked(tmp_path, "lv-2d-pitch", "Th 9c 8h 7c 6d Ts 9d 5h Kd") as the:
        bets = [
            (ALICE, t.PlaceBet(ROUND, 1, (1000,))),
            (BOB, t.PlaceBet(ROUND, 2, (1000,))),
        ]
        await deal(the, *bets)
        await done(the, t.Stand(ROUND, "1.1"), ALICE)
        await done(the, t.Stand(ROUND, "2.1"), BOB)
        found = (await ask(the, f"/rounds/{ROUND}/replay")).json()
    at = next(
        i for i, x in enumerate(found["steps"]) if x["action"] == "cards_received"
    )
    hands = {
        name: [x["hands"][0]["cards"] for x in folded(found, name)[at]["boxes"]]
        for name in found["perspectives"]
    }

    assert found["is_whole"]
    assert found["perspectives"] == ["", "p1", "p2", "*"]
    assert hands[""] == [["", ""], ["", ""]]
    assert hands["p1"][1] == hands["p2"][0] == ["", ""]
    assert hands["*"] == [hands["p1"][0], hands["p2"][1]]
    assert "" not in [card for hand in hands["*"] for card in hand]


async def test_a_round_that_nobody_knows_is_not_found(tmp_path: Path) -> None:
    """Neither a replay nor a verdict is made up."""
    async with stacked(tmp_path, "ny-switch-6d", SWITCH) as the:
        for what in ("replay", "verdict"):
            answer = await ask(the, f"/rounds/round-t9-1/{what}")
            assert answer.status_code == 404
