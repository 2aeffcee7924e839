"""The socket: who gets in, how a lost connection goes on, and who is dropped."""

import asyncio
import json
import socket as sockets
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from house import House, house
from player import Player, connected
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from contracts import wallet as w
from contracts.balances import Balance
from contracts.wallet_calls import OpenSession
from push22.casino import PLATFORM
from services.gateway.feeds import KEPT, Feed, Place
from services.gateway.rates import Buckets, Rate
from services.gateway.tokens import Pass
from services.gateway.views import Happened
from services.gateway.web import socket as socket_module

_WAIT_S = 60


async def prepared(the: House) -> str:
    await the.open_table("t1")
    deposit = w.Deposit("acme.alice", "EUR", 1_000_000)
    await the.casino.host.submit(the.casino.envelope(deposit, PLATFORM))
    await the.settled()
    return await the.session()


async def ended_with(address: str, *texts: str | bytes) -> tuple[int, list[Any]]:
    """Say texts; return the code that the socket was closed with, and the answers."""
    answers = []
    async with connect(address, max_size=None, compression=None) as socket:
        try:
            for text in texts:
                await socket.send(text)
            while True:
                answers.append(
                    json.loads(await asyncio.wait_for(socket.recv(), _WAIT_S))
                )
        except ConnectionClosed as closed:
            assert closed.rcvd is not None
            return closed.rcvd.code, answers


def hello(token: str) -> str:
    return json.dumps({"kind": "hello", "token": token})


async def test_only_a_session_gets_in(tmp_path: Path) -> None:
    """A wrong, expired or launch token, or no hello, ends the socket with 4003."""
    async with house(tmp_path) as the, the.served() as address:
        token = await prepared(the)
        now = the.clock.now()
        late = the.door.tokens.make("session", Pass("acme.a", "EUR", "", "x", now))
        launch = the.door.launch(the.door.signatures.operators["acme"], "a", "EUR", "")
        codes = [
            (await ended_with(address, text))[0]
            for text in (
                hello("a.b.c"),
                hello(late),
                hello(launch.launch_token),
                json.dumps({"kind": "watch", "table": "t1"}),
                "no json",
                b"\x00",
            )
        ]
        async with connected(address, token) as player:
            assert player.you["balance_minor"] == 1_000_000

    assert codes == [4003] * 6


async def test_who_guesses_tokens_is_slowed_as_over_http(tmp_path: Path) -> None:
    """Both count against the address; whoever has a good token still gets in."""
    async with house(tmp_path) as the, the.served() as address:
        token = await prepared(the)
        the.door.addresses = Buckets(Rate(1, 3))
        codes = [(await ended_with(address, hello("a.b.c")))[0] for _ in range(5)]
        http = "http" + address.removeprefix("ws").removesuffix("/socket")
        wrong = {"Authorization": "Bearer a.b.c"}
        async with httpx.AsyncClient(trust_env=False) as client:
            answer = await client.get(f"{http}/me", headers=wrong)
        async with connected(address, token) as player:
            assert player.you["balance_minor"] == 1_000_000

    assert codes == [4003] * 3 + [4029] * 2
    assert answer.status_code == 429


async def test_a_wallet_that_becomes_an_operators_keeps_the_socket(
    tmp_path: Path,
) -> None:
    """A call that is owed tells no balance, and the door knows whose wallet it is."""
    async with house(tmp_path) as the, the.served() as address:
        await prepared(the)
        async with connected(address, await the.session("bob")) as player:
            entry = OpenSession("acme.bob", "EUR", "token")
            answer = await the.casino.host.submit(the.casino.envelope(entry, PLATFORM))
            await player.hear()
            assert player.you["balance_minor"] == 0
        balance = await the.port.balance("acme.bob", "EUR")

    assert answer.accepted
    assert balance == Balance(0, is_operators=True)


async def test_who_says_nothing_is_sent_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection without a hello does not stay."""
    monkeypatch.setattr(socket_module, "HELLO_S", 0.05)
    async with house(tmp_path) as the, the.served() as address:
        assert await ended_with(address) == (4003, [])


async def test_a_newer_socket_closes_the_older(tmp_path: Path) -> None:
    """There is one per player; others are not touched."""
    async with house(tmp_path) as the, the.served() as address:
        token = await prepared(the)
        other = await the.session("carol")
        async with (
            connected(address, other) as carol,
            connected(address, token) as old,
            connected(address, token) as new,
        ):
            with pytest.raises(ConnectionClosed) as closed:
                await old.hear()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4001
            for player in (carol, new):
                await player.say(kind="watch", table="t1")
                await player.until(lambda player=player: player.tables)
        while the.app.app.state.present:
            await asyncio.sleep(0.01)
        assert not the.door.lobby.felts["t1"].everybody.feed.listeners


async def test_a_lost_connection_goes_on_where_it_was(tmp_path: Path) -> None:
    """What happened meanwhile comes as deltas; nothing is missed or told twice."""
    async with house(tmp_path) as the, the.served() as address:
        token = await prepared(the)
        async with connected(address, token) as first:
            await first.say(kind="watch", table="t1")
            await first.until(lambda: first.tables)
        name = first.round("t1")["round_id"]
        path = f"/player/v1/rounds/{name}/wagers/1"
        await the.play("PUT", path, token, {"wagers_minor": [1000, 1000]})
        await the.settled()
        async with connected(address, token) as again:
            again.tables, again.places = first.tables, first.places
            feed, seq = first.places["t1"]
            await again.say(kind="watch", table="t1", feed=feed, seq=seq)
            await again.until(lambda: stands(again))
        seen = the.door.lobby.felts["t1"].everybody

    assert again.snapshots == []
    assert again.round("t1") == as_json(seen.view)


def stands(player: Player) -> bool:
    boxes = player.round("t1")["boxes"]
    is_open = player.round("t1")["decision"] is not None
    return is_open and [x["pending"] for x in boxes] == [False]


def as_json(view: Any) -> Any:
    return json.loads(msgspec.json.encode(view))


def test_a_feed_says_why_there_can_only_be_a_snapshot() -> None:
    """Deltas are kept up to a bound; all other places get the table whole."""
    feed = Feed("t1", "f.t1.1")
    for _ in range(KEPT + 10):
        feed.tell(Happened("hand_hit", 1, "player"), {})
    last = feed.seq

    assert feed.since(None) == "new"
    assert feed.since(Place("f.t1.0", 1)) == "unknown_feed"
    assert feed.since(Place("f.t1.1", last + 1)) == "ahead"
    assert feed.since(Place("f.t1.1", last - KEPT - 1)) == "too_old"
    assert feed.since(Place("f.t1.1", last)) == []
    kept = feed.since(Place("f.t1.1", last - KEPT))
    assert isinstance(kept, list)
    assert [json.loads(body)["seq"] for body in kept] == list(
        range(last - KEPT + 1, last + 1)
    )


async def test_a_slow_client_is_dropped(tmp_path: Path) -> None:
    """Who does not read costs a bounded queue, then nothing; others go on."""
    async with house(tmp_path) as the, the.served() as address:
        token = await prepared(the)
        other = await the.session("carol")
        host, _, rest = address.removeprefix("ws://").partition(":")
        raw = sockets.socket()
        raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
        raw.connect((host, int(rest.partition("/")[0])))
        raw.setblocking(False)
        feed = the.door.lobby.felts["t1"].everybody.feed
        async with (
            connect(address, sock=raw, max_size=None, max_queue=1) as slow,
            connected(address, other) as quick,
        ):
            await slow.send(hello(token))
            await slow.send(json.dumps({"kind": "watch", "table": "t1"}))
            await quick.say(kind="watch", table="t1")
            await quick.until(lambda: quick.tables)
            while len(feed.listeners) < 2:
                await asyncio.sleep(0.01)
            told = 0
            while len(feed.listeners) == 2 and told < 20_000:
                feed.tell(Happened("x" * 2000, 1, "player"), {})
                told += 1
                await quick.hear()
            assert len(feed.listeners) == 1
            assert [who for who, _ in the.app.app.state.present] == ["acme.carol"]
            feed.tell(Happened("still here", 1, "player"), {})
            await quick.hear()
            slow.transport.abort()

    assert "still here" in quick.received[-1]


async def test_a_flood_ends(tmp_path: Path) -> None:
    """Too many messages are refused, and who goes on is sent away."""
    async with house(tmp_path) as the, the.served() as address:
        token = await prepared(the)
        flood = [json.dumps({"kind": "unwatch", "table": "t1"})] * 200
        code, answers = await ended_with(address, hello(token), *flood)
        refused = [x for x in answers if x["kind"] == "problem"]

    assert code == 4029
    assert {x["reason"] for x in refused} == {"too_many_requests"}
    assert len(refused) == socket_module.FLOOD_MAX + 1


ORDER = {"do": "ready", "round_id": "round-t1-1"}
DEEP = '{"kind": "watch", "table": ' + "[" * 5000 + "]" * 5000 + "}"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", 4000),
        ("", 4000),
        ("null" * 3, 4000),
        (b"\x00\xff", 4000),
        (DEEP, 4000),
        ('{"kind": "watch", "table": "t1", "table": "t2"}', 4000),
        ('{"kind": "watch", "table": "' + "x" * 20_000 + '"}', 1009),
    ],
    ids=["half", "empty", "words", "binary", "deep", "twice", "huge"],
)
async def test_a_garbled_message_ends_the_socket(
    text: str | bytes, code: int, tmp_path: Path
) -> None:
    """What has no reading, or two, is not answered but the end."""
    async with house(tmp_path) as the, the.served() as address:
        token = await prepared(the)
        found, answers = await ended_with(address, hello(token), text)

    assert found == code
    assert [x["kind"] for x in answers] in ([], ["you"])


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"kind": "nothing"}, "malformed"),
        ({"kind": "hello", "token": "x"}, "malformed"),
        ({"kind": "watch", "table": "T/../1"}, "malformed"),
        ({"kind": "watch", "table": "t1", "more": 1}, "malformed"),
        ({"kind": "watch", "table": "t9"}, "not_found"),
        ({"kind": "command", "id": "short", "order": ORDER}, "malformed"),
        ({"kind": "command", "id": "a" * 12, "order": {}}, "malformed"),
        ({"kind": "command", "id": "a" * 12, "order": {**ORDER, "x": 1}}, "malformed"),
        (
            {"kind": "command", "id": "a" * 12, "order": {**ORDER, "do": "open_table"}},
            "malformed",
        ),
        ({"kind": "command", "id": "a" * 12, "order": ORDER}, "no_bet"),
        (
            {
                "kind": "command",
                "id": "b" * 12,
                "order": {**ORDER, "round_id": "round-t9-1"},
            },
            "not_found",
        ),
        (
            {
                "kind": "command",
                "id": "c" * 12,
                "order": {**ORDER, "do": "bet", "box": 1, "wagers_minor": [1.5]},
            },
            "malformed",
        ),
    ],
)
async def test_what_is_not_right_is_answered_with_its_reason(
    message: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    """A client's mistake does not end its connection."""
    async with house(tmp_path) as the, the.served() as address:
        token = await prepared(the)
        async with connected(address, token) as player:
            await player.say(**message)
            await player.until(lambda: player.problems)
            await player.say(kind="watch", table="t1")
            await player.until(lambda: player.tables)

    assert player.problems[0]["reason"] == reason


async def test_a_repeat_gets_its_answer_and_a_stale_view_is_told(
    tmp_path: Path,
) -> None:
    """The same command twice is one; an outdated view is refused and nothing sent."""
    async with house(tmp_path) as the, the.served() as address:
        token = await prepared(the)
        the.door.players = Buckets(Rate(1000, 1000))
        async with connected(address, token) as player:
            await player.say(kind="watch", table="t1")
            await player.until(lambda: player.tables)
            await player.bet("t1")
            name = player.round("t1")["round_id"]
            path = f"/player/v1/rounds/{name}"
            same = {"Idempotency-Key": "ready-00001"}
            first = await the.play("POST", f"{path}/ready", token, **same)
            await player.until(lambda: due(player))
            again = await the.play("POST", f"{path}/ready", token, **same)
            version = player.round("t1")["version"]
            records = await records_of(the)
            act = {**due(player)[0], "expected_version": version - 1}
            stale = await the.play("POST", f"{path}/actions", token, act)
            assert await records_of(the) == records
            act["expected_version"] = version
            key = {"Idempotency-Key": "move-000001"}
            moved = await the.play("POST", f"{path}/actions", token, act, **key)
            await the.settled()
            repeat = await the.play("POST", f"{path}/actions", token, act, **key)

    assert first.json() == again.json()
    assert (stale.status_code, stale.json()["reason"]) == (409, "stale_version")
    assert moved.status_code == 200, moved.text
    assert moved.json() == repeat.json()


def due(player: Player) -> list[dict[str, Any]]:
    """Return what may be done now, once there is something."""
    decision = player.round("t1")["decision"]
    return [
        {"action": option["action"], "target": offer["target"]}
        for offer in (decision["offers"] if decision else ())
        for option in offer["options"]
        if option["action"] in ("keep", "decline", "stand")
    ]


async def records_of(the: House) -> int:
    log = the.casino.host.bus.log("table-orchestrator")
    return (await log.head(0))[0]
