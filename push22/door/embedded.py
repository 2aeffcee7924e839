"""The casino in this process, as the gateway asks it."""

import asyncio
from collections.abc import Sequence

from contracts import identities
from contracts.balances import Balance
from contracts.envelope import Actor, Answer
from push22.casino import Casino
from push22.door import past
from push22.door.port import CommandMaker
from runtime.bus_memory import Delivery
from runtime.commands import actor_key
from services.gateway.ports import Hearer, NotAvailable

_ANSWER_S = 10.0


class EmbeddedPort(CommandMaker):
    """Runs the host beside the gateway, in one thread."""

    def __init__(self, casino: Casino) -> None:
        super().__init__(casino)
        self._casino = casino
        self._host = casino.host
        self._task: asyncio.Task[None] | None = None

    async def submit(self, body: bytes) -> Answer:
        try:
            async with asyncio.timeout(_ANSWER_S):
                return await self._host.submit(body)
        except ConnectionError as error:
            raise NotAvailable(str(error)) from error

    async def was_answered(self, actor: Actor, command_id: str, round_id: str) -> bool:
        del round_id
        log = self._host.bus.log(past.TABLES)
        return bool(await log.answers([(actor_key(actor), command_id)]))

    def subscribe(self, hearer: Hearer) -> None:
        self._host.subscribe(hearer)

    async def past(self) -> Sequence[Delivery]:
        return past.of_tables(self._host.file)

    async def balance(self, player: str, currency: str) -> Balance:
        stream = identities.wallet_stream(player, currency)
        state = await self._host.state("wallet", stream)
        if state.operator is not None:
            return Balance(state.operator.balance_minor, is_operators=True)
        return Balance(state.balance_minor)

    async def has_wallet(self, player: str, currency: str) -> bool:
        stream = identities.wallet_stream(player, currency)
        return past.newest_version(self._host.file, "wallet", stream) > 0

    def is_well(self) -> bool:
        is_running = self._task is not None and not self._task.done()
        return is_running and not any(w.halted for w in self._host.workers)

    def is_ready(self) -> bool:
        return True

    def hears_all(self, service: str) -> bool:
        del service
        return self.is_well()

    def run(self) -> asyncio.Task[None]:
        """Begin to step the host; the task ends when the host fails or is stopped."""
        self._task = asyncio.create_task(self._host.run())
        return self._task
