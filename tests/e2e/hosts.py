"""The two hosts of one casino, with the clock, the chance and the keys of a test.

The distributed one runs as `push22 serve` runs it, over real Kafka and PostgreSQL, but
in this process: no service that is started otherwise can be given such an ambient.
"""

import asyncio
import hmac
from collections.abc import Mapping
from functools import partial
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from contracts.envelope import Answer
from contracts.identities import routing_key
from push22.casino import SERVICES, Casino
from push22.remote import RemoteHost
from push22.stacked import StackedEntropy
from runtime.ambient import Ambient, KeyRing, ManualClock
from runtime.bus_memory import Delivery
from runtime.distributed import DistributedHost, event_topic
from runtime.embedded import Hearer
from runtime.kafka_settings import KafkaSettings
from runtime.kafka_tail import check_tail
from runtime.log import Record
from runtime.log_postgres import PostgresLog
from runtime.postgres_roles import schema_of
from runtime.pull import Puller
from runtime.relay import Relay
from runtime.service import AmbientRequest, Service
from runtime.service_app import application
from runtime.tail_guard import TailGuard
from tests.e2e import distributed

QUIET_S = 120.0
"""A busy machine may be slow; it may not stand still."""

_LOOK_S = 0.005
_ALL = 1_000_000
_KEY = bytes(range(32))
_EVERYWHERE = [f"table-t{number}" for number in range(100)]
"""Streams of all partitions."""

_HEADS = "SELECT part, next_offset - 1 FROM heads"


class SameKeys(KeyRing):
    """Seals the same text into the same bytes: the nonce follows from it."""

    def __init__(self) -> None:
        super().__init__("parity", {"parity": _KEY})

    def seal(self, plain: bytes, about: str) -> bytes:
        nonce = hmac.digest(_KEY, about.encode() + plain, "sha256")[:12]
        return nonce + AESGCM(_KEY).encrypt(nonce, plain, about.encode())


class ScriptedAmbient(Ambient):
    """Each table's shoe has its own order, whoever asks first."""

    def __init__(self, clock: ManualClock, orders: Mapping[str, list[int]]) -> None:
        super().__init__(clock, StackedEntropy([]), SameKeys())
        self._orders = orders

    def fulfil(
        self, requests: tuple[AmbientRequest, ...]
    ) -> tuple[dict[str, bytes], dict[str, str]]:
        for request in requests:
            if request.kind == "shuffle":
                self.entropy = StackedEntropy(self._orders[routing_key(request.about)])
        return super().fulfil(requests)


class Embedded:
    """The casino in one process, over SQLite."""

    def __init__(self, casino: Casino) -> None:
        self.casino = casino
        self.ambient = casino.ambient

    def subscribe(self, hearer: Hearer) -> None:
        self.casino.host.subscribe(hearer)

    def begin(self, body: bytes) -> asyncio.Future[Answer]:
        return self.casino.host.submit_nowait(body)

    async def quiet(self) -> None:
        await self.casino.host.settle()

    async def records(self) -> list[Record]:
        """Return what all logs hold."""
        logs = [worker.log for worker in self.casino.host.workers]
        return [record for log in logs for record in await log.read(0, 0, _ALL)]


class Distributed:
    """All services over Kafka and PostgreSQL, and a client of theirs."""

    def __init__(self, casino: distributed.Casino, ambient: Ambient) -> None:
        self.ambient = ambient
        self.client = RemoteHost(casino.settings, answer_s=QUIET_S)
        self.hosts: list[DistributedHost] = []
        self._casino = casino
        self._apps: list[_Application] = []
        self._heard: dict[tuple[str, int], int] = {}
        self.client.subscribe(self._note)
        self._answers: set[asyncio.Future[Answer]] = set()

    async def start(self) -> None:
        for service in SERVICES:
            await self._serve(service, self._casino.settings)
        await self.client.start()
        async with asyncio.timeout(QUIET_S):
            while not all(map(_is_ready, self.hosts)):
                await asyncio.sleep(_LOOK_S)

    def _note(self, delivery: Delivery) -> None:
        record = delivery.record
        self._heard[record.service, record.partition] = record.offset

    async def _serve(self, service: Service, kafka: KafkaSettings) -> None:
        role = schema_of(service.name)
        dsn = self._casino.postgres.dsn(self._casino.database, role)
        log = await PostgresLog.open(dsn, service.name)
        relay = Relay(log, event_topic(service.name).name, kafka.producer, "parity")
        puller = Puller({}, "")
        guard = TailGuard(log, partial(check_tail, log, relay.topic, kafka))
        host = DistributedHost(
            service, log, self.ambient, relay=relay, puller=puller, guard=guard
        )
        app = _Application(application(host, kafka, ""))
        await app.start()
        self.hosts.append(host)
        self._apps.append(app)

    def subscribe(self, hearer: Hearer) -> None:
        self.client.subscribe(hearer)

    def begin(self, body: bytes) -> asyncio.Future[Answer]:
        answer = asyncio.create_task(self.client.submit(body))
        self._answers.add(answer)
        return answer

    async def quiet(self) -> None:
        async with asyncio.timeout(QUIET_S):
            while not await self._is_quiet():
                await asyncio.sleep(_LOOK_S)
        self._answers.clear()

    async def _is_quiet(self) -> bool:
        """Tell whether all is handled and heard of up to heads that do not move."""
        if not all(answer.done() for answer in self._answers):
            return False
        if not self._is_handled(self._heard):
            # The database is asked only when it may be so.
            return False
        heads = await self._heads()
        return self._is_handled(heads) and heads == await self._heads()

    def _is_handled(self, heads: dict[tuple[str, int], int]) -> bool:
        now = self.ambient.clock.now()
        workers = [host.worker for host in self.hosts]
        positions = [item for worker in workers for item in worker.positions.items()]
        assert not any(w.aside or w.halted for w in workers), "a stream is set aside"
        return (
            all(self._heard.get(key, 0) == head for key, head in heads.items())
            and all(heads.get(key, 0) == item.offset for key, item in positions)
            and all((w.next_due() or now + 1) > now for w in workers)
        )

    async def _heads(self) -> dict[tuple[str, int], int]:
        return {
            (host.service.name, part): head
            for host in self.hosts
            for part, head in await host.log.database.fetch(_HEADS)
        }

    async def records(self) -> list[Record]:
        """Return what all logs hold."""
        return [
            record
            for host in self.hosts
            for part in range(host.log.partitions)
            for record in await host.log.read(part, 0, _ALL)
        ]

    async def stop(self) -> None:
        await self.client.stop()
        for app in self._apps:
            await app.stop()


def _is_ready(host: DistributedHost) -> bool:
    """Tell whether it holds every partition: only then are commands taken."""
    return host.is_ready and all(map(host.worker.deadlines.is_ours, _EVERYWHERE))


class _Application:
    """An ASGI application that is started and stopped as a server would."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._in: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._out: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
        self._task = asyncio.create_task(self._app(scope, self._in.get, self._out.put))
        await self._say("lifespan.startup")

    async def stop(self) -> None:
        await self._say("lifespan.shutdown")

    async def _say(self, what: str) -> None:
        await self._in.put({"type": what})
        async with asyncio.timeout(QUIET_S):
            answer = await self._out.get()
        assert answer["type"] == f"{what}.complete", answer
