"""H4 before a distributed casino: one id given to several commands at the same time.

The services are real; only Kafka is not there. Commands arrive in the order that a
test says, and every door hears of every record.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec
import pytest

from contracts.envelope import Actor, Answer
from contracts.identities import wallet_stream
from contracts.table import OpenTable
from contracts.wallet import Deposit, Withdraw
from push22.casino import Casino
from push22.command_sender import Sent
from push22.door import remote as door_remote
from push22.door.remote import RemotePort
from push22.remote import RemoteCasino, RemoteHost
from runtime.ambient import Ambient, KeyRing, SeededEntropy, SystemClock
from runtime.bus_memory import Delivery
from runtime.kafka_records import Arrived
from runtime.kafka_settings import KafkaSettings

KEY = "deposit-0001"
OPERATOR = Actor("platform", "acme")
SMALL, LARGE = Deposit("acme.bob", "EUR", 1), Deposit("acme.bob", "EUR", 5000)
OTHERS = Deposit("acme.carol", "EUR", 1)
WITHDRAWAL = Withdraw("acme.bob", "EUR", 1)
TAKEN = Answer(KEY, accepted=False, stream="", reason="command_id_reused")
WAIT_S = 20.0


class Elsewhere:
    """A casino that is reached as one behind Kafka is."""

    def __init__(self, casino: Casino) -> None:
        self.casino = casino
        self.hosts: list[RemoteHost] = []
        self.under_way: list[Sent] = []
        casino.host.subscribe(self._tell)

    def _tell(self, delivery: Delivery) -> None:
        for host in self.hosts:
            host._hear(Arrived(delivery.record, delivery.envelope))

    async def client(self) -> RemoteCasino:
        host = RemoteHost(KafkaSettings("127.0.0.1:1"), answer_s=WAIT_S)
        await host._consumer.stop()
        sender: Any = self
        host._sender = sender
        self.hosts.append(host)
        return RemoteCasino(host)

    async def send(self, command: Sent) -> bool:
        self.under_way.append(command)
        return True

    async def all_sent(self, count: int) -> None:
        """Wait until so many commands are under way and no answer was heard."""
        async with asyncio.timeout(WAIT_S):
            while len(self.under_way) < count:
                await asyncio.sleep(0)

    async def arrive(self, *, last_first: bool = False) -> None:
        commands = self.under_way[::-1] if last_first else self.under_way
        for command in commands:
            await self.casino.host.submit(command.body)
        self.under_way = []

    async def paid(self, player: str) -> int:
        state = await self.casino.host.state("wallet", wallet_stream(player, "EUR"))
        return int(state.balance_minor)


@contextlib.asynccontextmanager
async def elsewhere() -> AsyncIterator[Elsewhere]:
    ambient = Ambient(SystemClock(), SeededEntropy(1), KeyRing.in_memory())
    casino = await Casino.in_memory(ambient)
    yield Elsewhere(casino)
    await casino.close()


async def doors_of(there: Elsewhere, count: int) -> list[RemotePort]:
    """Return where two commands come in: at one door, or each at its own."""
    doors = [RemotePort(await there.client()) for _ in range(count)]
    return [doors[0], doors[-1]]


async def asked(
    there: Elsewhere, doors: list[RemotePort], commands: Sequence[msgspec.Struct]
) -> list[asyncio.Task[Answer]]:
    """Give every command the same id; return who waits, all of them under way."""
    waiting = []
    for door, command in zip(doors, commands, strict=True):
        body = door.envelope(command, OPERATOR, KEY)
        waiting.append(asyncio.create_task(door.submit(body)))
        await there.all_sent(len(waiting))
    return waiting


@pytest.mark.parametrize("count", [1, 2], ids=["one door", "two doors"])
@pytest.mark.parametrize("last_first", [False, True], ids=["in order", "reversed"])
@pytest.mark.parametrize("second", [LARGE, OTHERS, WITHDRAWAL])
async def test_h4_one_id_two_bodies_at_once(
    count: int, *, last_first: bool, second: Deposit | Withdraw
) -> None:
    """The one that arrives first gets its answer, the other one is refused."""
    commands = (SMALL, second)
    async with elsewhere() as there:
        waiting = await asked(there, await doors_of(there, count), commands)
        await there.arrive(last_first=last_first)
        answers = await asyncio.gather(*waiting)

        first = 1 if last_first else 0
        assert answers[first].stream, "this one was recorded"
        assert answers[1 - first] == TAKEN
        is_paid = answers[first].accepted
        assert is_paid == isinstance(commands[first], Deposit)
        paid = {"acme.bob": 0, "acme.carol": 0}
        if is_paid:
            paid[commands[first].player] = commands[first].amount_minor
        assert {name: await there.paid(name) for name in paid} == paid


@pytest.mark.parametrize("count", [1, 2], ids=["one door", "two doors"])
async def test_h4_the_same_body_twice_at_once(count: int) -> None:
    """It is paid once, and both hear of that."""
    async with elsewhere() as there:
        doors = await doors_of(there, count)
        waiting = await asked(there, doors, (SMALL, SMALL))
        await there.arrive()
        one, other = await asyncio.gather(*waiting)

        assert one == other
        assert one.accepted
        assert await there.paid("acme.bob") == 1


async def test_h4_another_body_while_the_first_waits_and_after() -> None:
    """A wallet that is slow to answer makes no difference, nor one that has."""
    async with elsewhere() as there:
        (door, _) = await doors_of(there, 1)
        waiting = await asked(there, [door], [SMALL])
        late = asyncio.create_task(door.submit(door.envelope(LARGE, OPERATOR, KEY)))
        await there.all_sent(2)
        await there.arrive()

        assert (await waiting[0]).accepted
        assert await late == TAKEN
        assert await door.submit(door.envelope(LARGE, OPERATOR, KEY)) == TAKEN
        again = await door.submit(door.envelope(SMALL, OPERATOR, KEY))
        assert again == await waiting[0]
        assert there.under_way == [], "what is known is asked of nobody"


async def test_h4_who_gives_an_id_to_two_services_hears_of_each() -> None:
    """Each knows its own: the embedded casino takes both."""
    table = OpenTable("t1", "ny-switch-6d", "EUR")
    async with elsewhere() as there:
        doors = await doors_of(there, 1)
        waiting = await asked(there, doors, (SMALL, table))
        await there.arrive(last_first=True)
        deposit, opened = await asyncio.gather(*waiting)

        assert (deposit.accepted, deposit.stream) == (
            True,
            wallet_stream("acme.bob", "EUR"),
        )
        assert (opened.accepted, opened.stream) == (True, "table-t1")


async def test_h4_what_was_recorded_just_before_one_waits_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing more is heard of it then: the door looks at what it heard."""
    monkeypatch.setattr(door_remote, "_NEW_S", 0.05)
    async with elsewhere() as there:
        (door, _) = await doors_of(there, 1)
        body = door.envelope(SMALL, OPERATOR, KEY)
        asking = asyncio.create_task(door.submit(body))
        # It has begun to ask, and is not waiting yet.
        await asyncio.sleep(0)
        await there.casino.host.submit(body)
        async with asyncio.timeout(WAIT_S):
            answer = await asking

        assert answer.accepted
