"""A look is for a case that exists and is about what is looked at, on every route."""

from pathlib import Path
from typing import Any

import pytest

from tests.desk.asking import (
    OPEN_ROUND,
    ROUND,
    a_case,
    a_house,
    get,
    post,
)

NEVER = "t1-1-none"
OF_ROUND = ("", "/replay", "/verdict", "/evidence")
ELSEWHERE = ("/rounds", "/cases", "/operators", "/access", "/me")
STATEMENTS = ("/statement", "/statement.csv")
WRONG = (422, "wrong_case")
UNKNOWN = (404, "unknown_case")


def refused(answer: Any) -> tuple[int, str]:
    assert answer.headers["content-type"].startswith("application/problem+json")
    return answer.status_code, answer.json()["reason"]


@pytest.mark.parametrize("by", ["query", "header"])
async def test_a_case_is_about_the_round_that_is_looked_at(
    by: str, tmp_path: Path
) -> None:
    """Unknown, and of another round; the right one lets in."""
    async with a_house(tmp_path) as the:
        right, wrong = await a_case(the), await a_case(the, OPEN_ROUND)
        found: dict[str, list[Any]] = {}
        for end in OF_ROUND:
            path = f"/rounds/{ROUND}{end}"
            found[end] = [
                await get(the, f"{path}?case={case}")
                if by == "query"
                else await get(the, path, **{"Push22-Case": case})
                for case in (NEVER, wrong, right)
            ]
        looks = (await get(the, "/access?who=rita", "ada", "admin")).json()["looks"]

    for unknown, other, own in found.values():
        assert refused(unknown) == UNKNOWN
        assert refused(other) == WRONG
        assert own.status_code == 200
    granted = [row for row in looks if "refused" not in row["what"]]
    assert [row["case"] for row in granted if row["about"] == ROUND] == [right] * 4


@pytest.mark.parametrize("path", ELSEWHERE)
async def test_a_search_is_for_a_case_that_exists(path: str, tmp_path: Path) -> None:
    """It names no round, so any case may be why."""
    async with a_house(tmp_path) as the:
        case = await a_case(the, OPEN_ROUND)
        unknown = await get(the, f"{path}?case={NEVER}", "ada", "admin")
        known = await get(the, f"{path}?case={case}", "ada", "admin")

    assert refused(unknown) == UNKNOWN
    assert known.status_code == 200


@pytest.mark.parametrize("end", STATEMENTS)
async def test_a_statement_is_of_whom_the_case_is_about(
    end: str, tmp_path: Path
) -> None:
    """Named in the case; where nobody is, of whoever bet in its round."""
    async with a_house(tmp_path) as the:
        named = await a_case(the)
        asked = {"round_id": ROUND, "subject": "the camera was dark"}
        open_to_all = (await post(the, "/cases", asked)).json()["case"]
        answers = [
            await get(the, f"/players/{who}{end}?currency=EUR&case={case}")
            for who in ("acme.alice", "acme.mallory")
            for case in (named, open_to_all)
        ]

    right, wrong = answers[:2], answers[2:]
    assert [answer.status_code for answer in right] == [200, 200]
    assert [refused(answer) for answer in wrong] == [WRONG, WRONG]


async def test_a_pack_is_for_whom_the_case_is_about(tmp_path: Path) -> None:
    """Made for another player it would be handed to whom the case has no word of."""
    async with a_house(tmp_path) as the:
        case = await a_case(the)
        path = f"/rounds/{ROUND}/evidence?case={case}&player="
        own = await get(the, f"{path}acme.alice")
        other = await get(the, f"{path}acme.bob")

    assert own.status_code == 200
    assert refused(other) == WRONG


async def test_a_search_for_a_round_or_a_player_is_of_the_case(tmp_path: Path) -> None:
    """Of what is said twice each counts."""
    async with a_house(tmp_path) as the:
        case = await a_case(the)
        right, wrong = [
            [
                await get(the, f"{path}&case={case}", "ada", "admin")
                for path in (
                    f"/rounds?player={who}",
                    f"/rounds?round_id={round_id}",
                    f"/rounds?player=acme.alice&player={who}",
                    f"/cases?round_id={round_id}",
                    f"/access?round_id={round_id}",
                )
            ]
            for who, round_id in (("acme.alice", ROUND), ("acme.bob", OPEN_ROUND))
        ]

    assert [answer.status_code for answer in right] == [200] * 5
    assert [refused(answer) for answer in wrong] == [WRONG] * 5


async def test_a_closed_case_is_no_reason_for_a_viewer_to_name_a_player(
    tmp_path: Path,
) -> None:
    """It shows stand-ins then: right and wrong names are answered alike."""
    async with a_house(tmp_path) as the:
        case, found = await a_case(the), {}
        for step in ("open", "closed"):
            found[step] = [
                await get(the, f"/rounds?player={who}&case={case}", "vera", "viewer")
                for who in ("acme.alice", "acme.bob")
            ]
            await post(the, f"/cases/{case}/close", {"resolution": "paid"})
        path = f"/rounds?player=acme.alice&case={case}"
        resolver = await get(the, path)

    assert [answer.status_code for answer in found["open"]] == [200, 422]
    assert [refused(answer) for answer in found["closed"]] == [WRONG, WRONG]
    assert resolver.status_code == 200


async def test_a_case_in_the_address_is_its_own_reason(tmp_path: Path) -> None:
    """Who asks for a case that never was is told so, whatever else he names."""
    async with a_house(tmp_path) as the:
        case = await a_case(the)
        own = await get(the, f"/cases/{case}?case={NEVER}")
        never = await get(the, f"/cases/{NEVER}?case={case}")

    assert own.status_code == 200
    assert never.status_code == 404
