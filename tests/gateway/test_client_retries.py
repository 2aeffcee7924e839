"""What the client asks again, how long it waits, and what it leaves alone."""

from collections.abc import Callable
from typing import Any

import httpx
import msgspec
import pytest

from contracts.signature import Signed, signature_of
from push22.client import (
    Garbled,
    Key,
    OperatorClient,
    PlayerClient,
    Problem,
    Refused,
    Retries,
    SupportClient,
    Unreachable,
)

SECRET = b"k" * 32
AT_ONCE = Retries(first_s=0.001, most_s=0.002)
ACCEPTED = {"id": "x" * 8, "accepted": True, "stream": "wallet-a", "version": 1}

Reply = httpx.Response | Exception


def problem(status: int, reason: str) -> httpx.Response:
    body = {"type": f"urn:{reason}", "title": reason, "status": status}
    body |= {"reason": reason, "detail": "why"}
    kind = {"Content-Type": "application/problem+json"}
    return httpx.Response(status, content=msgspec.json.encode(body), headers=kind)


def done(body: Any = None, status: int = 201) -> httpx.Response:
    return httpx.Response(status, json=ACCEPTED if body is None else body)


class Flaky:
    """A door that gives these answers, one after the other."""

    def __init__(self, *replies: Reply) -> None:
        self._replies = list(replies)
        self.asked: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        reply = self._replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply

    def header(self, name: str) -> list[str]:
        return [request.headers.get(name, "") for request in self.asked]


def operator(door: Flaky, retries: Retries = AT_ONCE) -> OperatorClient:
    http = httpx.AsyncClient(transport=httpx.MockTransport(door))
    return OperatorClient(
        "http://door.test/", Key("acme.k1", SECRET), retries=retries, http=http
    )


PASSING: list[Callable[[], Reply]] = [
    lambda: problem(503, "not_available"),
    lambda: problem(504, "no_answer"),
    lambda: problem(429, "too_many_requests"),
    lambda: httpx.Response(502, text="<html>bad gateway</html>"),
    lambda: httpx.ConnectError("refused"),
    lambda: httpx.ReadTimeout("slow"),
    lambda: httpx.RemoteProtocolError("half an answer"),
]


@pytest.mark.parametrize("reply", PASSING, ids=lambda make: str(make())[:30])
async def test_what_passes_is_asked_again_under_the_same_key(
    reply: Callable[[], Reply],
) -> None:
    """The key stays; time, nonce and signature are each attempt's own."""
    door = Flaky(reply(), reply(), done())
    answer = await operator(door).deposit("alice", "EUR", 500, key="deposit-1")
    keys, nonces = door.header("Idempotency-Key"), door.header("Push22-Nonce")

    assert answer.stream == "wallet-a"
    assert keys == ["deposit-1"] * 3
    assert len(set(nonces)) == 3
    assert len(set(door.header("Push22-Signature"))) == 3


async def test_a_call_without_a_key_has_one_for_its_attempts() -> None:
    """Another call of the same is another command."""
    door = Flaky(problem(504, "no_answer"), done(), done())
    client = operator(door)
    await client.deposit("alice", "EUR", 500)
    await client.deposit("alice", "EUR", 500)
    first, again, second = door.header("Idempotency-Key")

    assert first == again != second
    assert len(first) == 32


@pytest.mark.parametrize(
    ("status", "reason"),
    [(401, "nonce_used"), (403, "forbidden"), (409, "table_exists"), (422, "x")],
)
async def test_a_refusal_is_not_asked_again(status: int, reason: str) -> None:
    """It is raised with what the door said."""
    door = Flaky(problem(status, reason))
    with pytest.raises(Refused) as refused:
        await operator(door).open_table("t1", "ny-switch-6d", "EUR")

    assert refused.value.problem == Problem(reason, status, "why")
    assert len(door.asked) == 1


async def test_attempts_come_to_an_end() -> None:
    """The last answer, or the lack of one, is told."""
    few = Retries(attempts=3, first_s=0.001, most_s=0.001)
    busy = Flaky(*(problem(503, "not_available") for _ in range(4)))
    gone = Flaky(*(httpx.ConnectError("refused") for _ in range(4)))
    with pytest.raises(Refused, match="not_available"):
        await operator(busy, few).tables()
    with pytest.raises(Unreachable, match="ConnectError refused"):
        await operator(gone, few).tables()

    assert len(busy.asked) == len(gone.asked) == 3


async def test_patience_ends_before_a_wait_that_would_go_past_it() -> None:
    """A door that asks for an hour is not waited for."""
    busy = problem(429, "too_many_requests")
    busy.headers["Retry-After"] = "3600"
    door = Flaky(busy)
    with pytest.raises(Refused, match="too_many_requests"):
        await operator(door).tables()

    assert len(door.asked) == 1


def test_waits_grow_are_bounded_and_never_shorter_than_asked_for() -> None:
    """Each is half a step and a share of the other half, by chance."""
    retries = Retries(first_s=1, most_s=8)

    assert [retries.wait_s(n, 1.0) for n in (1, 2, 3, 4, 5, 99)] == [1, 2, 4, 8, 8, 8]
    assert [retries.wait_s(n, 0.0) for n in (1, 2, 3, 4, 99)] == [0.5, 1, 2, 4, 4]
    assert retries.wait_s(1, 0.5, 7) == 7


async def test_a_launch_token_is_not_sent_twice_into_the_dark() -> None:
    """It may have been traded: only what was surely not done is tried again."""
    session = {"session_token": "s", "expires_at": 1, "player": "a"}
    session |= {"currency": "EUR", "table": ""}
    unsent = Flaky(httpx.ConnectError("refused"), problem(503, "x"), done(session))
    dark = Flaky(httpx.ReadTimeout("slow"), done(session))
    late = Flaky(problem(504, "no_answer"), done(session))

    async def trade(door: Flaky) -> str:
        http = httpx.AsyncClient(transport=httpx.MockTransport(door))
        client = await PlayerClient.launched(
            "http://door.test", "token", retries=AT_ONCE, http=http
        )
        return client.session.session_token

    assert await trade(unsent) == "s"
    with pytest.raises(Unreachable):
        await trade(dark)
    with pytest.raises(Refused, match="no_answer"):
        await trade(late)
    assert (len(dark.asked), len(late.asked)) == (1, 1)


@pytest.mark.parametrize(
    "reply",
    [
        httpx.Response(200, text="<html>hello</html>"),
        httpx.Response(200, content=b"\xff"),
        httpx.Response(200, json={"tables": 1}),
        httpx.Response(200, json=[]),
    ],
    ids=["page", "bytes", "members", "list"],
)
async def test_an_answer_that_is_none_is_told_apart(reply: httpx.Response) -> None:
    """It is neither a refusal nor silence: something else stands at that address."""
    with pytest.raises(Garbled):
        await operator(Flaky(reply)).tables()


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (httpx.Response(404, text="<html>no</html>"), "http_404"),
        (httpx.Response(301, headers={"Location": "http://other.test"}), "http_301"),
        (
            httpx.Response(
                500, text="{", headers={"Content-Type": "application/problem+json"}
            ),
            "http_500",
        ),
    ],
)
async def test_what_is_not_the_doors_own_is_named_by_its_status(
    reply: httpx.Response, reason: str
) -> None:
    """A proxy's page has no reason, and a redirection is not followed."""
    door = Flaky(reply)
    with pytest.raises(Refused) as refused:
        await operator(door).tables()

    assert refused.value.reason == reason
    assert len(door.asked) == 1


async def test_what_is_signed_is_what_is_sent() -> None:
    """Path and query in the bytes of the request line, whatever is asked for."""
    door = Flaky(done({"rounds": [], "cursor": ""}, 200))
    client = operator(door)
    found = [line async for line in client.rounds(player="a b/é", since=5, page=7)]
    request = door.asked[0]
    signed = Signed(
        key="acme.k1",
        time=request.headers["Push22-Time"],
        nonce=request.headers["Push22-Nonce"],
        signature="",
        method="GET",
        target="/operator/v1/rounds?player=a+b%2F%C3%A9&since=5&limit=7",
        idempotency_key="",
        body=b"",
    )

    assert found == []
    assert request.headers["Push22-Signature"] == signature_of(signed, SECRET)


async def test_support_shows_its_token() -> None:
    """As a bearer, on each attempt."""
    door = Flaky(problem(503, "x"), done({"operators": []}, 200))
    http = httpx.AsyncClient(transport=httpx.MockTransport(door))
    client = SupportClient("http://door.test", "tok", retries=AT_ONCE, http=http)

    assert await client.operators() == ()
    assert door.header("Authorization") == ["Bearer tok"] * 2


def test_a_key_does_not_print_its_secret() -> None:
    """Logs hold its name only."""
    assert repr(Key("acme.k1", SECRET)) == "Key('acme.k1')"
