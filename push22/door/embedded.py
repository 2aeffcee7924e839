"""The casino in this process, as the gateway asks it."""

import asyncio
from collections.abc import Sequence

from contracts import identities
from contracts import table_events as te
from contracts.balances import Balance
from contracts.envelope import Actor, Answer
from push22.casino import Casino
from push22.door.port import CommandMaker
from runtime.bus_memory import Delivery
from runtime.commands import actor_key
from runtime.log import Record
from services.gateway.ports import Hearer, NotAvailable

TABLES = "table-orchestrator"

_ANSWER_S = 10.0
_TAIL = 256
"""So many of a table's newest records name its newest round for sure."""

_STREAMS = """
    SELECT DISTINCT stream FROM records WHERE service = ? AND segment = place
    AND stream >= 'table-' AND stream < 'table.' ORDER BY stream
"""
_FIRST = """
    SELECT offset FROM records WHERE service = ? AND segment = place
    AND stream = ? AND version = 1
"""


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

    async def was_answered(self, actor: Actor, command_id: str) -> bool:
        log = self._host.bus.log(TABLES)
        return bool(await log.answers([(actor_key(actor), command_id)]))

    def subscribe(self, hearer: Hearer) -> None:
        self._host.subscribe(hearer)

    async def past(self) -> Sequence[Delivery]:
        rows = self._host.file.query(_STREAMS, (TABLES,))
        return [found for (stream,) in rows for found in self._of_table(stream)]

    def _of_table(self, stream: str) -> list[Delivery]:
        """Return what opened a table, what it did last, and its newest round."""
        file = self._host.file
        [(offset,)] = file.query(_FIRST, (TABLES, stream))
        opened = file.records_of_log(TABLES, 0, offset - 1, 1)[0]
        newest = self._newest_version(stream)
        tail = file.records_of_stream(TABLES, stream, max(1, newest - _TAIL))
        found = [Delivery(record) for record in (opened, *tail)]
        called = [x for x in found if isinstance(x.event, te.RoundCalled)]
        if called:
            records = file.records_of_round(called[-1].event.round_id)
            found += [Delivery(record) for record in records if _is_of_round(record)]
        return found

    def _newest_version(self, stream: str) -> int:
        query = (
            "SELECT max(r.version) FROM records s JOIN records r ON r.segment = s.place"
            " WHERE s.place = (SELECT place FROM records WHERE service = ?"
            " AND segment = place AND stream = ? ORDER BY version DESC LIMIT 1)"
        )
        return int(self._host.file.query(query, (TABLES, stream))[0][0])

    async def balance(self, player: str, currency: str) -> Balance:
        stream = identities.wallet_stream(player, currency)
        state = await self._host.state("wallet", stream)
        if state.operator is not None:
            return Balance(state.operator.balance_minor, is_operators=True)
        return Balance(state.balance_minor)

    def is_well(self) -> bool:
        is_running = self._task is not None and not self._task.done()
        return is_running and not any(w.halted for w in self._host.workers)

    def is_ready(self) -> bool:
        return True

    def run(self) -> asyncio.Task[None]:
        """Begin to step the host; the task ends when the host fails or is stopped."""
        self._task = asyncio.create_task(self._host.run())
        return self._task


def _is_of_round(record: Record) -> bool:
    return identities.category_of(record.stream) in ("round", "settlement", "shoe")
