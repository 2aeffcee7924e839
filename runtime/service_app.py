"""A service as an ASGI application: FastStream brings messages, HTTP shows its state.

The subscriber takes raw batches and acknowledges nothing by itself. Kafka's offsets
are committed after the database's commit, as a hint for the next start.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any
from urllib.parse import parse_qs

from aiokafka import (
    AIOKafkaConsumer,
    ConsumerRebalanceListener,
    ConsumerRecord,
    TopicPartition,
)
from aiokafka.coordinator.assignors.range import RangePartitionAssignor
from aiokafka.errors import (
    ConsumerStoppedError,
    CorruptRecordException,
    KafkaError,
)
from faststream import AckPolicy
from faststream.asgi import AsgiFastStream, AsgiResponse, get
from faststream.kafka import KafkaBroker, KafkaMessage
from faststream.kafka.message import FAKE_CONSUMER
from prometheus_client.registry import REGISTRY

from contracts.topics import BY_NAME
from runtime import metrics
from runtime.consumption import Consumption
from runtime.distributed import DistributedHost, event_topic, topics_of
from runtime.gauges import OwedCalls
from runtime.health import STOP_S, begin_task, end_tasks, health_routes
from runtime.kafka_loop import refuse_other_loops
from runtime.kafka_settings import KafkaSettings
from runtime.pull import PULL_MAX, is_allowed, page_of
from runtime.standing import ServiceStanding
from runtime.telemetry import get_logger

_log = get_logger("runtime.service_app")

LIBRARY = logging.getLogger("faststream")
"""Its lines come out as ours do; what it says of each batch is for nobody."""

BATCH_MAX = 2000
COMMIT_S = 1.0

_AT_ONCE_S = 0.001
"""A batch that is there so soon after the last one was fetched before that one."""

MEANWHILE_MS = 2
_PATIENCE_MS = 1000

_FETCH_WAIT_MS = 250
"""How long Kafka holds a fetch while nothing comes; what comes ends it at once.

Less costs broker and services a fetch of all partitions each time. More would be felt
where a batch took over 100 ms: then the client fetches without the partitions whose
records were not taken yet, and their next ones wait until that fetch ends.
"""


async def _whole(messages: tuple[ConsumerRecord, ...]) -> KafkaMessage:
    """Pass a batch on as it is: headers and values may be anything (FC6)."""
    return KafkaMessage(
        body=b"", raw_message=messages, consumer=FAKE_CONSUMER, headers={}
    )


async def _raw(message: KafkaMessage) -> Any:
    return message.raw_message


class Listener(ConsumerRebalanceListener):  # type: ignore[misc]
    """Tells the host which partitions it holds."""

    def __init__(self, host: DistributedHost) -> None:
        self._host = host
        self._key = event_topic(host.service.name).key

    def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        """What others take over is no longer ours to fire for."""
        del revoked
        self._host.hold(frozenset())

    def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        held = (p.partition for p in assigned if BY_NAME[p.topic].key is self._key)
        self._host.hold(frozenset(held))


class Feed:
    """The subscriber of one service: its handler, and the offsets it has handled."""

    def __init__(self, host: DistributedHost, kafka: KafkaSettings) -> None:
        refuse_other_loops()
        self.host = host
        self.failure: BaseException | None = None
        self._committed_at = 0.0
        self._done_at = 0.0
        self._hinting: asyncio.Task[None] | None = None
        self._handled: dict[TopicPartition, int] = {}
        self.broker = KafkaBroker(
            kafka.servers,
            acks="all",
            enable_idempotence=True,
            allow_auto_create_topics=False,
            apply_types=False,
            graceful_timeout=STOP_S,
            security=kafka.security(),
            client_id=f"push22-{host.service.name}",
            logger=LIBRARY,
            log_level=logging.DEBUG,
        )
        self._subscriber = self.broker.subscriber(
            *(topic.name for topic in topics_of(host.service)),
            batch=True,
            group_id=f"push22.{host.service.name}",
            auto_offset_reset="earliest",
            ack_policy=AckPolicy.MANUAL,
            max_records=BATCH_MAX,
            fetch_max_wait_ms=_FETCH_WAIT_MS,
            partition_assignment_strategy=[RangePartitionAssignor],
            session_timeout_ms=10_000,
            listener=Listener(host),
            parser=_whole,
            decoder=_raw,
        )
        self._subscriber(self._on_batch)
        # FastStream's own sleeps after each time that nothing came, as long as it had
        # waited: what comes in then is not looked at.
        self._subscriber.get_msg = next_batch  # type: ignore[method-assign]

    def consumer(self) -> Any:
        """Return the consumer of aiokafka, once there is one."""
        return self._subscriber.consumer

    async def _on_batch(self, messages: Sequence[ConsumerRecord]) -> None:
        """Nothing raised here is ever seen: FastStream swallows it. So it is kept."""
        try:
            messages = (*messages, *await self._arrived_meanwhile())
            if not await self.host.on_batch(messages):
                return
            for message in messages:
                place = TopicPartition(message.topic, message.partition)
                self._handled[place] = message.offset + 1
            self._commit_hint()
        except Exception as error:
            self.failure = error
            _log.exception("the handling loop failed")
            raise
        finally:
            self._done_at = _now()

    async def _arrived_meanwhile(self) -> list[ConsumerRecord]:
        """Return what came while the last batch was handled.

        The client fetches once, at the beginning of that time, and then waits until
        its records are taken. Handling them alone would leave everybody a batch late.
        """
        consumer = self._subscriber.consumer
        if consumer is None or _now() - self._done_at > _AT_ONCE_S:
            return []
        try:
            return list(await next_batch(consumer, MEANWHILE_MS))
        except CorruptRecordException:
            # What was taken of other partitions before is gone: only a new start
            # reads it again.
            raise
        except (KafkaError, ConsumerStoppedError) as error:
            # It took nothing, and FastStream's loop asks again at once: what passes
            # is waited for there, what stays is raised there, and a stop ends it.
            _log.warning("nothing more was fetched", error=repr(error))
            return []

    def _commit_hint(self) -> None:
        """Let Kafka know now and then; nothing waits for it."""
        consumer = self._subscriber.consumer
        is_busy = self._hinting is not None and not self._hinting.done()
        if consumer is None or is_busy or _now() - self._committed_at < COMMIT_S:
            return
        self._committed_at = _now()
        mine = consumer.assignment()
        offsets = {p: offset for p, offset in self._handled.items() if p in mine}
        self._hinting = asyncio.create_task(_hint(consumer, offsets))


async def next_batch(
    consumer: AIOKafkaConsumer, patience_ms: int = _PATIENCE_MS
) -> tuple[ConsumerRecord, ...]:
    """Return what came, as soon as something came; nothing if nothing came in time."""
    found = await consumer.getmany(timeout_ms=patience_ms, max_records=BATCH_MAX)
    return tuple(message for messages in found.values() for message in messages)


async def _hint(consumer: AIOKafkaConsumer, offsets: dict[TopicPartition, int]) -> None:
    try:
        await consumer.commit(offsets)
    except KafkaError as error:
        _log.info("a hint was not kept", error=repr(error))


def _now() -> float:
    return asyncio.get_running_loop().time()


def application(host: DistributedHost, kafka: KafkaSettings, secret: str) -> Any:
    """Return the ASGI application of one service."""
    feed = Feed(host, kafka)
    tasks: list[asyncio.Task[None]] = []

    watch = Consumption(feed.consumer, time.monotonic)

    @asynccontextmanager
    async def lifespan() -> AsyncIterator[None]:
        await host.start()
        tasks.extend((begin_task(host.run()), begin_task(host.relay.run())))
        watching = asyncio.create_task(watch.run())
        try:
            with _measured(host, watch):
                yield
        finally:
            watching.cancel()
            await _stop(host, tasks)

    def is_well() -> bool:
        return (
            feed.failure is None
            and host.is_alive
            and watch.is_alive
            and not any(task.done() for task in tasks)
        )

    @get
    async def records(scope: Any) -> AsgiResponse:
        return await _records(host, scope, secret)

    routes = health_routes(is_well, lambda: host.is_ready)
    routes += [(f"/records/{part}", records) for part in range(host.log.partitions)]
    return AsgiFastStream(
        feed.broker, lifespan=lifespan, asgi_routes=routes, logger=LIBRARY
    )


@contextmanager
def _measured(host: DistributedHost, watch: Consumption) -> Iterator[None]:
    """Have Prometheus told how the service stands."""
    ended = metrics.watch(ServiceStanding(host, watch))
    owed = OwedCalls(host.worker.deadlines)
    if host.effects is not None:
        REGISTRY.register(owed)
    try:
        yield
    finally:
        ended()
        if host.effects is not None:
            REGISTRY.unregister(owed)


async def _stop(host: DistributedHost, tasks: list[asyncio.Task[None]]) -> None:
    await host.stop()
    await host.relay.stop()
    await end_tasks(tasks)
    await host.puller.close()
    await host.log.close()


async def _records(host: DistributedHost, scope: Any, secret: str) -> AsgiResponse:
    """Answer a service that misses records of our log (H5)."""
    headers = {name.decode("latin-1"): value for name, value in scope["headers"]}
    authorization = headers.get("authorization", b"").decode("latin-1")
    if not is_allowed(authorization, secret):
        return AsgiResponse(b"", 401)
    query = parse_qs(scope["query_string"].decode("latin-1"))
    try:
        partition = int(scope["path"].rpartition("/")[2])
        after = int(query["after"][0])
        limit = min(int(query["limit"][0]), PULL_MAX)
    except (KeyError, ValueError):
        return AsgiResponse(b"after and limit are numbers", 400)
    found = await host.log.read(partition, after, limit)
    return AsgiResponse(page_of(found), 200, {"content-type": "application/json"})
