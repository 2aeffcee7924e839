"""The casino behind Kafka, as the gateway asks it.

A repeated command makes no new event, so its answer is remembered from what was heard,
and looked for in the archive's copy.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence

from aiokafka.errors import KafkaError

from contracts import catalog, identities
from contracts.balances import Balance, balance_after
from contracts.envelope import Actor, Answer, CommandEnvelope
from push22.answers import Asked, Heard, again, heard_of
from push22.door.copy import Begun, Copy
from push22.door.past import TABLES
from push22.door.port import CommandMaker
from push22.remote import RemoteCasino
from runtime.bus_memory import Delivery
from services.gateway.ports import Hearer, NotAvailable

_ANSWERS_KEPT = 200_000
_NEW_S = 1.0
"""A command that is new is answered sooner; then a repeat is looked for."""


class RemotePort(CommandMaker):
    """Hears all logs from its copy on, or without one from their beginning."""

    def __init__(self, casino: RemoteCasino, copy: Copy | None = None) -> None:
        super().__init__(casino)
        self._casino = casino
        self._copy = copy
        self._begun = Begun((), None) if copy is None else copy.begun()
        self._answers: OrderedDict[Asked, Heard] = OrderedDict()
        for found in self._begun.answers:
            self._remember(found)
        self._balances: dict[str, Balance] = {}
        self._is_ready = False
        casino.host.subscribe(self._hear)

    async def start(self) -> None:
        """Connect and catch up: whoever subscribes does so before."""
        await self._casino.host.start(self._begun.since)
        self._begun = Begun((), None)
        self._is_ready = True

    async def close(self) -> None:
        await self._casino.close()
        if self._copy is not None:
            self._copy.close()

    def _hear(self, delivery: Delivery) -> None:
        stream = delivery.record.stream
        if identities.category_of(stream) == "wallet":
            self._hear_wallet(stream, delivery)
        found = heard_of(delivery)
        if found is not None:
            self._remember(found)

    def _remember(self, found: Heard) -> None:
        self._answers[found.asked] = found
        if len(self._answers) > _ANSWERS_KEPT:
            self._answers.popitem(last=False)

    def _hear_wallet(self, stream: str, delivery: Delivery) -> None:
        before = self._balances.get(stream)
        if before is None:
            version = delivery.record.version
            before = self._copy.balance(stream, version) if self._copy else Balance()
        self._balances[stream] = balance_after(before, delivery.event)

    async def submit(self, body: bytes) -> Answer:
        command = catalog.decode_command_envelope(body)
        known = self._answers.get(Asked.of(command))
        if known is not None:
            return again(known, command)
        try:
            return await self._sent(body, command)
        except (KafkaError, ConnectionError) as error:
            raise NotAvailable(f"Kafka: {error}") from error

    async def _sent(self, body: bytes, command: CommandEnvelope) -> Answer:
        """Send a command. Nothing new is heard of a repeat: what its first got is."""
        sending = asyncio.ensure_future(self._casino.host.submit(body))
        try:
            done, _ = await asyncio.wait({sending}, timeout=_NEW_S)
            known = None if done else self._of_old(command)
            return await sending if known is None else again(known, command)
        finally:
            sending.cancel()

    def _of_old(self, command: CommandEnvelope) -> Heard | None:
        """Return what was recorded before the command was waited for."""
        asked = Asked.of(command)
        known = self._answers.get(asked)
        if known is not None or self._copy is None:
            return known
        return self._copy.answer(self._casino.host.stream_of(command), asked)

    async def was_answered(self, actor: Actor, command_id: str, round_id: str) -> bool:
        asked = Asked(TABLES, actor, command_id)
        if asked in self._answers or self._copy is None:
            return asked in self._answers
        return self._copy.answer(round_id, asked) is not None

    def subscribe(self, hearer: Hearer) -> None:
        self._casino.host.subscribe(hearer)

    async def past(self) -> Sequence[Delivery]:
        """Return where the tables stand in the copy; the rest is heard."""
        return self._begun.tables

    async def balance(self, player: str, currency: str) -> Balance:
        stream = identities.wallet_stream(player, currency)
        known = self._balances.get(stream)
        if known is None and self._copy is not None:
            return self._copy.balance(stream)
        return known or Balance()

    async def has_wallet(self, player: str, currency: str) -> bool:
        stream = identities.wallet_stream(player, currency)
        if stream in self._balances or self._copy is None:
            return stream in self._balances
        return self._copy.has("wallet", stream)

    def is_well(self) -> bool:
        return self._casino.host.is_listening

    def is_ready(self) -> bool:
        return self._is_ready

    def hears_all(self, service: str) -> bool:
        return self._casino.host.hears_all(service)
