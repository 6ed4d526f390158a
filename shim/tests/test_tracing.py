"""Traces from a request of a user to the function, and from a report to the listener's log."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conductor import CLUSTERS
from event_fixtures import UUID, event
from function_server import FunctionServer, accepted, busy, hang_up
from listener_requests import post as post_report
from listener_requests import serving
from magnum.common import context as magnum_context
from magnum_rows_factory import RowsFactory
from magnum_stage import MagnumStage
from oslo_context import context as oslo_context
from report_fixtures import CREATED, of_cluster

from magnum_capi_functions import journal, operations, tracing
from magnum_capi_functions.functions import Event, post
from magnum_capi_functions.received_reports import STATUS
from magnum_capi_functions.replies import Accepted

TRACE_ID = "a3ce929d0e0e47364bf92f3577b34da6"
PARENT = f"00-{TRACE_ID}-b7ad6b7169203331-01"


def _parts(traceparent: str) -> tuple[str, str]:
    """Trace id and span id."""
    version, trace_id, span_id, flags = traceparent.split("-")
    assert (version, flags, len(trace_id), len(span_id)) == ("00", "01", 32, 16)
    return trace_id, span_id


@pytest.fixture(autouse=True)
def no_context_of_before() -> None:
    """Each test begins outside of a request."""
    oslo_context._request_store.context = None


def test_an_event_carries_its_trace_as_an_extension_and_as_a_header(functions: FunctionServer) -> None:
    post(Event("cluster.resize", UUID, {}, trace={"traceparent": PARENT, "tracestate": "vendor=1"}), 3)
    (request,) = functions.received
    assert (request.headers["ce-traceparent"], request.headers["ce-tracestate"]) == (PARENT, "vendor=1")
    assert (request.headers["traceparent"], request.headers["tracestate"]) == (PARENT, "vendor=1")


def test_all_attempts_of_an_event_are_of_one_trace(functions: FunctionServer) -> None:
    functions.answers(busy(1))
    post(event(), 5)
    first, second = functions.received
    assert first.headers["ce-traceparent"] == second.headers["ce-traceparent"]


def test_the_trace_of_an_operation_has_the_id_of_the_request_it_comes_from(functions: FunctionServer) -> None:
    request_id = f"req-{uuid.uuid4()}"
    magnum_context.RequestContext(request_id=request_id, is_admin=True)
    post(event(), 3)
    trace_id, _ = _parts(functions.received[0].headers["ce-traceparent"])
    assert f"req-{uuid.UUID(trace_id)}" == request_id


def test_without_a_request_it_has_the_id_of_the_event(functions: FunctionServer) -> None:
    sent = event()
    post(sent, 3)
    trace_id, _ = _parts(functions.received[0].headers["ce-traceparent"])
    assert trace_id == sent.id.replace("-", "")


def test_an_operation_that_is_sent_again_stays_in_its_trace(
    functions: FunctionServer, rows: RowsFactory, set_option: Callable[..., None]
) -> None:
    set_option("operation_timeout", 1)
    cluster = rows.cluster()
    functions.otherwise = hang_up()
    workers = rows.nodegroup_named(cluster, "default-worker")
    CLUSTERS.cluster_resize(rows.context, cluster, 5, ["server-1"], workers)
    functions.otherwise = accepted()
    (operation,) = journal.open_operations(cluster.uuid)
    # Somebody else does it, in a context of its own.
    context = magnum_context.make_admin_context(all_tenants=True)
    assert isinstance(operations.resend(context, rows.refreshed(cluster), operation), Accepted)
    parents = {request.headers["ce-traceparent"] for request in functions.received}
    assert parents == {operation.trace["traceparent"]}
    assert "_trace" not in functions.received[-1].data
    assert "_trace" not in operation.arguments


@pytest.mark.parametrize(
    "attributes",
    [
        {},
        {"traceparent": ""},
        {"traceparent": 7},
        {"traceparent": PARENT.upper()},
        {"traceparent": PARENT.replace(TRACE_ID, "0" * 32)},
        {"traceparent": PARENT.replace("b7ad6b7169203331", "0" * 16)},
        {"traceparent": f"ff{PARENT[2:]}"},
        {"traceparent": f"{PARENT}-more"},
        {"traceparent": f"{PARENT}\n"},
        {"tracestate": "vendor=1"},
    ],
)
def test_a_context_that_is_not_valid_is_none(attributes: dict[str, Any]) -> None:
    assert tracing.trace_of(attributes) == {}


def test_a_later_version_may_say_more(caplog: pytest.LogCaptureFixture) -> None:
    assert tracing.trace_of({"traceparent": f"01{PARENT[2:]}-more"}) == {"traceparent": f"01{PARENT[2:]}-more"}
    assert tracing.trace_of({"traceparent": PARENT, "tracestate": "v" * 513}) == {"traceparent": PARENT}


def test_what_the_listener_logs_of_a_report_has_the_request_id_of_its_trace(
    stage: MagnumStage, secret_file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cluster = stage.rows.cluster(status="CREATE_IN_PROGRESS")
    seen: list[str | None] = []

    class _Watch(logging.Handler):
        def emit(self, _record: logging.LogRecord) -> None:
            current = oslo_context.get_current()
            seen.append(None if current is None else current.request_id)

    watch = _Watch(level=logging.INFO)
    logger = logging.getLogger("magnum_capi_functions.applying")
    logger.addHandler(watch)
    logger.setLevel(logging.INFO)
    try:
        with serving() as port:
            changes = {"ce-traceparent": PARENT}
            assert post_report(port, STATUS, of_cluster(CREATED, cluster), **changes) == (204, b"")
    finally:
        logger.removeHandler(watch)
    assert seen == [f"req-{uuid.UUID(TRACE_ID)}"]
