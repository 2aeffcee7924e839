"""A viewer sees no player's name unless an open case asks for it (V8)."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from blackjack.script import read_script
from contracts import table as t
from contracts import wallet as w
from push22.casino import LOG_NAME, PLATFORM
from push22.door.index import FileIndex
from services.gateway.ports import CallRow
from services.gateway.rates import Buckets, Rate
from tests.archive.forgery import body_of, version_of, write
from tests.archive.small_casino import copy_of
from tests.desk.asking import done, get, post
from tests.desk.rounds import ALICE, BOB, ROUND
from tests.gateway.house import House, house

OTHER = "round-t1-2"
VERDICT = f"/rounds/{ROUND}/verdict"
"""Of a round that is right it names nobody."""
ROUTES = (
    "/rounds",
    "/rounds?player=acme.alice",
    f"/rounds/{ROUND}",
    f"/rounds/{ROUND}/replay",
    VERDICT,
    f"/rounds/{OTHER}",
    f"/rounds/{OTHER}/replay",
    "/cases",
)


@contextlib.asynccontextmanager
async def played(data: Path) -> AsyncIterator[House]:
    """Open a house with a closed round of Alice's and Bob's, and an open one."""
    async with house(data) as the:
        the.door.people = Buckets(Rate(10**6, 10**6))
        await the.open_table("t1")
        for box, player in enumerate((ALICE, BOB), 1):
            await done(the, w.Deposit(player.who, "EUR", 100_000), PLATFORM)
            await done(the, t.PlaceBet(ROUND, box, (1000, 1000)), player)
        while the.door.lobby.version(OTHER) == 0:
            the.clock.advance(seconds=31)
            await the.settled()
        for box, player in enumerate((BOB, ALICE), 1):
            await done(the, t.PlaceBet(OTHER, box, (1000, 1000)), player)
        yield the


async def a_case(the: House, round_id: str = ROUND) -> str:
    asked = {"round_id": round_id, "subject": "alice's double", "player": ALICE.who}
    answer = await post(the, "/cases", asked)
    case: str = answer.json()["case"]
    await post(the, f"/cases/{case}/notes", {"text": "alice: why not bob?"})
    return case


async def seen(the: House, path: str, role: str = "viewer", **headers: str) -> str:
    answer = await get(the, path, "vera", role, **headers)
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def names_in(text: str) -> set[str]:
    return {name for name in ("alice", "bob") if name in text}


async def test_no_answer_to_a_viewer_names_a_player(tmp_path: Path) -> None:
    """Whole answers are searched, for names without the operator as well."""
    async with played(tmp_path) as the:
        closed = await a_case(the)
        await post(the, f"/cases/{closed}/close", {"resolution": "bob was right"})
        await a_case(the, OTHER)
        texts = {path: await seen(the, path) for path in ROUTES}
        texts["closed"] = await seen(the, f"/cases/{closed}")

    assert {path for path, text in texts.items() if names_in(text)} == set()
    assert [x for x, text in texts.items() if "player_" not in text] == [VERDICT]


@pytest.mark.parametrize("role", ["resolver", "admin"])
async def test_who_resolves_disputes_sees_names(role: str, tmp_path: Path) -> None:
    """Nothing is masked for those who may act."""
    async with played(tmp_path) as the:
        await a_case(the)
        texts = {path: await seen(the, path, role) for path in ROUTES}

    assert {path for path, text in texts.items() if not names_in(text)} == {VERDICT}
    assert not any("player_" in text for text in texts.values())


async def test_an_open_case_shows_the_names_of_its_own_round(tmp_path: Path) -> None:
    """Another round is not shown for it, and no names are once the case is closed."""
    async with played(tmp_path) as the:
        case = await a_case(the)
        both: dict[str, set[str]] = {}
        for path in (x for x in ROUTES if f"/{OTHER}" not in x):
            by_header = await seen(the, path, **{"Push22-Case": case})
            sign = "&" if "?" in path else "?"
            by_query = await seen(the, f"{path}{sign}case={case}")
            assert names_in(by_header) == names_in(by_query), path
            both[path] = names_in(by_header)
        listed = (await get(the, f"/rounds?case={case}", "vera", "viewer")).json()
        own = await seen(the, f"/cases/{case}")
        await post(the, f"/cases/{case}/close", {"resolution": "paid"})
        after = await seen(the, f"/rounds/{ROUND}/replay?case={case}")
        elsewhere = [
            await get(the, f"{path}?case={case}", "vera", "viewer")
            for path in ROUTES
            if f"/{OTHER}" in path and "?" not in path
        ]
        looks = (await get(the, f"/access?about_case={case}", "ada", "admin")).json()

    shown = [path for path, names in both.items() if names]
    assert shown == [x for x in both if x != VERDICT]
    assert {answer.json()["reason"] for answer in elsewhere} == {"wrong_case"}
    assert {
        row["round_id"]: names_in(str(row["seats"])) for row in listed["rounds"]
    } == {ROUND: {"alice", "bob"}, OTHER: set()}
    assert names_in(own) == {"alice", "bob"}
    assert names_in(after) == set()
    told = {(x["person"], x["what"]) for x in looks["looks"]}
    assert told >= {("vera", "replay"), ("vera", "rounds"), ("vera", "verdict")}


async def test_a_stand_in_is_the_same_everywhere_and_new_in_each_round(
    tmp_path: Path,
) -> None:
    """Search, records and replay agree, after a restart too; rounds do not."""
    async with played(tmp_path) as the:
        found = (await get(the, "/rounds", "vera", "viewer")).json()["rounds"]
        told = (await get(the, f"/rounds/{ROUND}/replay", "vera", "viewer")).json()
        records = await seen(the, f"/rounds/{ROUND}")
    async with house(tmp_path, the.clock) as the:
        again = (await get(the, f"/rounds/{ROUND}/replay", "vera", "viewer")).json()

    by_round = {x["round_id"]: {y["player"] for y in x["seats"]} for x in found}
    seats = {seat["player"] for seat in told["seats"]}
    assert len(seats) == 2
    assert by_round[ROUND] == seats == {seat["player"] for seat in again["seats"]}
    assert all(name in records for name in seats)
    assert by_round[OTHER].isdisjoint(seats)
    assert {x["player"] for x in told["purses"]} == seats
    assert {box.player for box in read_script(told["script"]).boxes} == seats


async def test_players_see_each_other_as_seats(tmp_path: Path) -> None:
    """What a player saw names nobody, whoever looks: the views have seats alone."""
    async with played(tmp_path) as the:
        told = (await get(the, f"/rounds/{ROUND}/replay", "rita")).json()

    views = [step["shown"] for step in told["steps"]]
    assert names_in(str(views)) == set()
    assert {"p1", "p2"} <= {
        box["seat"] for view in views for box in view.get("", {}).get("boxes", ())
    }


async def test_a_verdict_that_differs_names_nobody(tmp_path: Path) -> None:
    """The record that differs is shown whole, but for its names."""
    (tmp_path / "copy").mkdir()
    async with played(tmp_path) as the:
        with contextlib.closing(copy_of(tmp_path, tmp_path / "copy")) as file:
            version = version_of(file, ROUND, "table.round_closed.v1")
            body = body_of(file, ROUND, version)
            write(file, ROUND, version, body.replace(b'_minor":{', b'_minor": {', 1))
        live = the.door._index
        assert live is not None
        the.door._index = FileIndex(tmp_path / "copy" / LOG_NAME)
        told = await get(the, VERDICT, "vera", "viewer")

    found: Any = told.json()
    assert (found["verdict"], found["kind"]) == ("DIFFERS", "changed_record")
    assert names_in(told.text) == set()


async def test_calls_owed_for_players_name_none_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A viewer sees that an operator is owed a call, and not for whom."""
    fixed = ("EUR", 1000, ROUND, 1, 3, "timeout", 2, 0, "")
    row = CallRow("call-1", "credit", "acme", ALICE.who, *fixed)
    monkeypatch.setattr(FileIndex, "owed_calls", lambda *_: [row])
    async with played(tmp_path) as the:
        viewer, resolver = [await seen(the, "/calls", x) for x in ("viewer", "admin")]

    assert names_in(viewer) == set()
    assert ROUND in viewer
    assert names_in(resolver) == {"alice"}
