"""The casino behind Kafka, as the gateway asks it.

A repeated command makes no new event, so its answer is remembered from what was heard.
"""

from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

from aiokafka.errors import KafkaError

from contracts import catalog, identities
from contracts.balances import Balance, balance_after
from contracts.envelope import Actor, Answer, CommandEnvelope
from push22.door.port import CommandMaker
from push22.remote import Asked, RemoteCasino, answer_of
from runtime.bus_memory import Delivery
from runtime.commands import digest_of, reused
from services.gateway.ports import Hearer, NotAvailable

_ANSWERS_KEPT = 200_000


class Heard(NamedTuple):
    """What a command said, by its digest, and its recorded answer."""

    digest: bytes
    answer: Answer


class RemotePort(CommandMaker):
    """Hears the whole of all logs at its start, then what is added."""

    def __init__(self, casino: RemoteCasino) -> None:
        super().__init__(casino)
        self._casino = casino
        self._answers: OrderedDict[Asked, Heard] = OrderedDict()
        self._balances: dict[str, Balance] = {}
        self._is_ready = False
        casino.host.subscribe(self._hear)

    async def start(self) -> None:
        """Connect and catch up: whoever subscribes does so before."""
        await self._casino.host.start()
        self._is_ready = True

    async def close(self) -> None:
        await self._casino.close()

    def _hear(self, delivery: Delivery) -> None:
        record = delivery.record
        if identities.category_of(record.stream) == "wallet":
            self._hear_wallet(record.stream, delivery)
        envelope = delivery.envelope
        cause = envelope.cause
        if cause is None or cause.kind != "command":
            return
        command = catalog.decode_command_envelope(cause.command)
        asked = Asked(command.actor, command.id)
        self._answers[asked] = Heard(digest_of(command), answer_of(delivery))
        if len(self._answers) > _ANSWERS_KEPT:
            self._answers.popitem(last=False)

    def _hear_wallet(self, stream: str, delivery: Delivery) -> None:
        before = self._balances.get(stream, Balance())
        self._balances[stream] = balance_after(before, delivery.event)

    async def submit(self, body: bytes) -> Answer:
        command = catalog.decode_command_envelope(body)
        known = self._answers.get(Asked(command.actor, command.id))
        if known is not None:
            return _again(known, command)
        try:
            return await self._casino.host.submit(body)
        except (KafkaError, ConnectionError) as error:
            raise NotAvailable(f"Kafka: {error}") from error

    async def was_answered(self, actor: Actor, command_id: str) -> bool:
        return Asked(actor, command_id) in self._answers

    def subscribe(self, hearer: Hearer) -> None:
        self._casino.host.subscribe(hearer)

    async def past(self) -> Sequence[Delivery]:
        """Nothing: all of it is heard."""
        return ()

    async def balance(self, player: str, currency: str) -> Balance:
        stream = identities.wallet_stream(player, currency)
        return self._balances.get(stream, Balance())

    def is_well(self) -> bool:
        return self._casino.host.is_listening

    def is_ready(self) -> bool:
        return self._is_ready


def _again(known: Heard, command: CommandEnvelope) -> Answer:
    if known.digest == digest_of(command):
        return known.answer
    return reused(command.id)
