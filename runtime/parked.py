"""What was set aside: look at it, try it again, or discard it with a reason (H9)."""

import msgspec

from contracts import catalog
from contracts.envelope import Actor, Answer, Cause
from runtime.bus_memory import Delivery
from runtime.commands import AcceptedCommand
from runtime.handle import Cycle, Input, Worker
from runtime.log import Batch, Parked, Record
from runtime.service import DeadlinePassed, OutageEnded


async def retry(worker: Worker, stream: str) -> tuple[int, str]:
    """Handle a stream's parked inputs in order, each in its own transaction.

    Returns how many went through, and the reason why the next one did not, if any;
    the stream then stays aside.
    """
    items = [item for item in await worker.log.parked() if item.stream == stream]
    done = 0
    worker.aside.discard(stream)
    for item in items:
        work = Cycle(Batch(worker.ambient.clock.now()))
        for handled in _inputs(worker, item, work):
            answer = await worker.handle(work, handled)
            _remember(worker, work, handled, answer)
        if work.aside:
            reason = work.batch.parked[-1].reason
            worker.states.forget_all()
            worker.aside.add(stream)
            return done, reason
        work.batch.unparked.append(item.id)
        await worker.commit(work)
        done += 1
    return done, ""


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
    match item.kind:
        case "record":
            return _from_record(worker, item, work)
        case "command":
            return [_from_command(worker, item, work)]
        case "deadline":
            message = msgspec.json.decode(item.body, type=DeadlinePassed)
            name = f"deadline:{item.stream}#{message.decision}:{message.kind}"
            return [_own(worker, item, message, ("deadline", name, work))]
        case _:
            outage = msgspec.json.decode(item.body, type=OutageEnded)
            name = f"outage:{item.stream}:{outage.by_ms}"
            return [_own(worker, item, outage, ("outage", name, work))]


def _own(
    worker: Worker,
    item: Parked,
    message: DeadlinePassed | OutageEnded,
    what: tuple[str, str, Cycle],
) -> Input:
    kind, name, work = what
    actor = "timeout" if kind == "deadline" else "platform"
    cause = Cause(kind, name, work.batch.now)  # type: ignore[arg-type]
    return Input(
        item.stream,
        message,
        cause,
        Actor(actor, worker.service.name),  # type: ignore[arg-type]
        item.stream,
        item.kind,
        "",
        item.body,
    )


def _from_record(worker: Worker, item: Parked, work: Cycle) -> list[Input]:
    """A record parked for its target goes there; one parked by source, to all."""
    envelope = catalog.decode_envelope(item.body)
    record = Record(
        envelope.service,
        envelope.partition,
        envelope.offset,
        envelope.stream,
        envelope.version,
        envelope.type,
        envelope.round_id,
        b"",
        b"",
        item.body,
    )
    delivery = Delivery(record)
    targets = worker.service.react(envelope, delivery.event)
    by_source = item.stream == envelope.stream and item.source != worker.service.name
    return [
        Input(
            to.stream,
            to.message,
            Cause("event", envelope.id, work.batch.now),
            envelope.actor,
            envelope.correlation,
            "record",
            envelope.service,
            item.body,
        )
        for to in targets
        if by_source or to.stream == item.stream
    ]


def _from_command(worker: Worker, item: Parked, work: Cycle) -> Input:
    envelope = catalog.decode_command_envelope(item.body)
    message = catalog.decode_command(envelope)
    cause = Cause("command", envelope.id, work.batch.now, msgspec.Raw(item.body))
    accepted = AcceptedCommand(
        envelope, message, item.stream, worker.desk.digest(envelope)
    )
    return Input(
        item.stream,
        message,
        cause,
        envelope.actor,
        envelope.correlation or envelope.id,
        "command",
        "",
        item.body,
        accepted,
    )


