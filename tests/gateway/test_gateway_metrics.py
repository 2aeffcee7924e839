"""What the gateway counts: by route and kind, however many paths are thought of."""

import asyncio
from pathlib import Path
from typing import Any

from house import house
from player import connected
from prometheus_client import REGISTRY
from websockets.asyncio.client import connect

from services.gateway.ports import NotAvailable
from tests.measured import measured

_TIMED = "push22_gateway_request_duration_seconds_count"


def timed(route: str, method: str = "GET", status: int = 200) -> float:
    return measured(_TIMED, route=route, method=method, status=str(status))


def routes() -> set[str]:
    return {
        sample.labels["route"]
        for family in REGISTRY.collect()
        for sample in family.samples
        if sample.name == _TIMED
    }


def said(kind: str) -> float:
    return measured("push22_gateway_message_total", kind=kind)


async def test_requests_are_timed_by_their_template(tmp_path: Path) -> None:
    """Never by their path: a round's name is no label."""
    route = "/player/v1/rounds/{round_id}"
    async with house(tmp_path) as the:
        token = await the.session()
        before = timed(route, status=404)
        for number in range(3):
            await the.play("GET", f"/player/v1/rounds/round-t1-{number}", token)
        assert timed(route, status=404) == before + 3
        before = timed("/player/v1/me", status=401)
        await the.play("GET", "/player/v1/me", "wrong")
        assert timed("/player/v1/me", status=401) == before + 1


async def test_what_is_no_route_of_ours_makes_no_label(tmp_path: Path) -> None:
    """Anybody may think of paths and methods without end."""
    async with house(tmp_path) as the:
        await the.http.get("/nothing/at/all")
        known, before = routes(), timed("unknown", status=404)
        for number in range(5):
            await the.http.get(f"/{number}/at/all")
            await the.http.request(f"X{number}", f"/player/{number}")
        assert routes() == known
        assert timed("unknown", status=404) >= before + 5
        methods = {
            sample.labels["method"]
            for family in REGISTRY.collect()
            for sample in family.samples
            if sample.name == _TIMED
        }
        assert not [method for method in methods if method.startswith("X")]


async def test_a_request_that_fails_is_timed_as_such(
    tmp_path: Path, monkeypatch: Any
) -> None:
    """A fault of ours is a 500, also in the figures."""
    async with house(tmp_path) as the:
        token = await the.session()
        before = timed("/player/v1/me", status=500)
        monkeypatch.setattr(the.casino.host, "state", None)
        await the.play("GET", "/player/v1/me", token)
        assert timed("/player/v1/me", status=500) == before + 1


def answers(outcome: str) -> float:
    return measured("push22_gateway_answers_total", outcome=outcome)


async def test_failures_of_ours_are_told_from_answers(
    tmp_path: Path, monkeypatch: Any
) -> None:
    """A refusal is an answer; probes and what is no route of ours are neither."""
    async with house(tmp_path) as the:
        token = await the.session()
        before = (answers("answered"), answers("failed"))
        await the.play("GET", "/player/v1/me", token)
        await the.play("GET", "/player/v1/me", "wrong")
        assert (answers("answered"), answers("failed")) == (before[0] + 2, before[1])
        monkeypatch.setattr(the.casino.host, "state", None)
        await the.play("GET", "/player/v1/me", token)
        monkeypatch.setattr(the.door.casino, "is_well", lambda: False)
        assert (await the.http.get("/ready")).status_code == 503
        await the.http.get("/nothing/at/all")
        assert answers("failed") == before[1] + 1
        assert answers("answered") == before[0] + 2


async def test_a_socket_s_command_without_an_answer_is_a_failure(
    tmp_path: Path, monkeypatch: Any
) -> None:
    """As it is of a request; one that is refused has its answer."""
    async with house(tmp_path) as the, the.served() as address:
        await the.open_table("t1")
        async with connected(address, await the.session()) as alice:
            before = (answers("answered"), answers("failed"))
            await alice.order("ready", "round-t1-1")
            await alice.until(lambda: len(alice.problems) >= 1)
            assert (answers("answered"), answers("failed")) == (
                before[0] + 1,
                before[1],
            )

            async def lost(*_: Any) -> None:
                raise NotAvailable("nobody answers")

            monkeypatch.setattr(the.door, "order", lost)
            await alice.order("ready", "round-t1-1")
            await alice.until(lambda: len(alice.problems) >= 2)
            assert answers("failed") == before[1] + 1


async def test_sockets_and_what_they_say_are_counted(tmp_path: Path) -> None:
    """By kind; what is refused and what ends a socket are kinds of their own."""
    kinds = ("hello", "watch", "unwatch", "command", "malformed", "garbled")
    async with house(tmp_path) as the, the.served() as address:
        await the.open_table("t1")
        before = {kind: said(kind) for kind in kinds}
        open_before = measured("push22_gateway_sockets")
        async with connected(address, await the.session()) as alice:
            assert measured("push22_gateway_sockets") == open_before + 1
            await alice.say(kind="watch", table="t1")
            await alice.say(kind="unwatch", table="t1")
            await alice.order("ready", "round-t1-1")
            await alice.say(kind="dance")
            await alice.until(lambda: len(alice.problems) >= 2)
        async with connect(address, compression=None) as socket:
            await socket.send("{")
            await socket.wait_closed()
        async with asyncio.timeout(20):
            while measured("push22_gateway_sockets") > open_before:
                await asyncio.sleep(0.01)
        assert {kind: said(kind) - before[kind] for kind in kinds} == dict.fromkeys(
            kinds, 1
        )
