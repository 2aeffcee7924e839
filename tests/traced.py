"""Spans kept in memory, and how they hang together."""

from collections.abc import Iterator
from contextlib import contextmanager

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from runtime import tracing
from runtime.otel import OtelTracer


class Spans:
    """What one process has told."""

    def __init__(self, ratio: float = 1.0) -> None:
        self._kept = InMemorySpanExporter()
        self.tracer = OtelTracer(SimpleSpanProcessor(self._kept), ratio)

    def all(self) -> list[ReadableSpan]:
        return list(self._kept.get_finished_spans())

    def named(self, start: str) -> list[ReadableSpan]:
        return [span for span in self.all() if span.name.startswith(start)]

    @contextmanager
    def told(self) -> Iterator["Spans"]:
        """Have this process's spans come here."""
        before, tracing.CURRENT.tracer = tracing.CURRENT.tracer, self.tracer
        try:
            yield self
        finally:
            tracing.CURRENT.tracer = before


def service_of(span: ReadableSpan) -> str:
    return str(span.resource.attributes["service.name"]).removeprefix("push22-")


def trace_of(span: ReadableSpan) -> str:
    assert span.context is not None
    return f"{span.context.trace_id:032x}"


def id_of(span: ReadableSpan) -> str:
    assert span.context is not None
    return f"{span.context.span_id:016x}"


def parent_of(span: ReadableSpan) -> str:
    return f"{span.parent.span_id:016x}" if span.parent else ""


def orphans(spans: list[ReadableSpan]) -> list[str]:
    """Return the spans whose parent is not in their trace."""
    known = {(trace_of(span), id_of(span)) for span in spans}
    return [
        span.name
        for span in spans
        if parent_of(span) and (trace_of(span), parent_of(span)) not in known
    ]
