"""What operators and support find, and what is said of a search that is none."""

from pathlib import Path
from typing import Any

import pytest
from house import House, house
from test_routes import OLD, OPEN, prepared


async def found(the: House, query: str) -> list[str]:
    answer = await the.play("GET", f"/support/v1/rounds?{query}", the.support("viewer"))
    assert answer.status_code == 200, answer.text
    return [row["round_id"] for row in answer.json()["rounds"]]


WAYS = {
    f"round_id={OLD}": [OLD],
    "player=acme.alice": [OLD],
    "player=rival.alice": [],
    "operator=acme": [OLD],
    "operator=acme&outcome=main_blackjack&net_max=-999999": [],
    "status=settled": [OLD],
    "interrupted=true": [],
    "automatic=true": [OLD],
    "retried=true": [],
    "staked_min=2000&staked_max=2000": [OLD],
    "staked_min=2001&staked_max=2001": [],
    f"transaction={OLD}:bet:1:reserve": [OLD],
    "transaction=nothing": [],
    "operator_transaction=theirs": [],
    "session=none": [],
    "table=acme1&currency=EUR&rule_set=ny-switch-6d": [OPEN, OLD],
    "shoe=shoe-acme1-1&status=open": [OPEN],
    "shoe=shoe-acme1-99": [],
}


@pytest.mark.parametrize("query", WAYS)
async def test_support_finds_a_round_by_what_is_known(
    query: str, tmp_path: Path
) -> None:
    """Each parameter alone and with others, as the index has it."""
    async with house(tmp_path) as the:
        await prepared(the)
        assert await found(the, query) == WAYS[query]


@pytest.mark.parametrize(
    "query",
    [
        "status=gone",
        "outcome=fun",
        "shoe=../x",
        "round_id=x",
        "net_min=ten",
        "interrupted=perhaps",
        "cursor=x",
        "limit=0",
        "limit=201",
        "operator=ACME",
    ],
)
async def test_a_search_that_is_none_is_refused(query: str, tmp_path: Path) -> None:
    """The problem says which parameter is not right; nothing is looked for."""
    async with house(tmp_path) as the:
        path = f"/support/v1/rounds?{query}"
        answer = await the.play("GET", path, the.support("viewer"))

    assert answer.status_code == 400
    assert answer.json()["reason"] == "malformed"


async def test_an_operator_searches_among_its_own_seats(tmp_path: Path) -> None:
    """What is asked of a seat is asked of the operator's own players' seats."""
    async with house(tmp_path) as the:
        await prepared(the)

        async def ids(query: str, operator: str) -> list[str]:
            path = f"/operator/v1/rounds?{query}"
            answer: Any = await the.ask("GET", path, operator=operator)
            return [row["round_id"] for row in answer["rounds"]]

        own = await ids("automatic=true&player=alice", "acme")
        others = await ids("automatic=true", "rival")

    assert own == [OLD]
    assert others == []


async def test_the_documents_name_every_way_to_search(tmp_path: Path) -> None:
    """OpenAPI has the parameters of both routes, and none of ours inside."""
    async with house(tmp_path) as the:
        paths = (await the.http.get("/openapi.json")).json()["paths"]

    for route in ("/support/v1/rounds", "/operator/v1/rounds"):
        told = {item["name"] for item in paths[route]["get"]["parameters"]}
        assert told >= {"player", "outcome", "net_min", "operator_transaction", "shoe"}
        assert not told & {"search", "door", "now", "before"}
