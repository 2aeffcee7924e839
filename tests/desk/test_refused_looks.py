"""A look that is refused for its case is recorded, and tells nothing of the case."""

from pathlib import Path

import pytest

from tests.desk.asking import OPEN_ROUND, ROUND, a_case, a_house, get

NEVER = "t1-1-none"
NO_NAME = "n" * 400


async def test_what_is_refused_is_in_the_access_log(tmp_path: Path) -> None:
    """With the round and the case that was named, and under no case of anybody's."""
    async with a_house(tmp_path) as the:
        wrong = await a_case(the, OPEN_ROUND)
        cases = (wrong, NEVER, NO_NAME)
        paths = [f"/rounds/{ROUND}/replay?case={case}" for case in cases]
        answers = [await get(the, path, "vera", "viewer") for path in paths]
        of_round = await get(the, f"/access?round_id={ROUND}&who=vera", "ada", "admin")
        of_case = await get(the, f"/access?about_case={wrong}", "ada", "admin")

    assert [answer.status_code for answer in answers] == [422, 404, 400]
    looks = of_round.json()["looks"]
    assert [(row["person"], row["what"], row["case"]) for row in looks[::-1]] == [
        ("vera", f"replay refused: wrong_case {wrong}", ""),
        ("vera", f"replay refused: unknown_case {NEVER}", ""),
        ("vera", "replay refused: malformed", ""),
    ]
    assert of_case.json()["looks"] == []


@pytest.mark.parametrize("end", ["", "/replay", "/verdict"])
async def test_whom_a_case_is_about_cannot_be_tried_out(
    end: str, tmp_path: Path
) -> None:
    """A route that takes no player answers alike whoever is named."""
    async with a_house(tmp_path) as the:
        case = await a_case(the)
        path = f"/rounds/{ROUND}{end}?case={case}&player="
        found = [
            await get(the, f"{path}{who}", "vera", "viewer")
            for who in ("acme.alice", "acme.mallory")
        ]

    assert [answer.status_code for answer in found] == [200, 200]


async def test_one_text_for_every_wrong_case(tmp_path: Path) -> None:
    """Neither the round nor whether it is the player tells what a case is about."""
    async with a_house(tmp_path) as the:
        case = await a_case(the)
        path = f"/evidence?case={case}&player=acme.mallory"
        other = await get(the, f"/rounds/{OPEN_ROUND}{path}")
        player = await get(the, f"/rounds/{ROUND}{path}")

    assert other.status_code == player.status_code == 422
    assert other.json() == player.json()
    assert ROUND not in other.text
