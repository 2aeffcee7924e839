"""What is not there is told in one form, wherever somebody looks for it."""

from pathlib import Path

import pytest
from house import House, house

NOT_FOUND = "not_found"
BALANCE = "/operator/v1/players/{}/balance?currency=EUR"


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/documents/nothing",
        "/documents/nothing.yaml",
        "/documents/a/b",
        "/static/nothing.js",
        "/play/t1/more",
        "/player/v1/nothing",
        "/operator/v1",
        "/support/v1/nothing/at/all",
        "/desk-of-nobody",
    ],
)
@pytest.mark.parametrize("accept", ["application/json", "text/html", "*/*"])
async def test_an_unknown_path_is_a_problem(
    tmp_path: Path, path: str, accept: str
) -> None:
    """Programs read it, whatever they say that they accept."""
    async with house(tmp_path) as the:
        answer = await the.http.get(path, headers={"Accept": accept})

    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["reason"] == NOT_FOUND


async def told(the: House, player: str, operator: str = "acme") -> tuple[int, object]:
    request = the.signed("GET", BALANCE.format(player), operator=operator)
    answer = await the.http.send(request)
    found = answer.json()
    return answer.status_code, found.get("reason", found.get("balance_minor"))


async def test_a_player_without_a_wallet_is_not_found(tmp_path: Path) -> None:
    """A mistyped name has no balance of 0; a player who lost all has one."""
    money = {"currency": "EUR", "amount_minor": 500}
    async with house(tmp_path) as the:
        assert await told(the, "alice") == (404, NOT_FOUND)

        await the.ask("POST", "/operator/v1/players/alice/deposits", money)
        assert await told(the, "alice") == (200, 500)
        await the.ask("POST", "/operator/v1/players/alice/withdrawals", money)
        assert await told(the, "alice") == (200, 0)
        assert await told(the, "alice", "rival") == (404, NOT_FOUND)
        assert await told(the, "alicia") == (404, NOT_FOUND)


async def test_a_launched_player_has_nothing_before_the_first_deposit(
    tmp_path: Path,
) -> None:
    """Who is let in may look: the page shows 0, and no error."""
    async with house(tmp_path) as the:
        token = await the.session("fresh")
        answer = await the.play("GET", "/player/v1/me", token)

    assert (answer.status_code, answer.json()["balance_minor"]) == (200, 0)
