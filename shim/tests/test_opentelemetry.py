"""With OpenTelemetry in the process, whose packages are no dependency; skipped where they are not installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from event_fixtures import event
from function_server import FunctionServer
from listener_requests import post as post_report
from listener_requests import serving
from magnum_stage import MagnumStage
from report_fixtures import CREATED, of_cluster

from magnum_capi_functions.functions import post
from magnum_capi_functions.received_reports import STATUS

sdk = pytest.importorskip("opentelemetry.sdk.trace")
export = pytest.importorskip("opentelemetry.sdk.trace.export")
memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
api = pytest.importorskip("opentelemetry.trace")

PARENT = "00-a3ce929d0e0e47364bf92f3577b34da6-b7ad6b7169203331-01"


@pytest.fixture(scope="module")
def exporter() -> Iterator[memory.InMemorySpanExporter]:
    """Takes the spans of the process, which can have one provider only."""
    exporter = memory.InMemorySpanExporter()
    provider = sdk.TracerProvider()
    provider.add_span_processor(export.SimpleSpanProcessor(exporter))
    api.set_tracer_provider(provider)
    yield exporter
    provider.shutdown()


@pytest.fixture
def spans(exporter: memory.InMemorySpanExporter) -> memory.InMemorySpanExporter:
    exporter.clear()
    return exporter


def test_an_event_is_a_span_within_the_active_one(
    functions: FunctionServer, spans: memory.InMemorySpanExporter
) -> None:
    with api.get_tracer("test").start_as_current_span("request") as outer:
        post(event(), 3)
    published, _ = spans.get_finished_spans()
    assert published.name == "publish org.openstack.magnum.cluster.resize.v1"
    assert published.parent.span_id == outer.get_span_context().span_id
    own = published.get_span_context()
    parent = functions.received[0].headers["ce-traceparent"]
    assert parent == f"00-{own.trace_id:032x}-{own.span_id:016x}-01"
    assert functions.received[0].headers["traceparent"] == parent


def test_a_report_is_a_span_of_its_trace(
    stage: MagnumStage, secret_file: Path, spans: memory.InMemorySpanExporter
) -> None:
    cluster = stage.rows.cluster(status="CREATE_IN_PROGRESS")
    with serving() as port:
        changes = {"ce-traceparent": PARENT, "ce-tracestate": "vendor=1"}
        assert post_report(port, STATUS, of_cluster(CREATED, cluster), **changes) == (204, b"")
    (processed,) = spans.get_finished_spans()
    assert (processed.name, processed.kind) == (f"process {STATUS}", api.SpanKind.CONSUMER)
    assert f"00-{processed.context.trace_id:032x}-{processed.parent.span_id:016x}-01" == PARENT
    assert processed.context.trace_state.to_header() == "vendor=1"
