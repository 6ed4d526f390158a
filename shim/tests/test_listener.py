"""The listener over real HTTP."""

from __future__ import annotations

import contextlib
import http.client
import json
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from listener_requests import SECRET, binary, post, send, serving
from magnum_stage import MagnumStage
from report_fixtures import CREATED, of_cluster

from magnum_capi_functions.received_reports import HEALTH, STATUS


@pytest.fixture
def port(secret_file: Path) -> Iterator[int]:
    with serving() as port:
        yield port


def test_a_report_in_binary_mode_changes_the_rows_and_is_answered_without_a_body(stage: MagnumStage, port: int) -> None:
    cluster = stage.rows.cluster(status="CREATE_IN_PROGRESS")
    assert post(port, STATUS, of_cluster(CREATED, cluster)) == (204, b"")
    assert set(stage.saved(cluster).values()) == {"CREATE_COMPLETE"}


def test_a_report_in_structured_mode_does_the_same(stage: MagnumStage, port: int) -> None:
    cluster = stage.rows.cluster(status="CREATE_IN_PROGRESS")
    event = {
        "specversion": "1.0",
        "id": "1",
        "source": "/functions/status",
        "type": STATUS,
        "subject": cluster.uuid,
        "partitionkey": cluster.uuid,
        "time": datetime.now(timezone.utc).isoformat(),
        "datacontenttype": "application/json",
        "data": of_cluster(CREATED, cluster),
    }
    headers = {"Content-Type": "application/cloudevents+json; charset=utf-8"}
    assert send(port, headers, json.dumps(event).encode()) == (204, b"")
    assert set(stage.saved(cluster).values()) == {"CREATE_COMPLETE"}


def test_a_report_of_health_changes_the_row(stage: MagnumStage, port: int) -> None:
    cluster = stage.rows.cluster()
    data = {
        "cluster_uuid": cluster.uuid,
        "stack_id": "kube-21d56",
        "health_status": "UNHEALTHY",
        "health_status_reason": {"api": "The connection is lost."},
    }
    assert post(port, HEALTH, data) == (204, b"")
    row = stage.row(cluster)
    assert (row.health_status, row.health_status_reason) == ("UNHEALTHY", {"api": "The connection is lost."})


def test_a_report_of_a_cluster_that_is_not_magnums_is_dealt_with(stage: MagnumStage, port: int) -> None:
    assert post(port, STATUS, CREATED) == (204, b"")


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/reports/another-secret-that-is-wrong", {}, 404),
        ("/reports/", {}, 404),
        ("/reports", {}, 404),
        ("/", {}, 404),
        ("/reports", {"Authorization": "Bearer wrong"}, 404),
        ("/reports", {"Authorization": f"Bearer {SECRET}"}, 204),
        (f"/reports/{SECRET}/more", {}, 404),
        ("/reports/%c3%bc", {}, 404),
    ],
)
def test_only_whoever_knows_the_secret_is_heard(
    stage: MagnumStage, port: int, path: str, headers: dict[str, str], status: int
) -> None:
    cluster = stage.rows.cluster(status="CREATE_IN_PROGRESS")
    given, body = binary(STATUS, of_cluster(CREATED, cluster))
    answered, text = send(port, given | headers, body, path)
    assert answered == status
    assert SECRET.encode() not in text
    assert stage.saved(cluster)[""] == ("CREATE_COMPLETE" if status == 204 else "CREATE_IN_PROGRESS")


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"Content-Type": "application/json"}, b"{}"),
        (binary(STATUS, CREATED)[0], b"{not json"),
        (binary(STATUS, CREATED)[0], b""),
        (binary(STATUS, CREATED)[0], b"[]"),
        (binary(STATUS, CREATED, **{"ce-time": ""})[0], json.dumps(CREATED).encode()),
        (binary(STATUS, CREATED, **{"ce-time": "yesterday"})[0], json.dumps(CREATED).encode()),
        (binary(STATUS, CREATED, **{"ce-time": "2026-01-01T00:00:00"})[0], json.dumps(CREATED).encode()),
        (binary(STATUS, CREATED, **{"ce-subject": "another"})[0], json.dumps(CREATED).encode()),
        (binary(STATUS, CREATED, **{"ce-subject": ""})[0], json.dumps(CREATED).encode()),
        (binary("org.openstack.magnum.operation.accepted.v1", CREATED)[0], json.dumps(CREATED).encode()),
        ({"Content-Type": "application/cloudevents+json"}, b"{"),
        ({"Content-Type": "application/cloudevents+json"}, b'"text"'),
        (binary(HEALTH, CREATED)[0], json.dumps(CREATED).encode()),
    ],
)
def test_what_is_no_report_is_refused_for_good(
    stage: MagnumStage, port: int, headers: dict[str, str], body: bytes
) -> None:
    status, text = send(port, headers, body)
    assert status == 400
    assert text.decode().strip().endswith(".")


@pytest.mark.parametrize(
    "changes",
    [
        {"state": "ENDED"},
        {"action": "REPAIR"},
        {"nodegroups": {}},
        {"nodegroups": [5]},
        {"nodegroups": [{"name": "a"}]},
        {"status_reason": 5},
        {"nodegroups": [{**CREATED["nodegroups"][0], "node_count": "2"}]},
        {"nodegroups": [{**CREATED["nodegroups"][0], "node_addresses": [5]}]},
    ],
)
def test_data_of_another_form_is_refused_and_changes_nothing(
    stage: MagnumStage, port: int, changes: dict[str, Any]
) -> None:
    cluster = stage.rows.cluster(status="CREATE_IN_PROGRESS")
    assert post(port, STATUS, of_cluster(CREATED, cluster) | changes)[0] == 400
    assert stage.saved(cluster)[""] == "CREATE_IN_PROGRESS"


@pytest.mark.parametrize("is_chunked", [False, True])
def test_a_body_of_two_mebibytes_is_too_large(stage: MagnumStage, port: int, is_chunked: bool) -> None:
    headers, _ = binary(STATUS, CREATED)
    body = b" " * (2 * 1024 * 1024)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    pieces = (body[start : start + 65536] for start in range(0, len(body), 65536))
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        connection.request("POST", f"/reports/{SECRET}", pieces if is_chunked else body, headers)
    assert connection.getresponse().status == 413
    connection.close()
    assert send(port, {}, b"", "/healthz", "GET") == (200, b"ok\n")


def test_a_chunked_report_is_taken(stage: MagnumStage, port: int) -> None:
    cluster = stage.rows.cluster(status="CREATE_IN_PROGRESS")
    headers, body = binary(STATUS, of_cluster(CREATED, cluster))
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("POST", f"/reports/{SECRET}", iter([body[:50], body[50:]]), headers)
    assert connection.getresponse().status == 204
    connection.close()
    assert stage.saved(cluster)[""] == "CREATE_COMPLETE"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/healthz", 200), ("HEAD", "/healthz", 200), ("GET", f"/reports/{SECRET}", 405), ("GET", "/", 404)],
)
def test_other_methods_are_answered_as_they_should(
    stage: MagnumStage, port: int, method: str, path: str, status: int
) -> None:
    assert send(port, {}, b"", path, method)[0] == status
