"""The relay: sends a log's records to Kafka in log order, and says how far it got.

At least once: what it sends again after a crash is dropped by offset. It never goes
on past a record that was not acknowledged, and every wait has a bound (RE1 to RE5 of
the decision 0015).
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from time import time_ns
from typing import Protocol, TypeVar

import msgspec

from contracts import catalog
from runtime.backlog import Backlog, Unsent
from runtime.kafka_records import BEACON, Beacon, Headers, headers_of, key_of
from runtime.log import LogError, Record
from runtime.log_postgres import PostgresLog
from runtime.metrics import RELAY_FAILURES, RELAYED
from runtime.postgres_relay import Lease
from runtime.telemetry import get_logger
from runtime.tracing import CURRENT, Took

_log = get_logger("runtime.relay")

T = TypeVar("T")

BATCH_MAX = 500
LEASE_MS = 3_000
"""After a kill nobody sends for so long; two who send at once do no harm (RE4)."""

SEND_S = 30.0
"""A record not acknowledged after so long: the producer is given up (RE2)."""

LOOK_S = 0.25
"""Other instances append too: so often their records are looked for."""

LINGER_S = 0.003
"""What is appended meanwhile goes along: each request costs the broker, and each of
its readers, as much as dozens of records."""

BEACON_S = 3.0
NOTE_S = 0.5
"""So often the published offset of a partition is saved while it is busy."""

_RETRY_S = 1.0


class Batch(Protocol):
    """Records of one partition that are sent, and acknowledged, as one."""

    def append(
        self, *, timestamp: None, key: bytes, value: bytes, headers: Headers
    ) -> object | None:
        """Add a record; None: it is full."""
        ...


class Producer(Protocol):
    """What the relay needs of an idempotent producer with `acks=all`."""

    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    async def send(
        self,
        topic: str,
        value: bytes,
        *,
        key: bytes,
        partition: int,
        headers: Headers,
    ) -> Awaitable[object]: ...

    def create_batch(self) -> Batch: ...

    async def send_batch(
        self, batch: Batch, topic: str, *, partition: int
    ) -> Awaitable[object]: ...


class Relay:
    """Feeds one topic partition from each log partition it holds the lease of."""

    def __init__(
        self,
        log: PostgresLog,
        topic: str,
        connect: Callable[[], Producer],
        holder: str,
    ) -> None:
        self.log = log
        self.topic = topic
        self.holder = holder
        self.sent_at: dict[int, float] = {}
        self._connect = connect
        self._producer: Producer | None = None
        self._connecting = asyncio.Lock()
        self._leases: dict[int, Lease] = {}
        self._done: dict[int, int] = {}
        self._noted: dict[int, int] = {}
        self._noted_at: dict[int, float] = {}
        self._fresh: dict[int, list[Record]] = {}
        self._wake = asyncio.Event()
        self._is_stopping = False
        self._backlog = Backlog()
        self._hold_at = 0.0
        self._look_at = 0.0

    def backlog(self) -> Unsent:
        """Say what waits in the partitions that are ours."""
        sent = {part: self._done[part] for part in self._leases}
        return self._backlog.unsent(sent, _now())

    def offer(self, records: Sequence[Record]) -> None:
        """Hand over what was just committed, so that it need not be read again."""
        now = _now()
        for record in records:
            self._fresh.setdefault(record.partition, []).append(record)
            self._backlog.note(record.partition, record.offset, now)
        self._wake.set()

    async def run(self) -> None:
        """Send until `stop`; failures of broker or database are tried again."""
        try:
            while not self._is_stopping:
                pause = await self._attempt()
                await asyncio.sleep(LINGER_S)
                await self._pause(pause)
        finally:
            await self._close()

    async def _attempt(self) -> float:
        """Run a cycle; return how long to wait before the next one.

        Whatever goes wrong with a send: a new producer begins at the saved position
        (RE2). A bug would show as a backlog that stays.
        """
        try:
            busy = await self.cycle()
        except Exception as error:  # noqa: BLE001 - of broker, client or database
            await self._give_up(error)
            return _RETRY_S
        return 0.0 if busy else LOOK_S

    async def _pause(self, seconds: float) -> None:
        if not seconds:
            return
        try:
            await asyncio.wait_for(self._wake.wait(), seconds)
        except TimeoutError:
            return
        finally:
            self._wake.clear()

    async def cycle(self) -> bool:
        """Send what is there in all held partitions; true if more may be there."""
        await self._hold()
        fresh, self._fresh = self._fresh, {}
        await _all(
            self._forward_fresh(part, records)
            for part, records in fresh.items()
            if part in self._leases
        )
        now = _now()
        if now < self._look_at:
            return bool(self._fresh)
        self._look_at = now + LOOK_S
        heads = await self.log.heads() if self._leases else {}
        for part, (offset, _) in heads.items():
            self._backlog.note(part, offset, now)
        busy = any(
            await _all(self._forward(part, heads[part]) for part in self._leases)
        )
        if busy:
            self._look_at = now
        return busy or bool(self._fresh)

    async def _forward_fresh(self, part: int, records: list[Record]) -> None:
        """Send what was handed over, if nothing is missing before it."""
        done = self._done[part]
        records = [record for record in records if record.offset > done]
        if records and records[0].offset == done + 1 and _is_gapless(records):
            await self._pass_on(part, records)
        elif records:
            self._look_at = 0.0

    async def _hold(self) -> None:
        """Renew what is held and take what nobody holds."""
        now = _now()
        if self._leases and now < self._hold_at:
            return
        self._hold_at = now + LEASE_MS / 4000
        state = self.log.relay
        for part in range(self.log.partitions):
            lease = self._leases.get(part)
            if lease is not None and await state.renew_lease(lease, LEASE_MS):
                continue
            self._leases.pop(part, None)
            name = f"relay:{part}"
            taken = await state.acquire_lease(name, self.holder, LEASE_MS)
            if taken is not None:
                self._leases[part] = taken
                self._done[part] = await self.log.published(part)
                self._noted[part] = self._done[part]

    async def _forward(self, part: int, head: tuple[int, bytes]) -> bool:
        """Send what the log has; true if there may be more."""
        records: list[Record] = []
        if head[0] > self._done[part]:
            records = await self.log.read(part, self._done[part], BATCH_MAX)
        if records:
            await self._pass_on(part, records)
        elif _now() - self.sent_at.get(part, 0.0) >= BEACON_S:
            await self._note(part)
            await self._send_beacon(part, head)
            self.sent_at[part] = _now()
        return len(records) == BATCH_MAX

    async def _pass_on(self, part: int, records: list[Record]) -> None:
        await self._send(part, records)
        self._done[part] = records[-1].offset
        self.sent_at[part] = _now()
        if _now() - self._noted_at.get(part, 0.0) >= NOTE_S:
            await self._note(part)

    async def _note(self, part: int) -> None:
        """Save how far it got, not after each record: what is sent again is dropped."""
        if self._noted[part] == self._done[part]:
            return
        lease = self._leases[part]
        await self.log.relay.note_published(part, self._done[part], lease)
        self._noted[part] = self._done[part]
        self._noted_at[part] = _now()

    async def _send(self, part: int, records: Sequence[Record]) -> None:
        """Hand over in order, then wait for every acknowledgement in order."""
        producer = await self._connected()
        began = time_ns()
        async with asyncio.timeout(SEND_S):
            await _all(
                [
                    await producer.send_batch(batch, self.topic, partition=part)
                    for batch in _batches(producer, records)
                ]
            )
        RELAYED.labels(self.log.service).inc(len(records))
        if (tracer := CURRENT.tracer) is not None:
            tracer.sent(self.log.service, records, Took.since(began))

    async def _send_beacon(self, part: int, head: tuple[int, bytes]) -> None:
        """Name the head: a lost last record shows without a successor (RE5)."""
        offset, link = head
        if offset != self._done[part]:
            return
        beacon = Beacon(self.log.service, self.log.incarnation, part, offset, link)
        producer = await self._connected()
        async with asyncio.timeout(SEND_S):
            acknowledged = await producer.send(
                self.topic,
                msgspec.json.encode(beacon),
                key=b"beacon",
                partition=part,
                headers=[(BEACON, b"1"), ("content-type", b"application/json")],
            )
            await acknowledged

    async def _connected(self) -> Producer:
        async with self._connecting:
            if self._producer is None:
                # Also one that could not start is dropped when it is given up.
                self._producer = self._connect()
                async with asyncio.timeout(SEND_S):
                    await self._producer.start()
            return self._producer

    async def _give_up(self, error: Exception) -> None:
        """A new producer begins at the saved position; leases run out by themselves."""
        RELAY_FAILURES.labels(self.log.service).inc()
        _log.warning("relay begins again", topic=self.topic, error=repr(error))
        self._leases = {}
        self._hold_at = self._look_at = 0.0
        await self._drop_producer()

    async def _drop_producer(self) -> None:
        producer, self._producer = self._producer, None
        if producer is None:
            return
        try:
            async with asyncio.timeout(5):
                await producer.stop()
        except Exception as error:  # noqa: BLE001 - it is given up in any case
            _log.warning("a producer did not stop", error=repr(error))

    async def stop(self) -> None:
        """Send what is left, for a while, and give the leases back."""
        self._is_stopping = True
        self._wake.set()

    async def drain(self, seconds: float) -> bool:
        """Send all that is there; false if that took too long."""
        try:
            async with asyncio.timeout(seconds):
                while await self.cycle():
                    pass
        except Exception as error:  # noqa: BLE001 - of broker, client or database
            # What was not sent is sent by whoever holds the lease next.
            _log.warning("relay stops with a backlog", error=repr(error))
            return False
        return True

    async def _close(self) -> None:
        await self.drain(5.0)
        await self._drop_producer()
        for part, lease in self._leases.items():
            try:
                await self._note(part)
                await self.log.relay.release_lease(lease)
            except LogError as error:
                _log.warning("a lease runs out by itself", error=repr(error))


def _batches(producer: Producer, records: Sequence[Record]) -> list[Batch]:
    """Put records into as few batches as hold them."""
    batches: list[Batch] = []
    for record in records:
        if not (batches and _append(batches[-1], record)):
            batches.append(producer.create_batch())
            is_taken = _append(batches[-1], record)
            assert is_taken, "a batch takes at least one record"
    return batches


def _append(batch: Batch, record: Record) -> bool:
    headers = headers_of(record, catalog.decode_envelope(record.body))
    key, value = key_of(record), record.body
    return (
        batch.append(timestamp=None, key=key, value=value, headers=headers) is not None
    )


async def _all(sends: Iterable[Awaitable[T]]) -> list[T]:
    """Wait for all, so that no failure goes unseen; then a failure raises."""
    found: list[T] = []
    for outcome in await asyncio.gather(*sends, return_exceptions=True):
        if isinstance(outcome, BaseException):
            raise outcome
        found.append(outcome)
    return found


def _now() -> float:
    return asyncio.get_running_loop().time()


def _is_gapless(records: Sequence[Record]) -> bool:
    return records[-1].offset - records[0].offset == len(records) - 1
