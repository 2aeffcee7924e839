"""Hearing of a casino elsewhere goes on, whatever one hearer makes of a record."""

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec

from contracts import catalog, identities
from contracts import wallet_calls as c
from contracts.balances import Balance
from contracts.base import tag_of
from contracts.envelope import Envelope
from push22.casino import PLATFORM
from push22.door.remote import RemotePort
from push22.remote import RemoteCasino, RemoteHost
from runtime.bus_memory import Delivery
from runtime.kafka_records import Arrived, Beacon
from runtime.kafka_settings import KafkaSettings
from runtime.log import NO_HASH, Record
from services.gateway.lobby import Lobby
from services.gateway.purses import Purse
from tests.measured import hearers_failed

PLAYER = ("acme.bob", "EUR")
STREAM = identities.wallet_stream(*PLAYER)
ENTRY = c.OperatorCall("d1", c.CallKind.AUTHENTICATE)
CALLS = (
    c.CallOwed("", *PLAYER, ENTRY, "token"),
    c.CallFailed("", *PLAYER, "d1", 1, "timeout", 5),
    c.CallEnded(
        "", *PLAYER, ENTRY, 2, c.CallOutcome.DONE, 0, operator_balance_minor=900
    ),
)


async def listening() -> RemoteHost:
    host = RemoteHost(KafkaSettings("127.0.0.1:1"))
    await host._consumer.stop()
    return host


def arriving(events: Sequence[msgspec.Struct]) -> list[Arrived]:
    return [_arrived(version, event) for version, event in enumerate(events, 1)]


def _arrived(version: int, event: msgspec.Struct) -> Arrived:
    name, tag = f"{STREAM}@{version}", tag_of(type(event))
    envelope = Envelope(
        id=name,
        type=tag,
        service="wallet",
        log="first",
        partition=0,
        offset=version,
        stream=STREAM,
        version=version,
        recorded_at=version,
        caused_by=f"c{version}",
        correlation="",
        actor=PLATFORM,
        data=msgspec.Raw(catalog.encode(event)),
    )
    body = catalog.encode(envelope)
    place = ("wallet", 0, version, STREAM, version, tag, "")
    return Arrived(Record(*place, NO_HASH, NO_HASH, body), envelope)


async def test_a_wallet_that_becomes_an_operators_is_heard_of() -> None:
    """The door knows the operator's balance, and so does the player's own page."""
    host = await listening()
    port, lobby = RemotePort(RemoteCasino(host)), Lobby("door")
    port.subscribe(lobby.hear)
    purse, told = Purse(*PLAYER, await port.balance(*PLAYER)), []
    lobby.welcome(purse, told.append)
    before = hearers_failed()
    for item in arriving(CALLS):
        host._hear(item)

    assert await port.balance(*PLAYER) == Balance(900, is_operators=True)
    assert [msgspec.json.decode(x)["balance_minor"] for x in told] == [0, 0, 900]
    assert hearers_failed() == before


async def test_a_hearer_that_fails_ends_nobodys_hearing() -> None:
    """Its failure is counted; others hear on, also of an event of newer software."""
    host = await listening()
    heard: list[str] = []

    def deaf(delivery: Delivery) -> Any:
        return delivery.event.no_such_field

    host.subscribe(deaf)
    host.subscribe(lambda delivery: heard.append(delivery.envelope.id))
    RemotePort(RemoteCasino(host))
    first, newer = arriving(CALLS[:2])
    newer = Arrived(
        newer.record._replace(type="wallet.of_tomorrow.v9"),
        msgspec.structs.replace(newer.envelope, type="wallet.of_tomorrow.v9"),
    )
    before = hearers_failed()
    for item in (first, newer):
        host._hear(item)

    assert heard == [f"{STREAM}@1", f"{STREAM}@2"]
    assert hearers_failed() == before + 3


async def test_a_log_that_goes_further_than_it_was_heard_is_not_all_heard() -> None:
    """What others recorded is; who does not listen has heard nothing for sure."""
    host = await listening()
    port = RemotePort(RemoteCasino(host))
    assert not port.hears_all("desk")
    host._task = asyncio.create_task(asyncio.Event().wait())  # type: ignore[arg-type]
    assert port.hears_all("desk")
    host._hearing.take(Beacon("desk", "first", 0, 3, NO_HASH))

    assert not port.hears_all("desk")
    assert port.hears_all("wallet")
    host._task.cancel()
