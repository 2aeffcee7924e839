"""What is not written as it has to be is answered in words, not by a pattern."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from house import house

from services.gateway.in_words import in_words, words_for
from services.gateway.problems import Refused
from services.gateway.web import messages

PLAYER = "player: write the player as operator.name, such as local.demo"
ROUND = "round_id: write a round as round-table-number, such as round-t1-7"
TABLE = "table: at most 32 lower-case letters, digits and _, and no _ first"
EURO = "currency: write a currency in three capitals, such as EUR"
CASE = "case: write a case as table-number-name, such as t1-7-ab12"
KEY = "Idempotency-Key: 8 to 64 letters, digits, - and _"
SUPPORT, OPERATOR = "/support/v1", "/operator/v1"
READY = '{"do": "ready", "round_id": "7"}'
BET = {"currency": "EUR", "amount_minor": 100}


def patterns_in(schema: Any) -> Iterator[str]:
    """Return every pattern that a schema has anywhere."""
    if isinstance(schema, dict):
        if isinstance(found := schema.get("pattern"), str):
            yield found
        for part in schema.values():
            yield from patterns_in(part)
    if isinstance(schema, list):
        for part in schema:
            yield from patterns_in(part)


async def test_every_pattern_of_the_door_is_in_words(tmp_path: Path) -> None:
    """Of each route's parameters and bodies, and of all that a socket takes."""
    async with house(tmp_path) as the:
        document = (await the.http.get("/openapi.json")).json()
    found = {*patterns_in(document), *patterns_in(msgspec.json.schema(messages.Said))}

    assert len(found) > 10
    assert sorted(pattern for pattern in found if words_for(pattern) is None) == []


@pytest.mark.parametrize(
    ("path", "detail"),
    [
        ("/rounds?player=demo", PLAYER),
        ("/rounds?round_id=7&currency=eu", f"{ROUND}; {EURO}"),
        ("/rounds/7", ROUND),
        ("/rounds?case=7", CASE),
        ("/cases?round_id=7", ROUND),
        ("/cases/7", CASE),
        ("/rounds?limit=0", "limit: Expected `int` >= 1"),
    ],
)
async def test_support_is_told_how_to_write_it(
    path: str, detail: str, tmp_path: Path
) -> None:
    """In a path or a question each field is named, and what is due there."""
    async with house(tmp_path) as the:
        token = the.support("admin")
        answer = await the.play("GET", SUPPORT + path, token)

    assert (answer.status_code, answer.json()["detail"]) == (400, detail)


@pytest.mark.parametrize(
    ("changed", "detail"),
    [
        ({"player": "demo"}, PLAYER),
        ({"round_id": "7"}, ROUND),
        ({"subject": ""}, "Expected `str` of length >= 1 - at `$.subject`"),
    ],
)
async def test_so_it_is_in_a_body(
    changed: dict[str, str], detail: str, tmp_path: Path
) -> None:
    """The member is named as it stands in the body."""
    asked = {"round_id": "round-t1-1", "subject": "a bet", "player": "acme.alice"}
    async with house(tmp_path) as the:
        token = the.support("resolver")
        answer = await the.play("POST", f"{SUPPORT}/cases", token, asked | changed)

    assert (answer.status_code, answer.json()["detail"]) == (400, detail)


async def test_a_key_is_named_as_the_header_is(tmp_path: Path) -> None:
    """By support and by operators, who read it nowhere under another name."""
    asked = {"round_id": "round-t1-1", "subject": "a bet"}
    async with house(tmp_path) as the:
        token, key = the.support("resolver"), {"Idempotency-Key": "short"}
        path = f"{SUPPORT}/cases"
        answers = [await the.play("POST", path, token, asked, **key)]
        path = f"{OPERATOR}/players/alice/deposits"
        deposit = the.signed("POST", path, BET, idempotency_key="short")
        answers.append(await the.http.send(deposit))

    assert [answer.json()["detail"] for answer in answers] == [KEY, KEY]


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ('{"kind": "watch", "table": "T 1"}', TABLE),
        (
            f'{{"kind": "command", "id": "abcdefgh", "order": {READY}}}',
            ROUND.replace("round_id", "order.round_id"),
        ),
    ],
)
def test_so_it_is_on_a_socket(text: str, detail: str) -> None:
    """A program's maker reads the same words."""
    with pytest.raises(Refused) as error:
        messages.read(text)

    assert error.value.problem.detail == detail


def test_a_pattern_that_nobody_put_in_words_is_not_shown() -> None:
    """It is better to say less than to answer with a pattern."""
    message = r"Expected `str` matching regex '^\\d$' - at `$.a.b`"

    assert in_words(message) == "a.b: not written as it has to be"
    assert in_words(message, "c") == "c: not written as it has to be"
