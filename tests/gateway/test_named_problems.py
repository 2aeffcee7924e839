"""A problem names the message that it answers, whenever its id can be read."""

import json
from pathlib import Path
from typing import Any

import pytest
from house import house
from player import connected
from test_socket import DEEP, prepared

from services.gateway.rates import Buckets, Rate
from services.gateway.web import messages as m

ORDER = {"do": "ready", "round_id": "round-t1-1"}
NAME = "order-000001"


@pytest.mark.parametrize(
    "message",
    [
        {"kind": "command", "order": {**ORDER, "do": "dance"}},
        {"kind": "command", "order": [1, 2]},
        {"kind": "command"},
        {"kind": "dance"},
        {"order": ORDER},
    ],
    ids=["order", "no order", "nothing", "kind", "no kind"],
)
async def test_what_cannot_be_taken_is_answered_by_its_id(
    message: dict[str, Any], tmp_path: Path
) -> None:
    """Whoever sent several at once knows which one was meant."""
    async with house(tmp_path) as the, the.served() as address:
        token = await prepared(the)
        async with connected(address, token) as player:
            await player.say(id=NAME, **message)
            await player.until(lambda: player.problems)

    assert player.problems[0]["reason"] == "malformed"
    assert player.problems[0]["id"] == NAME


async def test_what_comes_too_fast_is_answered_by_its_id(tmp_path: Path) -> None:
    """A command that was never looked at is named all the same."""
    async with house(tmp_path) as the, the.served() as address:
        token = await prepared(the)
        async with connected(address, token) as player:
            the.door.players = Buckets(Rate(1, 1))
            await player.say(kind="watch", table="t1")
            await player.say(kind="command", id=NAME, order=ORDER)
            await player.say(kind="watch", table="t1")
            await player.until(lambda: len(player.problems) == 2)

    assert [x["reason"] for x in player.problems] == ["too_many_requests"] * 2
    assert [x["id"] for x in player.problems] == [NAME, ""]


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "{",
        DEEP,
        '"order-000001"',
        '{"id": "order-000001", "id": "order-000002"}',
        '{"id": "\ud800aaaaaaaa"}',
        json.dumps({"id": 12345678}),
        json.dumps({"id": "short"}),
        json.dumps({"id": "x" * 65}),
        json.dumps({"id": "<script>alert"}),
    ],
)
def test_what_is_no_id_is_not_sent_back(text: str | None) -> None:
    """Nothing that a command could not be called is ever repeated to anybody."""
    assert m.id_in(text) == ""
