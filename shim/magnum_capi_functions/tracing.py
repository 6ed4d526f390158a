"""Traces by W3C Trace Context and CloudEvents' distributed tracing extension.

OpenTelemetry is not needed: without it an operation's trace id is that of the request it comes from, so that whoever
knows the one finds the other. Where its API is installed, and set up by whoever runs this process, an active span is
continued, and spans of ours are made.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from oslo_context import context as oslo_context

try:
    from opentelemetry import trace as otel
except ImportError:
    otel = None  # type: ignore[assignment]

#: `traceparent` and, where there is one, `tracestate`: attributes of an event as well as headers of a request.
Trace = Mapping[str, str]

_TRACEPARENT = re.compile(
    r"(?!ff)(?P<version>[0-9a-f]{2})-(?P<trace>(?!0{32})[0-9a-f]{32})-(?P<span>(?!0{16})[0-9a-f]{16})-(?P<flags>[0-9a-f]{2})(?P<rest>-.*)?"
)
#: Characters that everybody has to pass on (W3C Trace Context, 3.3.1.5).
_LONGEST_STATE = 512
_NAME = "magnum_capi_functions"


def new_trace(event_id: str) -> Trace:
    """Of an operation that begins now: the active span's of OpenTelemetry, else one with the id of the request that is
    carried out, else with the event's."""
    active = _active_span()
    if active is not None:
        return active
    current = oslo_context.get_current()
    ids = (getattr(current, "global_request_id", None), getattr(current, "request_id", None), event_id)
    known = next((trace_id for trace_id in map(_trace_id, ids) if trace_id), secrets.token_hex(16))
    return {"traceparent": f"00-{known}-{secrets.token_hex(8)}-01"}


def trace_of(attributes: Mapping[str, Any]) -> Trace:
    """The trace that an event's attributes or a request's headers tell of; empty where that is none, or not valid."""
    parent, state = attributes.get("traceparent"), attributes.get("tracestate")
    match = _TRACEPARENT.fullmatch(parent) if isinstance(parent, str) else None
    if match is None or (match["version"] == "00" and match["rest"]):
        return {}
    kept = {"tracestate": state} if isinstance(state, str) and 0 < len(state) <= _LONGEST_STATE else {}
    return {"traceparent": match[0], **kept}


def request_id_of(trace: Trace) -> str | None:
    """The request that a trace belongs to, as OpenStack's logs name it: of an operation of ours it is the user's."""
    match = _TRACEPARENT.fullmatch(trace.get("traceparent", ""))
    return None if match is None else f"req-{UUID(match['trace'])}"


@contextmanager
def publishing(event_type: str, trace: Trace) -> Iterator[Trace]:
    """The trace to send along while an event is posted: with OpenTelemetry the one of a span of its own."""
    if otel is None:
        yield trace
        return
    with _span(f"publish {event_type}", trace, otel.SpanKind.PRODUCER):
        yield _active_span() or trace


@contextmanager
def processing(event_type: str, trace: Trace) -> Iterator[None]:
    """Continues the trace of an event that has come: in the request id of this thread's log lines, and in a span where
    there is OpenTelemetry."""
    request_id = request_id_of(trace)
    current = oslo_context.get_current()
    if request_id is not None and current is not None:
        current.request_id = request_id
    if otel is None:
        yield
        return
    with _span(f"process {event_type}", trace, otel.SpanKind.CONSUMER):
        yield


def _trace_id(text: Any) -> str | None:
    """Of an id that is or ends with a UUID, as `req-…`."""
    try:
        known = UUID(str(text)[-36:]).hex
    except ValueError:
        return None
    return known if known.strip("0") else None


def _active_span() -> Trace | None:
    if otel is None:
        return None
    context = otel.get_current_span().get_span_context()
    if not context.is_valid:
        return None
    parent = f"00-{context.trace_id:032x}-{context.span_id:016x}-{int(context.trace_flags) & 1:02x}"
    return trace_of({"traceparent": parent, "tracestate": context.trace_state.to_header()})


@contextmanager
def _span(name: str, trace: Trace, kind: Any) -> Iterator[None]:
    match = _TRACEPARENT.fullmatch(trace.get("traceparent", ""))
    parent = None
    if match is not None:
        remote = otel.SpanContext(
            trace_id=int(match["trace"], 16),
            span_id=int(match["span"], 16),
            is_remote=True,
            trace_flags=otel.TraceFlags(int(match["flags"], 16)),
            trace_state=otel.TraceState.from_header([trace.get("tracestate", "")]),
        )
        parent = otel.set_span_in_context(otel.NonRecordingSpan(remote))
    with otel.get_tracer(_NAME).start_as_current_span(name, context=parent, kind=kind):
        yield
