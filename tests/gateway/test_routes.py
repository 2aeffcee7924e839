"""Every route and everybody: who gets in where, as one table."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from case_rows import OPENED, RITA, ROWS
from house import House, house
from litestar.routes import HTTPRoute, WebSocketRoute
from report_rows import FOR_OPERATORS, FOR_SUPPORT

from contracts import table as t
from contracts import wallet as w
from contracts.envelope import Actor
from push22.casino import PLATFORM
from push22.door.secrets import dev_token
from services.gateway.rates import Buckets, Rate
from services.gateway.tokens import Pass

HOUR_US = 3600 * 1_000_000
OWN, OLD, OPEN = "acme1", "round-acme1-1", "round-acme1-2"

WHO = (
    "nobody",
    "garbage",
    "operator",
    "late operator",
    "rival",
    "player",
    "late player",
    "rival's player",
    "viewer",
    "resolver",
    "admin",
    "late admin",
)
"""`rival`: another operator. `late`: with credentials that were right an hour ago."""

NO = 401
_SIGNED = dict.fromkeys(WHO, NO)
_ANYBODY = dict.fromkeys(WHO, 200)


def signed(own: int, rival: int) -> dict[str, int]:
    return {**_SIGNED, "operator": own, "rival": rival}


def seated(own: int, rival: int) -> dict[str, int]:
    return {**_SIGNED, "player": own, "rival's player": rival}


def support(viewer: int, resolver: int, admin: int) -> dict[str, int]:
    return {**_SIGNED, "viewer": viewer, "resolver": resolver, "admin": admin}


MONEY = {"currency": "EUR", "amount_minor": 100, "reference": "r"}
WHY = {"reason": "a test"}
Row = tuple[str, Any, dict[str, int]]

TABLE: dict[tuple[str, str], Row] = {
    ("GET", "/live"): ("/live", None, _ANYBODY),
    ("GET", "/ready"): ("/ready", None, _ANYBODY),
    ("GET", "/openapi.json"): ("/openapi.json", None, _ANYBODY),
    ("GET", "/documents"): ("/documents", None, _ANYBODY),
    ("GET", "/documents/openapi.json"): ("/documents/openapi.json", None, _ANYBODY),
    ("GET", "/documents/{path:str}"): (
        "/documents/nothing",
        None,
        dict.fromkeys(WHO, 404),
    ),
    ("POST", "/operator/v1/launches"): (
        "/operator/v1/launches",
        {"player": "alice", "currency": "EUR", "table": OWN},
        signed(201, 404),
    ),
    ("GET", "/operator/v1/tables"): ("/operator/v1/tables", None, signed(200, 200)),
    ("POST", "/operator/v1/tables"): (
        "/operator/v1/tables",
        {"table": "acme1", "rule_set": "ny-switch-6d", "currency": "EUR"},
        signed(409, 409),
    ),
    ("GET", "/operator/v1/tables/{table:str}"): (
        f"/operator/v1/tables/{OWN}",
        None,
        signed(200, 404),
    ),
    ("POST", "/operator/v1/tables/{table:str}/close"): (
        "/operator/v1/tables/house1/close",
        WHY,
        signed(403, 403),
    ),
    ("PUT", "/operator/v1/tables/{table:str}/limits"): (
        "/operator/v1/tables/acme2/limits",
        {"min_minor": 1000, "max_minor": 500000, "side_min_minor": 100},
        signed(200, 404),
    ),
    ("GET", "/operator/v1/players/{player:str}/balance"): (
        "/operator/v1/players/alice/balance?currency=EUR",
        None,
        signed(200, 200),
    ),
    ("POST", "/operator/v1/players/{player:str}/deposits"): (
        "/operator/v1/players/alice/deposits",
        MONEY,
        signed(201, 201),
    ),
    ("POST", "/operator/v1/players/{player:str}/withdrawals"): (
        "/operator/v1/players/alice/withdrawals",
        MONEY,
        signed(201, 201),
    ),
    ("GET", "/operator/v1/rounds"): ("/operator/v1/rounds", None, signed(200, 200)),
    ("GET", "/operator/v1/rounds/{round_id:str}"): (
        f"/operator/v1/rounds/{OLD}",
        None,
        signed(200, 404),
    ),
    ("POST", "/operator/v1/rounds/{round_id:str}/void"): (
        f"/operator/v1/rounds/{OLD}/void",
        WHY,
        signed(409, 404),
    ),
    ("GET", "/operator/v1/reports/rounds"): (
        "/operator/v1/reports/rounds?since=0&until=9000000000000000",
        None,
        signed(200, 200),
    ),
    ("GET", "/operator/v1/reports/rounds.csv"): (
        "/operator/v1/reports/rounds.csv?since=0&until=9000000000000000",
        None,
        signed(200, 200),
    ),
    ("POST", "/player/v1/sessions"): (
        "/player/v1/sessions",
        {"launch_token": "a.b.c"},
        dict.fromkeys(WHO, NO),
    ),
    ("GET", "/player/v1/me"): ("/player/v1/me", None, seated(200, 200)),
    ("GET", "/player/v1/tables"): ("/player/v1/tables", None, seated(200, 200)),
    ("GET", "/player/v1/tables/{table:str}"): (
        f"/player/v1/tables/{OWN}",
        None,
        seated(200, 404),
    ),
    ("PUT", "/player/v1/rounds/{round_id:str}/wagers/{box:int}"): (
        f"/player/v1/rounds/{OPEN}/wagers/1",
        {"wagers_minor": [1000, 1000]},
        seated(200, 404),
    ),
    ("DELETE", "/player/v1/rounds/{round_id:str}/wagers/{box:int}"): (
        f"/player/v1/rounds/{OPEN}/wagers/1",
        None,
        seated(200, 404),
    ),
    ("POST", "/player/v1/rounds/{round_id:str}/ready"): (
        f"/player/v1/rounds/{OPEN}/ready",
        None,
        seated(409, 404),
    ),
    ("POST", "/player/v1/rounds/{round_id:str}/actions"): (
        f"/player/v1/rounds/{OPEN}/actions",
        {"action": "hit", "target": "1.1"},
        seated(409, 404),
    ),
    ("POST", "/player/v1/rounds/{round_id:str}/seeds"): (
        f"/player/v1/rounds/{OPEN}/seeds",
        {"box": 1, "seed": "AAAA"},
        seated(409, 404),
    ),
    ("POST", "/player/v1/rounds/{round_id:str}/burned-card"): (
        f"/player/v1/rounds/{OPEN}/burned-card",
        None,
        seated(409, 404),
    ),
    ("GET", "/player/v1/rounds/{round_id:str}/proof"): (
        f"/player/v1/rounds/{OPEN}/proof",
        None,
        seated(200, 404),
    ),
    ("GET", "/player/v1/tables/{table:str}/rules"): (
        f"/player/v1/tables/{OWN}/rules",
        None,
        seated(200, 404),
    ),
    ("GET", "/play"): ("/play", None, _ANYBODY),
    ("GET", "/play/{table:str}"): ("/play/t1", None, _ANYBODY),
    ("GET", "/desk"): ("/desk", None, _ANYBODY),
    ("GET", "/desk/{rest:path}"): ("/desk/rounds/none", None, _ANYBODY),
    ("GET", "/support/v1/rounds/{round_id:str}/replay"): (
        f"/support/v1/rounds/{OLD}/replay",
        None,
        support(200, 200, 200),
    ),
    ("GET", "/support/v1/rounds/{round_id:str}/verdict"): (
        f"/support/v1/rounds/{OLD}/verdict",
        None,
        support(200, 200, 200),
    ),
    ("POST", "/support/v1/what-if"): (
        "/support/v1/what-if",
        {"script": "no script"},
        support(200, 200, 200),
    ),
    ("GET", "/support/v1/me"): ("/support/v1/me", None, support(200, 200, 200)),
    ("GET", "/static/{name:path}"): ("/static/js/main.js", None, _ANYBODY),
    ("GET", "/player/v1/rounds"): ("/player/v1/rounds", None, seated(200, 200)),
    ("GET", "/player/v1/rounds/{round_id:str}"): (
        f"/player/v1/rounds/{OLD}",
        None,
        seated(200, 404),
    ),
    **{("GET", x): (y, None, signed(200, 200)) for x, y in FOR_OPERATORS.items()},
    **{("GET", x): (y, None, support(200, 200, 200)) for x, y in FOR_SUPPORT.items()},
    ("GET", "/support/v1/rounds"): (
        "/support/v1/rounds",
        None,
        support(200, 200, 200),
    ),
    ("GET", "/support/v1/rounds/{round_id:str}"): (
        f"/support/v1/rounds/{OLD}",
        None,
        support(200, 200, 200),
    ),
    ("GET", "/support/v1/rounds/{round_id:str}/evidence"): (
        f"/support/v1/rounds/{OLD}/evidence",
        None,
        support(403, 200, 200),
    ),
    ("POST", "/support/v1/rounds/{round_id:str}/void"): (
        f"/support/v1/rounds/{OLD}/void",
        WHY,
        support(403, 409, 409),
    ),
    ("GET", "/operator/v1/calls"): ("/operator/v1/calls", None, signed(200, 200)),
    ("GET", "/support/v1/calls"): (
        "/support/v1/calls?operator=acme",
        None,
        support(200, 200, 200),
    ),
    ("POST", "/support/v1/calls/{call:str}/retry"): (
        "/support/v1/calls/7e2ef2b0-779c-86d5-be27-7ac5ddb15671/retry",
        {"player": "acme.alice", "currency": "EUR"},
        support(403, 409, 409),
    ),
    ("GET", "/support/v1/operators"): (
        "/support/v1/operators",
        None,
        support(403, 403, 200),
    ),
    **{
        route: (path, body, support(*answers))
        for route, (path, body, answers) in ROWS.items()
    },
}
"""Method and route: an address with a body, and what each of WHO is answered."""

SOCKETS = {"/player/v1/socket"}
"""Its own credentials come in its first message: test_socket.py."""


async def prepared(the: House) -> None:
    """Make a table of acme's with a settled round of alice's and an open one."""
    the.door.addresses = Buckets(Rate(10**6, 10**6))
    the.door.people = Buckets(Rate(10**6, 10**6))
    alice, acme = Actor("player", "acme.alice"), Actor("platform", "acme")
    await the.open_table("house1")

    async def done(command: Any, actor: Actor) -> None:
        answer = await the.casino.host.submit(the.casino.envelope(command, actor))
        assert answer.accepted, answer
        await the.settled()

    await done(t.OpenTable(OWN, "ny-switch-6d", "EUR"), acme)
    await done(t.OpenTable("acme2", "ny-switch-6d", "EUR"), acme)
    await done(w.Deposit("acme.alice", "EUR", 100_000), PLATFORM)
    await done(w.Deposit("rival.alice", "EUR", 100_000), PLATFORM)
    await done(t.PlaceBet(OLD, 1, (1000, 1000)), alice)
    await done(t.StartDealing(OLD), alice)
    await done(OPENED, RITA)
    while the.door.lobby.version(OPEN) == 0:
        the.clock.advance(seconds=31)
        await the.settled()


def request_of(the: House, who: str, method: str, row: Row) -> httpx.Request:
    path, body, _ = row
    now = the.clock.now()
    match who:
        case "operator":
            return the.signed(method, path, body)
        case "late operator":
            past = str((now - HOUR_US) // 1_000_000)
            return the.signed(method, path, body, time=past)
        case "rival":
            return the.signed(method, path, body, operator="rival")
    headers = {"Authorization": f"Bearer {token_of(the, who)}"}
    if who == "nobody":
        headers = {}
    content = b"" if body is None else json.dumps(body).encode()
    return the.http.build_request(method, path, content=content, headers=headers)


def token_of(the: House, who: str) -> str:
    now = the.clock.now()
    own = Pass("acme.alice", "EUR", "", "s1", now + HOUR_US)
    match who:
        case "player":
            return the.door.tokens.make("session", own)
        case "late player":
            late = Pass("acme.alice", "EUR", "", "s2", now - HOUR_US)
            return the.door.tokens.make("session", late)
        case "rival's player":
            other = Pass("rival.alice", "EUR", "", "s3", now + HOUR_US)
            return the.door.tokens.make("session", other)
        case "late admin":
            return dev_token(the.data, "carol", "admin", now - 24 * HOUR_US)
        case "viewer" | "resolver" | "admin":
            return the.support(who)
    return "a.b.c"


async def test_everybody_gets_in_where_the_table_says(tmp_path: Path) -> None:
    """Each route answers each kind of asker exactly so."""
    wrong: list[str] = []
    async with house(tmp_path) as the:
        await prepared(the)
        for (method, route), row in TABLE.items():
            wrong += await wrongs(the, method, route, row)

    assert not wrong, "\n".join(wrong)


async def wrongs(the: House, method: str, route: str, row: Row) -> list[str]:
    """Ask as everybody; return what was not answered as the row says."""
    found = []
    for who, status in row[2].items():
        answer = await the.http.send(request_of(the, who, method, row))
        if answer.status_code != status or not is_problem(answer):
            found.append(f"{method} {route} {who}: {status} due, {answer.text}")
    return found


def is_problem(answer: httpx.Response) -> bool:
    """Tell whether an answer, if it is an error, has the one form of all errors."""
    if answer.is_success:
        return True
    is_typed = answer.headers["content-type"] == "application/problem+json"
    return is_typed and bool(answer.json()["status"] == answer.status_code)


async def test_no_route_is_missing_from_the_table(tmp_path: Path) -> None:
    """A new route is not served before somebody said who may use it."""
    async with house(tmp_path) as the:
        found = {
            (method, route.path)
            for route in the.app.app.routes
            if isinstance(route, HTTPRoute)
            for method in route.methods
            if method != "OPTIONS"
        }
        sockets = {
            route.path
            for route in the.app.app.routes
            if isinstance(route, WebSocketRoute)
        }

    assert found == TABLE.keys()
    assert sockets == SOCKETS


@pytest.mark.parametrize(
    ("method", "path", "status", "reason"),
    [
        ("GET", "/nowhere", 404, "not_found"),
        ("PATCH", "/live", 405, "wrong_method"),
        ("GET", "/player/v1/../v1/me", 401, "unauthenticated"),
        ("GET", "/player/v1/socket", 405, "wrong_method"),
    ],
)
async def test_what_is_not_there_is_a_problem_too(
    method: str, path: str, status: int, reason: str, *, tmp_path: Path
) -> None:
    """Unknown paths and methods are answered in the one form of all errors."""
    async with house(tmp_path) as the:
        answer = await the.http.request(method, path)

    assert (answer.status_code, answer.json()["reason"]) == (status, reason)


async def test_every_answer_has_the_strict_headers(tmp_path: Path) -> None:
    """Pages and errors alike cannot be framed, sniffed or kept."""
    async with house(tmp_path) as the:
        answers = [
            await the.http.get(x) for x in ("/live", "/nowhere", "/player/v1/me")
        ]

    for answer in answers:
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
