"""What the listener tells of its work at /metrics."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from event_fixtures import event
from function_server import FunctionServer, busy, plain, rejected
from listener_requests import binary, post, send, serving
from magnum_stage import MagnumStage
from report_fixtures import CREATED, of_cluster

from magnum_capi_functions import functions as posting
from magnum_capi_functions import metrics
from magnum_capi_functions.received_reports import HEALTH, STATUS
from magnum_capi_functions.replies import NotSent


@pytest.fixture
def port(secret_file: Path) -> Iterator[int]:
    with serving() as port:
        yield port


@pytest.fixture(autouse=True)
def nothing_measured() -> None:
    metrics._SERIES.clear()


def _page(port: int) -> list[str]:
    status, body = send(port, {}, b"", "/metrics", "GET")
    assert status == 200
    return body.decode().splitlines()


def test_reports_are_counted_by_what_became_of_them(stage: MagnumStage, port: int) -> None:
    cluster = stage.rows.cluster(status="CREATE_IN_PROGRESS")
    report = of_cluster(CREATED, cluster)
    observed = datetime.now(timezone.utc) - timedelta(seconds=3)
    assert send(port, *binary(STATUS, report, observed)) == (204, b"")
    assert send(port, *binary(STATUS, report, observed - timedelta(minutes=1))) == (204, b"")
    assert post(port, STATUS, {**report, "cluster_uuid": "00000000-0000-4000-8000-000000000000"})[0] == 204
    assert post(port, HEALTH, {"cluster_uuid": cluster.uuid})[0] == 400
    assert post(port, 'made."up\n'.strip(), report)[0] == 400
    page = _page(port)
    counted = {line for line in page if line.startswith("magnum_capi_listener_reports_total")}
    assert counted == {
        'magnum_capi_listener_reports_total{type="status",outcome="applied"} 1',
        'magnum_capi_listener_reports_total{type="status",outcome="old"} 1',
        'magnum_capi_listener_reports_total{type="status",outcome="unknown"} 1',
        'magnum_capi_listener_reports_total{type="health",outcome="refused"} 1',
        'magnum_capi_listener_reports_total{type="other",outcome="refused"} 1',
    }
    assert 'magnum_capi_listener_report_lag_seconds_count{type="status"} 1' in page
    assert 'magnum_capi_listener_report_lag_seconds_bucket{type="status",le="2"} 0' in page
    assert 'magnum_capi_listener_report_lag_seconds_bucket{type="status",le="+Inf"} 1' in page
    assert cluster.uuid not in "\n".join(page)


def test_events_are_counted_by_what_became_of_them(functions: FunctionServer, port: int) -> None:
    functions.answers(busy(1))
    posting.post(event(), 5)
    functions.otherwise = rejected("invalid", "It is wrong.")
    posting.post(event("cluster.upgrade"), 3)
    functions.otherwise = plain(401)
    with pytest.raises(NotSent):
        posting.post(event("cluster.delete"), 1)
    assert {line for line in _page(port) if not line.startswith("#")} == {
        'magnum_capi_shim_events_total{type="cluster.resize",outcome="accepted"} 1',
        'magnum_capi_shim_events_total{type="cluster.upgrade",outcome="rejected"} 1',
        'magnum_capi_shim_events_total{type="cluster.delete",outcome="not sent"} 1',
        'magnum_capi_shim_resends_total{type="cluster.resize",reason="attempt"} 1',
    }


def test_only_get_shows_them(port: int) -> None:
    assert send(port, {}, b"", "/metrics", "POST")[0] == 404
