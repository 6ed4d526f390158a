"""The listener over real HTTP."""

from __future__ import annotations

import contextlib
import http.client
import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from cheroot import wsgi
from function_server import FunctionServer
from magnum_rows_factory import RowsFactory
from magnum_stage import MASTER, WORKER, MagnumStage
from report_fixtures import complete, goes_on, of_cluster, status_data
from tls_files import write_certificate

from magnum_capi_functions import listener
from magnum_capi_functions.received_reports import HEALTH, STATUS, ReceivedReports

SECRET = "a-secret-of-the-subscriber-7f3a"
CREATE, UPDATE = "CREATE", "UPDATE"
REST = {MASTER: complete("c", CREATE), WORKER: complete("c", CREATE, 2)}


@pytest.fixture
def stage(rows: RowsFactory, functions: FunctionServer) -> Iterator[MagnumStage]:
    stage = MagnumStage(rows, functions)
    yield stage
    stage.reports.stop()


@pytest.fixture
def secret_file(set_option: Callable[..., None], tmp_path: Path) -> Path:
    file = tmp_path / "secret"
    file.write_text(f"{SECRET}\n")
    set_option("listener_secret_file", str(file))
    set_option("listener_port", 0)
    return file


@contextmanager
def serving() -> Iterator[int]:
    """A listener in this process by the options of now; its port."""
    reports = ReceivedReports()
    server: wsgi.Server = listener.make_server(reports)
    server.prepare()
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server.bind_addr[1]
    finally:
        reports.stop()
        server.stop()
        thread.join(10)


@pytest.fixture
def port(secret_file: Path) -> Iterator[int]:
    with serving() as port:
        yield port


def binary(kind: str, data: Any, when: datetime | None = None, **changes: str) -> tuple[dict[str, str], bytes]:
    """An event as a broker delivers it."""
    uuid = data.get("cluster_uuid", "") if isinstance(data, dict) else ""
    headers = {
        "Content-Type": "application/json",
        "ce-specversion": "1.0",
        "ce-id": str(uuid4()),
        "ce-source": "/functions/status",
        "ce-type": kind,
        "ce-subject": uuid,
        "ce-time": (when or datetime.now(timezone.utc)).isoformat(),
    }
    return {name: value for name, value in (headers | changes).items() if value}, json.dumps(data).encode()


def send(
    port: int, headers: dict[str, str], body: bytes, path: str = f"/reports/{SECRET}", method: str = "POST"
) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def post(port: int, kind: str, data: Any, **changes: str) -> tuple[int, bytes]:
    return send(port, *binary(kind, data, **changes))


def test_a_report_in_binary_mode_changes_the_rows_and_is_answered_without_a_body(stage: MagnumStage, port: int) -> None:
    cluster = stage.rows.cluster(status="CREATE_IN_PROGRESS")
    assert post(port, STATUS, of_cluster(status_data(complete("c", CREATE), REST), cluster)) == (204, b"")
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
        "data": of_cluster(status_data(complete("c", CREATE), REST), cluster),
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
    assert post(port, STATUS, status_data(complete("c", CREATE), REST)) == (204, b"")


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
    given, body = binary(STATUS, of_cluster(status_data(complete("c", CREATE), REST), cluster))
    answered, text = send(port, given | headers, body, path)
    assert answered == status
    assert SECRET.encode() not in text
    assert stage.saved(cluster)[""] == ("CREATE_COMPLETE" if status == 204 else "CREATE_IN_PROGRESS")


GOOD = status_data(complete("c", CREATE), REST)


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"Content-Type": "application/json"}, b"{}"),
        (binary(STATUS, GOOD)[0], b"{not json"),
        (binary(STATUS, GOOD)[0], b""),
        (binary(STATUS, GOOD)[0], b"[]"),
        (binary(STATUS, GOOD, **{"ce-time": ""})[0], json.dumps(GOOD).encode()),
        (binary(STATUS, GOOD, **{"ce-time": "yesterday"})[0], json.dumps(GOOD).encode()),
        (binary(STATUS, GOOD, **{"ce-time": "2026-01-01T00:00:00"})[0], json.dumps(GOOD).encode()),
        (binary(STATUS, GOOD, **{"ce-subject": "another"})[0], json.dumps(GOOD).encode()),
        (binary(STATUS, GOOD, **{"ce-subject": ""})[0], json.dumps(GOOD).encode()),
        (binary("org.openstack.magnum.operation.accepted.v1", GOOD)[0], json.dumps(GOOD).encode()),
        ({"Content-Type": "application/cloudevents+json"}, b"{"),
        ({"Content-Type": "application/cloudevents+json"}, b'"text"'),
        (binary(HEALTH, GOOD)[0], json.dumps(GOOD).encode()),
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
        {"nodegroups": [{**GOOD["nodegroups"][0], "node_count": "2"}]},
        {"nodegroups": [{**GOOD["nodegroups"][0], "node_addresses": [5]}]},
    ],
)
def test_data_of_another_form_is_refused_and_changes_nothing(
    stage: MagnumStage, port: int, changes: dict[str, Any]
) -> None:
    cluster = stage.rows.cluster(status="CREATE_IN_PROGRESS")
    assert post(port, STATUS, of_cluster(GOOD, cluster) | changes)[0] == 400
    assert stage.saved(cluster)[""] == "CREATE_IN_PROGRESS"


@pytest.mark.parametrize("is_chunked", [False, True])
def test_a_body_of_two_mebibytes_is_too_large(stage: MagnumStage, port: int, is_chunked: bool) -> None:
    headers, _ = binary(STATUS, GOOD)
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
    headers, body = binary(STATUS, of_cluster(GOOD, cluster))
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


def test_two_listeners_at_once_end_where_one_would(stage: MagnumStage, secret_file: Path) -> None:
    cluster = stage.rows.cluster(status="CREATE_IN_PROGRESS")
    stage.reopened(cluster, "cluster.create", event_id="c")
    begin = datetime.now(timezone.utc) - timedelta(seconds=30)
    reports = [
        (
            begin + timedelta(seconds=second),
            status_data(
                goes_on("c", CREATE),
                {MASTER: complete("c", CREATE), WORKER: goes_on("c", CREATE, second % 3)},
                coe_version=f"v1.33.{second}",
            ),
        )
        for second in range(8)
    ]
    reports.append((begin + timedelta(seconds=9), status_data(complete("c", CREATE), REST, coe_version="v1.33.9")))
    answers: list[int] = []

    def deliver(port: int, order: list[tuple[datetime, dict[str, Any]]]) -> None:
        for when, data in order:
            answers.append(send(port, *binary(STATUS, of_cluster(data, cluster), when))[0])

    with serving() as first, serving() as second:
        senders = [
            threading.Thread(target=deliver, args=(port, order))
            for port in (first, second)
            for order in (reports, reports[::-1], reports[::2])
        ]
        for sender in senders:
            sender.start()
        for sender in senders:
            sender.join(60)
    assert set(answers) == {204}
    assert set(stage.saved(cluster).values()) == {"CREATE_COMPLETE"}
    row = stage.row(cluster)
    assert (row.coe_version, row.status_reason, stage.nodegroup(cluster, WORKER).node_count) == ("v1.33.9", None, 2)


def test_many_reports_that_a_cluster_is_gone_remove_it_once(stage: MagnumStage, secret_file: Path) -> None:
    cluster = stage.rows.cluster(status="DELETE_IN_PROGRESS")
    data = of_cluster(status_data(complete("d", "DELETE"), {}), cluster)
    answers: list[int] = []
    with serving() as first, serving() as second:
        senders = [
            threading.Thread(target=lambda port=port: answers.append(post(port, STATUS, data)[0]))
            for port in (first, second) * 4
        ]
        for sender in senders:
            sender.start()
        for sender in senders:
            sender.join(60)
    assert answers == [204] * 8
    assert stage.saved(cluster) == {}


def test_senders_may_show_a_certificate_in_place_of_a_secret(
    stage: MagnumStage, set_option: Callable[..., None], tmp_path: Path
) -> None:
    certificate, key = write_certificate(tmp_path, "127.0.0.1")
    set_option("listener_port", 0)
    set_option("listener_certificate_file", str(certificate))
    set_option("listener_key_file", str(key))
    set_option("listener_client_ca_file", str(certificate))
    cluster = stage.rows.cluster(status="CREATE_IN_PROGRESS")
    headers, body = binary(STATUS, of_cluster(GOOD, cluster))
    context = ssl.create_default_context(cafile=str(certificate))
    with serving() as port:
        with pytest.raises((ssl.SSLError, ConnectionError, http.client.RemoteDisconnected)):
            _over_tls(port, context, headers, body)
        assert stage.saved(cluster)[""] == "CREATE_IN_PROGRESS"
        context.load_cert_chain(certificate, key)
        assert _over_tls(port, context, headers, body) == 204
    assert stage.saved(cluster)[""] == "CREATE_COMPLETE"


def _over_tls(port: int, context: ssl.SSLContext, headers: dict[str, str], body: bytes) -> int:
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=30, context=context)
    try:
        connection.request("POST", "/reports", body, headers)
        return connection.getresponse().status
    finally:
        connection.close()
