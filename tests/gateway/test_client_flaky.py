"""The live session at a door that loses, repeats, garbles and hangs up.

Each connection of the fake door is one function; after the last one it stays the last.
"""

import asyncio
from typing import Any

import pytest
from fake_door import QUICK, ROUND, Visit, fake_door

from push22.client import (
    Accepted,
    Bet,
    Ended,
    Live,
    Patience,
    Problem,
    Ready,
    Refused,
    Retries,
    Unreachable,
)


def version(live: Live) -> int:
    seen = live.tables.get("t1")
    return seen.view.round.version if seen and seen.view.round else 0


def watches(heard: list[dict[str, Any]]) -> list[tuple[str, int]]:
    return [(x.get("feed", ""), x.get("seq", 0)) for x in heard if x["kind"] == "watch"]


async def test_a_gap_is_asked_for_once_and_filled() -> None:
    """Deltas that come meanwhile wait for what is missing before them."""

    async def scene(door: Visit) -> None:
        await door.welcome()
        await door.hear()
        await door.snapshot(1)
        for seq in (2, 4, 5):
            await door.delta(seq)
        await door.hear()
        for seq in (3, 4, 5, 6):
            await door.delta(seq)
        await door.stay()

    async with fake_door(scene) as (live, heard):
        await live.watch("t1")
        await live.until(lambda: version(live) == 6)

    assert watches(heard) == [("", 0), ("f", 2)]
    assert live.connections == 1


async def test_a_gap_that_is_never_filled_ends_the_connection() -> None:
    """The next one begins with a snapshot: what was seen may be wrong."""

    async def hole(door: Visit) -> None:
        await door.welcome()
        await door.hear()
        await door.snapshot(1)
        await door.delta(3)
        await door.hear()
        for seq in range(4, 1000):
            await door.delta(seq)
            await asyncio.sleep(0.02)

    async def good(door: Visit) -> None:
        await door.welcome()
        await door.hear()
        await door.snapshot(7, "g")
        await door.stay()

    short = Patience(answer_s=0.3, lost_s=20, again=QUICK.again)
    async with fake_door(hole, good, patience=short) as (live, heard):
        await live.watch("t1")
        await live.until(lambda: version(live) == 7, 20)

    assert watches(heard) == [("", 0), ("f", 1), ("", 0)]


async def test_repeated_and_unasked_deltas_do_no_harm() -> None:
    """A delta counts once; one of a table that is not watched never."""

    async def scene(door: Visit) -> None:
        await door.welcome()
        await door.delta(1)
        await door.snapshot(1)
        await door.hear()
        await door.snapshot(3)
        await door.delta(4, version=40)
        for seq in (4, 3, 2):
            await door.delta(seq, version=99)
        await door.delta(5, burned_card="5c")
        await door.stay()

    async with fake_door(scene) as (live, heard):
        await live.watch("t1")
        await live.until(lambda: live.tables["t1"].seq == 5)
        now = live.tables["t1"].view.round
        assert now is not None

    assert (now.version, now.burned_card) == (40, "5c")
    assert len(watches(heard)) == 1


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"kind": "delta"}', b"\xff\x00", '{"kind": "answer", "id": 1}'],
    ids=["empty", "half", "members", "binary", "types"],
)
async def test_a_garbled_message_begins_anew(text: str | bytes) -> None:
    """Nothing that was told before it is relied on."""

    async def bad(door: Visit) -> None:
        await door.welcome()
        await door.hear()
        await door.snapshot(1)
        await door.say(text)
        await door.stay()

    async def good(door: Visit) -> None:
        await door.welcome()
        await door.hear()
        await door.snapshot(8, "g")
        await door.stay()

    async with fake_door(bad, good) as (live, heard):
        await live.watch("t1")
        await live.until(lambda: version(live) == 8)

    assert watches(heard) == [("", 0), ("", 0)]
    assert live.connections == 2


async def test_an_unanswered_order_is_said_again_on_the_next_connection() -> None:
    """Under its id, after the tables; whoever waits hears of none of it."""

    async def deaf(door: Visit) -> None:
        await door.welcome()
        await door.hear()
        await door.snapshot(1)
        await door.hear()
        await door.close(1012)

    async def good(door: Visit) -> None:
        await door.welcome()
        await door.hear()
        order = await door.hear()
        await door.answer(order["id"])
        await door.answer(order["id"])
        await door.stay()

    async with fake_door(deaf, good) as (live, heard):
        await live.watch("t1")
        answer = await live.order(Bet(ROUND, 1, (1000, 1000)), key="bet-0001")

    said = [x for x in heard if x["kind"] == "command"]
    assert answer == Accepted("bet-0001", ROUND, 9)
    assert len(said) == 2
    assert said[0] == said[1]
    assert said[0]["id"] == "bet-0001"
    assert watches(heard) == [("", 0), ("f", 1)]


@pytest.mark.parametrize(
    ("status", "reason"), [(503, "not_available"), (504, "no_answer")]
)
async def test_what_is_not_known_yet_is_asked_again(status: int, reason: str) -> None:
    """The same order under the same id, until it is known."""

    async def scene(door: Visit) -> None:
        await door.welcome()
        for _ in range(2):
            order = await door.hear()
            await door.problem(status, reason, order["id"])
        await door.answer((await door.hear())["id"])
        await door.stay()

    async with fake_door(scene) as (live, heard):
        answer = await live.order(Ready(ROUND))

    assert isinstance(answer, Accepted)
    assert len({x["id"] for x in heard if x["kind"] == "command"}) == 1


async def test_what_stays_unknown_is_told_as_such() -> None:
    """After so many attempts the problem itself is the answer."""

    async def scene(door: Visit) -> None:
        await door.welcome()
        while True:
            await door.problem(504, "no_answer", (await door.hear())["id"])

    few = Retries(attempts=2, first_s=0.01, most_s=0.01)
    async with fake_door(scene, patience=Patience(again=few)) as (live, heard):
        answer = await live.order(Ready(ROUND))

    assert answer == Problem("no_answer", 504)
    assert len(heard) == 1 + 3


async def test_a_problem_without_an_id_is_the_oldest_orders() -> None:
    """A command that could not be read has no id that the door could name."""

    async def scene(door: Visit) -> None:
        await door.welcome()
        await door.hear()
        await door.problem(400, "malformed", detail="what?")
        await door.stay()

    async with fake_door(scene) as (live, _):
        answer = await live.order(Ready(ROUND))

    assert answer == Problem("malformed", 400, "what?")


async def test_too_many_tables_are_refused_and_too_many_messages_are_not() -> None:
    """Both are 429: one never ends by waiting, the other does."""

    async def scene(door: Visit) -> None:
        await door.welcome()
        await door.hear()
        await door.problem(429, "too_many_requests", detail="3 tables at most")
        await door.hear()
        await door.problem(429, "too_many_requests")
        await door.hear()
        await door.snapshot(2)
        await door.stay()

    async with fake_door(scene) as (live, heard):
        with pytest.raises(Refused, match="3 tables"):
            await live.watch("t4")
        await live.watch("t1")

    assert [x["table"] for x in heard[1:]] == ["t4", "t1", "t1"]


async def test_an_answer_that_never_comes_is_not_waited_for() -> None:
    """What came of it is not known; the session goes on."""

    async def scene(door: Visit) -> None:
        await door.welcome()
        first = await door.hear()
        second = await door.hear()
        await door.answer(first["id"])
        await door.answer(second["id"])
        await door.stay()

    async with fake_door(scene, patience=Patience(answer_s=0.2)) as (live, _):
        with pytest.raises(Unreachable):
            await live.order(Ready(ROUND), key="ready-001")
        second = await live.order(Ready(ROUND), key="ready-002")

    assert isinstance(second, Accepted)


async def test_a_door_that_does_not_greet_is_left() -> None:
    """Something else may stand there: the next connection is tried."""

    async def mute(door: Visit) -> None:
        await door.hear()
        await door.stay()

    async def rude(door: Visit) -> None:
        await door.say('{"kind": "answer", "id": "x", "stream": "", "version": 1}')
        await door.stay()

    async def good(door: Visit) -> None:
        await door.welcome()
        await door.stay()

    patience = Patience(hello_s=0.2, again=QUICK.again)
    async with fake_door(mute, rude, good, patience=patience) as (live, heard):
        assert live.you.balance_minor == 500

    assert [x["kind"] for x in heard] == ["hello"] * len(heard)


async def test_without_any_door_the_session_ends() -> None:
    """All who wait hear of it: nothing waits for ever."""

    async def good(door: Visit) -> None:
        await door.welcome()
        await door.hear()

    async def gone(door: Visit) -> None:
        await door.close(1011)

    patience = Patience(lost_s=0.5, again=QUICK.again)
    async with fake_door(good, gone, patience=patience) as (live, _):
        with pytest.raises(Ended, match="no connection"):
            await live.order(Ready(ROUND))
        with pytest.raises(Ended, match="no connection"):
            await live.watch("t1")


async def test_where_nothing_listens_opening_ends() -> None:
    """The first connection has the same patience as the others."""
    patience = Patience(lost_s=0.3, again=QUICK.again)
    live = Live("ws://127.0.0.1:9", "token", patience)
    with pytest.raises((Ended, TimeoutError)):
        async with live:
            pass

    assert live.connections == 0


async def test_closing_leaves_no_task_behind() -> None:
    """Whoever still waits for an answer hears that the session is over."""

    async def scene(door: Visit) -> None:
        await door.welcome()
        await door.stay()

    before = asyncio.all_tasks()
    async with fake_door(scene) as (live, _):
        waiting = asyncio.create_task(live.order(Ready(ROUND)))
        await asyncio.sleep(0.05)
    with pytest.raises(Ended, match="closed"):
        await waiting

    assert asyncio.all_tasks() == before
