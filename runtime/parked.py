"""What was set aside: look at it, try it again, or discard it with a reason (H9)."""

import msgspec

from contracts import catalog
from contracts.envelope import Answer
from runtime.bus_memory import Delivery
from runtime.commands import AcceptedCommand, digest_of
from runtime.handle import RACES_MAX, Worker
from runtime.inputs import (
    Cycle,
    Input,
    from_command,
    from_deadline,
    from_outage,
    from_record,
    reason_of,
    source_key,
)
from runtime.log import NO_HASH, AgendaItem, Batch, Conflict, Parked, record_of
from runtime.service import DeadlinePassed, OutageEnded


async def retry(worker: Worker, stream: str) -> tuple[int, str]:
    """Handle a stream's parked inputs in order, each in its own transaction.

    Returns how many went through, and the reason why the next one did not, if any;
    the stream then stays aside.
    """
    items = [item for item in await worker.log.parked() if item.stream == stream]
    done = 0
    await worker.desk.learn_refusals()
    worker.aside.discard(stream)
    worker.states.retried = stream
    try:
        for item in items:
            reason = await _again(worker, item)
            if reason:
                _back(worker, stream)
                return done, reason
            done += 1
    except BaseException:
        # What still waits must not be overtaken by what comes next.
        _back(worker, stream)
        raise
    finally:
        worker.states.retried = ""
    return done, ""


def _back(worker: Worker, stream: str) -> None:
    worker.states.forget_all()
    worker.desk.put_back([])
    worker.aside.add(stream)


async def _again(worker: Worker, item: Parked) -> str:
    """Handle one parked input, again if another instance was faster."""
    for _ in range(RACES_MAX - 1):
        try:
            return await _once(worker, item)
        except Conflict:
            worker.states.forget_all()
    return await _once(worker, item)


async def _once(worker: Worker, item: Parked) -> str:
    """Handle one parked input; return why it can't be handled, if it can't."""
    work = Cycle(Batch(worker.time.now()))
    try:
        inputs = _inputs(worker, item, work)
    except Exception as error:  # noqa: BLE001 - whatever set it aside is still there
        return reason_of(error)
    for handled in inputs:
        answer = await worker.handle(work, handled)
        _remember(worker, work, handled, answer)
    if work.aside:
        return work.batch.parked[-1].reason
    work.batch.unparked.append(item.id)
    await worker.commit(work)
    return ""


def _remember(
    worker: Worker, work: Cycle, handled: Input, answer: Answer | None
) -> None:
    """The command was answered `set_aside`; from now on it has its true answer."""
    if handled.command is not None and answer is not None:
        worker.desk.remember(work.batch, handled.command, answer)


async def discard(worker: Worker, item: int, *, by: str, why: str) -> None:
    """Give up one parked input; who decided so and why stays on record."""
    assert by.strip(), "somebody decides it"
    assert why.strip(), "for a reason"
    await worker.log.resolve_parked(item, "discarded", by, why)
    worker.aside = {x.stream for x in await worker.log.parked() if x.stream}


def _inputs(worker: Worker, item: Parked, work: Cycle) -> list[Input]:
    service, now = worker.service.name, work.batch.now
    match item.kind:
        case "record":
            return _from_record(worker, item, work)
        case "command":
            return [from_command(_accepted(item), item.body, now)]
        case "deadline":
            passed = msgspec.json.decode(item.body, type=DeadlinePassed)
            due = AgendaItem(item.stream, passed.decision, passed.kind, now)
            return [from_deadline(service, due, now)]
        case _:
            outage = msgspec.json.decode(item.body, type=OutageEnded)
            return [from_outage(service, item.stream, outage, now)]


def _from_record(worker: Worker, item: Parked, work: Cycle) -> list[Input]:
    """A record parked for its target goes there; one parked by source, to all."""
    envelope = catalog.decode_envelope(item.body)
    if catalog.is_event(envelope.type) and envelope.type not in worker.service.heeds:
        # Newer software knows the type that was unknown, and that it is of no concern.
        return []
    # Where it stood in the chain was checked when it came.
    delivery = Delivery(record_of(envelope, NO_HASH, item.body))
    targets = worker.service.react(envelope, delivery.event)
    by_source = item.stream == source_key(envelope.service, envelope.stream)
    return [
        from_record(delivery, to, work.batch.now)
        for to in targets
        if by_source or to.stream == item.stream
    ]


def _accepted(item: Parked) -> AcceptedCommand:
    envelope = catalog.decode_command_envelope(item.body)
    message = catalog.decode_command(envelope)
    digest = digest_of(envelope)
    return AcceptedCommand(envelope, message, item.stream, digest)
