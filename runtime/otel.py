"""Spans by OpenTelemetry, made of what was noted; see `tracing.py`.

Whether a trace is kept follows from its id: every process of a casino says the same.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from secrets import token_hex
from typing import TYPE_CHECKING, NamedTuple

from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import TraceIdRatioBased
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import (
    Link,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
)

from contracts import catalog
from contracts.base import tag_of
from contracts.envelope import Envelope
from runtime.at_hand import round_of
from runtime.log import Record
from runtime.trace_ids import span_of, span_of_command, trace_of
from runtime.tracing import ASKED, Asked, Call, Notes, Route, Step, Took

if TYPE_CHECKING:
    from runtime.inputs import Committed

GATEWAY = "gateway"

Attributes = Mapping[str, str | int]

_OWED_MAX = 10_000
_MICRO_NS = 1000
_SAMPLED = TraceFlags(TraceFlags.SAMPLED)
_SCOPE = InstrumentationScope("push22")
_UNSET = Status(StatusCode.UNSET)
_ERROR = Status(StatusCode.ERROR)


class Place(NamedTuple):
    """Where a span belongs. Without a parent it is the root of its trace."""

    service: str
    trace: str
    parent: str = ""
    span: str = ""
    """Its id, where that follows from a name."""


class What(NamedTuple):
    name: str
    kind: SpanKind = SpanKind.INTERNAL
    attributes: Attributes = {}
    links: tuple[Link, ...] = ()
    is_error: bool = False


def exporting(ratio: float) -> "OtelTracer":
    """Return a tracer that sends to where the environment says, by OTLP over HTTP."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
        OTLPSpanExporter,
    )

    return OtelTracer(BatchSpanProcessor(OTLPSpanExporter()), ratio)


class OtelTracer:
    """Every service has a name of its own, also where all are one process."""

    def __init__(self, processor: SpanProcessor, ratio: float = 1.0) -> None:
        self._processor = processor
        self._bound = TraceIdRatioBased.get_bound_for_rate(ratio)
        self._services: dict[str, Resource] = {}
        self._handled: OrderedDict[str, SpanContext] = OrderedDict()

    def end(self) -> None:
        self._processor.shutdown()

    def cycle(self, service: str, cycle: "Committed", notes: Notes) -> None:
        added = {f"{d.record.stream}@{d.record.version}": d for d in cycle.deliveries}
        for step in notes.steps:
            trace = trace_of(step.item.correlation)
            if self._is_kept(trace):
                span = self._step(Place(service, trace), step)
                for name in step.records:
                    record = added[name].envelope
                    self._appended(service, record, span, notes.appended)

    def _step(self, place: Place, step: Step) -> str:
        """Tell of an input; return its span's id."""
        item = step.item
        if item.kind == "record":
            place = place._replace(parent=self._hop(place, step))
        elif item.kind == "command":
            place = place._replace(parent=span_of_command(item.cause.id))
        parts: Attributes = {
            "push22.stream": item.stream,
            "push22.correlation": item.correlation,
            "push22.round_id": round_of(item),
            "push22.cause": item.cause.id,
            "push22.outcome": _outcome(step),
            "push22.events": len(step.records),
        }
        kind = SpanKind.CONSUMER if item.kind == "record" else SpanKind.SERVER
        name = f"handle {tag_of(item.message)}"
        what = What(name, kind, _known(parts), is_error=step.is_parked)
        context = self._span(place, what, Took(step.began, step.ended))
        if step.records:
            self._remember(item.stream, context)
        return f"{context.span_id:016x}"

    def _hop(self, place: Place, step: Step) -> str:
        """Tell how a record came here: from its commit on, below its own span."""
        record = catalog.decode_envelope(step.item.body)
        place = place._replace(parent=span_of(record.id))
        parts = {"push22.source": record.service, "push22.record": record.id}
        what = What(f"hop {record.service}", SpanKind.CONSUMER, parts)
        began = min(record.recorded_at * _MICRO_NS, step.began)
        return f"{self._span(place, what, Took(began, step.began)).span_id:016x}"

    def _appended(
        self, service: str, record: Envelope, parent: str, took: Took
    ) -> None:
        place = Place(service, trace_of(record.correlation), parent, span_of(record.id))
        what = What(f"append {record.type}", SpanKind.PRODUCER, _of_record(record))
        self._span(place, what, took)

    def sent(self, service: str, records: Sequence[Record], took: Took) -> None:
        for record in records:
            envelope = catalog.decode_envelope(record.body)
            trace = trace_of(envelope.correlation)
            if self._is_kept(trace):
                place = Place(service, trace, span_of(envelope.id))
                name = f"send {envelope.type}"
                parts = _of_record(envelope)
                self._span(place, What(name, SpanKind.PRODUCER, parts), took)

    def requested(self, asked: Asked, route: Route) -> None:
        """Tell of a request: in the trace of the first command that it sent."""
        trace = trace_of(asked.correlation or asked.span)
        if not self._is_kept(trace):
            return
        parts: Attributes = {
            "http.request.method": route.method,
            "http.route": route.template,
            "http.response.status_code": route.status,
        }
        what = What(
            f"{route.method} {route.template}",
            SpanKind.SERVER,
            parts,
            is_error=route.status >= 500,
        )
        place = Place(GATEWAY, trace, span=asked.span)
        self._span(place, what, Took.since(asked.began))

    def commanded(self, command_id: str, kind: str, outcome: str, took: Took) -> None:
        trace = trace_of(command_id)
        asked = ASKED.get()
        parent = ""
        if asked is not None and asked.correlation in ("", command_id):
            asked.correlation = command_id
            parent = asked.span
        if not self._is_kept(trace):
            return
        parts = {"push22.correlation": command_id, "push22.outcome": outcome}
        what = What(f"command {kind}", SpanKind.CLIENT, parts)
        place = Place(GATEWAY, trace, parent, span_of_command(command_id))
        self._span(place, what, took)

    def called(self, call: Call, took: Took) -> None:
        """Tell of a call, linked with what came to owe it, where that was here."""
        trace = trace_of(call.name)
        if not self._is_kept(trace):
            return
        owing = self._handled.get(call.stream)
        parts = {"push22.stream": call.stream, "push22.outcome": call.outcome}
        links = () if owing is None else (Link(owing),)
        what = What(f"call {call.kind}", SpanKind.CLIENT, parts, links)
        place = Place(call.service, trace, span=span_of_command(call.name))
        self._span(place, what, took)

    def _remember(self, stream: str, context: SpanContext) -> None:
        self._handled[stream] = context
        self._handled.move_to_end(stream)
        if len(self._handled) > _OWED_MAX:
            self._handled.popitem(last=False)

    def _is_kept(self, trace: str) -> bool:
        return int(trace[16:], 16) < self._bound

    def _span(self, place: Place, what: What, took: Took) -> SpanContext:
        """Hand on a span that is over: it was never anything but its facts."""
        context = _context(place.trace, place.span or token_hex(8))
        span = ReadableSpan(
            what.name,
            context,
            _context(place.trace, place.parent) if place.parent else None,
            self._resource(place.service),
            what.attributes,
            links=what.links,
            kind=what.kind,
            instrumentation_scope=_SCOPE,
            status=_ERROR if what.is_error else _UNSET,
            start_time=took.began,
            end_time=max(took.ended, took.began),
        )
        self._processor.on_end(span)
        return context

    def _resource(self, service: str) -> Resource:
        found = self._services.get(service)
        if found is None:
            found = Resource.create({SERVICE_NAME: f"push22-{service}"})
            self._services[service] = found
        return found


def _context(trace: str, span: str) -> SpanContext:
    return SpanContext(int(trace, 16), int(span, 16), False, _SAMPLED)


def _outcome(step: Step) -> str:
    if step.is_parked:
        return "parked"
    if step.answer is not None and not step.answer.accepted:
        return step.answer.reason or "refused"
    return "decided" if step.records else "nothing"


def _of_record(record: Envelope) -> Attributes:
    return _known(
        {
            "push22.record": record.id,
            "push22.correlation": record.correlation,
            "push22.round_id": record.round_id,
        }
    )


def _known(parts: Attributes) -> Attributes:
    return {name: value for name, value in parts.items() if value != ""}
