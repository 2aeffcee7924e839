"""Who is asking: every route but a few stands behind one of these."""

import re
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple
from urllib.parse import unquote_plus

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.handlers import BaseRouteHandler

from contracts.signature import Signed
from services.gateway.door import Door
from services.gateway.in_words import NO_KEY
from services.gateway.problems import DoorReason, Refused
from services.gateway.roles import (
    Keeper,
    Person,
    Role,
    UnknownKey,
    read_person,
    require,
)
from services.gateway.signing import Operator
from services.gateway.tokens import Pass
from services.gateway.web.about_case import About, why_not

COMMAND_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")

Connection = ASGIConnection[Any, Any, Any, Any]
Asker = Request[Any, Any, Any]
Guard = Callable[[Connection, BaseRouteHandler], Awaitable[None]]

_UNKNOWN = (DoorReason.UNAUTHENTICATED, DoorReason.TOKEN_EXPIRED)


def door_of(connection: Connection) -> Door:
    door = connection.app.state.door
    assert isinstance(door, Door)
    return door


class Look(NamedTuple):
    """Who of support is asking, and for which case, as it was recorded."""

    person: Person
    case: str


async def signed_by_operator(connection: Connection, handler: BaseRouteHandler) -> None:
    """Let a signed request in, and say whose it is."""
    del handler
    assert isinstance(connection, Request)
    door = door_of(connection)
    now = door.casino.now()
    signed = await _signed(connection)
    try:
        operator = door.signatures.check(signed, now)
    except Refused as refused:
        raise slowed(connection, refused) from refused
    door.operators.take(operator.name, now)
    connection.scope["user"] = operator
    connection.scope["auth"] = signed


async def _signed(request: Asker) -> Signed:
    headers = request.headers
    scope = request.scope
    path = scope["raw_path"].decode("latin-1")
    query = scope["query_string"].decode("latin-1")
    return Signed(
        headers.get("push22-key", ""),
        headers.get("push22-time", ""),
        headers.get("push22-nonce", ""),
        headers.get("push22-signature", ""),
        request.method,
        f"{path}?{query}" if query else path,
        headers.get("idempotency-key", ""),
        await request.body(),
    )


async def has_session(connection: Connection, handler: BaseRouteHandler) -> None:
    """Let a player's session in."""
    del handler
    door = door_of(connection)
    now = door.casino.now()
    try:
        session = door.tokens.read("session", _bearer(connection), now)
    except Refused as refused:
        raise slowed(connection, refused) from refused
    door.players.take(session.player, now)
    connection.scope["user"] = session


def has_role(role: Role) -> Guard:
    """Let support in whose role reaches so far."""

    async def guard(connection: Connection, handler: BaseRouteHandler) -> None:
        person = await _person(connection)
        require(person, role)
        door = door_of(connection)
        door.people.take(person.name, door.casino.now())
        connection.scope["user"] = person
        connection.scope["auth"] = await _looked(door, person, connection, handler)

    return guard


async def _looked(
    door: Door, person: Person, connection: Connection, handler: BaseRouteHandler
) -> Look:
    """Record what is asked, about what and for which case, before it is answered.

    A refusal is an answer too. A case that is no reason is told in what was done: under
    the case itself nothing is written.
    """
    named = str(connection.path_params.get("case", ""))
    case = named or str(connection.query_params.get("case") or "")
    case = case or connection.headers.get("push22-case", "")
    what, about = handler.handler_name, _about(connection)
    if case and not named:
        refused = await why_not(door, person, case, _subject(connection, handler))
        if refused is not None:
            await door.look(person, _in_vain(what, case, refused), about, "")
            raise refused
    await door.look(person, what, about, case)
    return Look(person, case)


def _in_vain(what: str, case: str, refused: Refused) -> str:
    reason = refused.problem.reason
    told = f"{what} refused: {reason}"
    # What is no name of a case may be anything, of any length.
    return told if reason == DoorReason.MALFORMED else f"{told} {case}"


def _subject(connection: Connection, handler: BaseRouteHandler) -> About:
    """Name the rounds and players that are asked for, also those of a search.

    A player where a route takes none is not compared: it would only tell whom a case is
    about. Of what is said twice each counts, whichever the route would go by.
    """
    named, query = connection.path_params, connection.query_params
    rounds = {str(named.get("round_id", "")), *query.getall("round_id", [])}
    players = {str(named.get("player", ""))}
    if "player" in handler.parsed_fn_signature.parameters:
        players |= {*query.getall("player", [])}
    return About(frozenset(rounds - {""}), frozenset(players - {""}))


def _about(connection: Connection) -> str:
    """Name the round or the case; else all that the address names and asks for."""
    named = connection.path_params
    if whole := named.get("round_id") or named.get("case"):
        return str(whole)
    query = unquote_plus(connection.scope["query_string"].decode("latin-1"))
    return " ".join(filter(None, (*map(str, named.values()), query)))


async def _person(connection: Connection) -> Person:
    door = door_of(connection)
    token, now = _bearer(connection), door.casino.now()
    keeper: Keeper = connection.app.state.keeper
    await keeper.keep_fresh()
    try:
        return read_person(token, door.issuer, now)
    except UnknownKey as unknown:
        if not await keeper.renew(unknown.issuer):
            raise _no_such_key(connection) from unknown
    except Refused as refused:
        raise slowed(connection, refused) from refused
    try:
        return read_person(token, door.issuer, now)
    except UnknownKey as unknown:
        raise _no_such_key(connection) from unknown


def _no_such_key(connection: Connection) -> Refused:
    return slowed(connection, Refused(DoorReason.UNAUTHENTICATED, "no such key"))


def _bearer(connection: Connection) -> str:
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return token if scheme.lower() == "bearer" else ""


def slowed(connection: Connection, refused: Refused) -> Refused:
    """Who guesses is slowed by the address that the guesses come from."""
    if refused.problem.reason not in _UNKNOWN:
        return refused
    try:
        take_address(connection)
    except Refused as too_many:
        return too_many
    return refused


def take_address(connection: Connection) -> None:
    """Count a request of somebody unknown. Raises Refused."""
    door = door_of(connection)
    host = connection.client.host if connection.client else ""
    door.addresses.take(host, door.casino.now())


def the_door(request: Asker) -> Door:
    return door_of(request)


TheDoor = NamedDependency[Door]

# Each dependency asks for the one before: those that could be resolved side by side,
# Litestar would run as tasks of their own.


def the_operator(request: Asker, door: TheDoor) -> Operator:
    del door
    operator = request.scope["user"]
    assert isinstance(operator, Operator)
    return operator


def the_session(request: Asker, door: TheDoor) -> Pass:
    del door
    session = request.scope["user"]
    assert isinstance(session, Pass)
    return session


def the_person(request: Asker, door: TheDoor) -> Person:
    del door
    person = request.scope["user"]
    assert isinstance(person, Person)
    return person


def the_look(request: Asker, person: NamedDependency[Person]) -> Look:
    del person
    look = request.scope["auth"]
    assert isinstance(look, Look)
    return look


TheOperator = NamedDependency[Operator]
TheSession = NamedDependency[Pass]
ThePerson = NamedDependency[Person]
TheLook = NamedDependency[Look]


def operators_command_id(request: Asker, operator: TheOperator) -> str:
    """Return the idempotency key, else the nonce: both are signed."""
    del operator
    signed = request.scope["auth"]
    assert isinstance(signed, Signed)
    key = signed.idempotency_key
    if key and not COMMAND_ID.fullmatch(key):
        raise Refused(DoorReason.MALFORMED, NO_KEY)
    return key or signed.nonce


TheCommandId = NamedDependency[str]
