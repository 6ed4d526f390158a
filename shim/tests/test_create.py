"""How Magnum's rows stand after a cluster is created."""

from __future__ import annotations

from typing import Any

import pytest
from conductor import CLUSTERS, REFUSED, SENTENCE, both, create, create_fails, nodegroups, open_kinds
from function_server import (
    FunctionServer,
    Received,
    accepted,
    busy,
    hang_up,
    plain,
    problem,
    silence,
    unavailable,
)
from magnum import objects
from magnum.common import exception
from magnum_rows_factory import RowsFactory

from magnum_capi_functions import journal


def test_a_create_that_is_accepted_saves_the_stack_id_everywhere(functions: FunctionServer, rows: RowsFactory) -> None:
    cluster = create(rows)
    assert (cluster.status, cluster.status_reason, cluster.stack_id) == ("CREATE_IN_PROGRESS", None, "kube-21d56")
    assert {one.stack_id for one in cluster.nodegroups} == {"kube-21d56"}
    (operation,) = journal.open_operations(cluster.uuid)
    assert operation.answered is not None
    assert operation.event_id == functions.received[0].id
    assert functions.received[0].headers["ce-time"] == operation.started.isoformat().replace("+00:00", "Z")


def test_a_create_tells_the_notes_of_the_function(functions: FunctionServer, rows: RowsFactory) -> None:
    functions.answers(accepted(notes=("Cinder is missing.", "So there are no volumes.")))
    assert create(rows).status_reason == "Cinder is missing. So there are no volumes."


def test_a_create_has_saved_its_certificates_before_a_function_hears_of_it(
    functions: FunctionServer, rows: RowsFactory
) -> None:
    seen: list[Any] = []

    def look(request: Received) -> Any:
        seen.append(objects.Cluster.get_by_uuid(rows.context, request.headers["ce-subject"]))
        return accepted()(request)

    functions.answers(look)
    cluster = create(rows)
    names = ("ca_cert_ref", "magnum_cert_ref", "etcd_ca_cert_ref", "front_proxy_ca_cert_ref")
    assert all(getattr(seen[0], name) for name in names)
    assert [getattr(seen[0], name) for name in names] == [getattr(cluster, name) for name in names]


def test_a_create_that_is_refused_has_failed_with_its_nodegroups(functions: FunctionServer, rows: RowsFactory) -> None:
    functions.answers(REFUSED)
    cluster = create_fails(rows, exception.ResourceLimitExceeded)
    assert (cluster.status, cluster.status_reason) == ("CREATE_FAILED", SENTENCE)
    assert nodegroups(cluster) == both("CREATE_FAILED", SENTENCE)
    assert open_kinds(cluster) == []


def test_a_create_waits_until_the_function_is_there(functions: FunctionServer, rows: RowsFactory) -> None:
    functions.answers(unavailable(), busy(1))
    assert create(rows).stack_id == "kube-21d56"
    assert len({request.id for request in functions.received}) == 1


def test_a_create_that_reaches_no_function_has_failed_and_says_so(
    functions: FunctionServer, rows: RowsFactory, set_option: Any
) -> None:
    set_option("functions_url", "http://127.0.0.1:1/")
    set_option("operation_timeout", 1)
    cluster = create_fails(rows)
    assert cluster.status == "CREATE_FAILED"
    assert cluster.status_reason == "The create function cannot be reached. Nothing was created."
    assert nodegroups(cluster) == both("CREATE_FAILED", "The create function cannot be reached.")
    assert open_kinds(cluster) == []


@pytest.mark.parametrize("answer", [unavailable(), hang_up(), silence(20), plain(200, b"garbage"), plain(204)])
def test_a_create_of_which_nobody_knows_stays_in_progress(
    functions: FunctionServer, rows: RowsFactory, set_option: Any, answer: Any
) -> None:
    set_option("operation_timeout", 1)
    functions.otherwise = answer
    cluster = create(rows)
    assert (cluster.status, cluster.stack_id) == ("CREATE_IN_PROGRESS", None)
    assert cluster.status_reason.endswith("Whether the cluster is being created shows within minutes.")
    assert nodegroups(cluster) == both("CREATE_IN_PROGRESS")
    assert open_kinds(cluster) == ["cluster.create"]


def test_a_create_with_an_option_that_cannot_be_read_has_failed_by_its_name(
    functions: FunctionServer, rows: RowsFactory, set_option: Any
) -> None:
    set_option("ca_file", "/nowhere/ca.pem", "capi_client")
    cluster = create_fails(rows, exception.InvalidParameterValue)
    assert cluster.status == "CREATE_FAILED"
    assert "'/nowhere/ca.pem' of the option [capi_client] ca_file cannot be read" in cluster.status_reason
    assert nodegroups(cluster) == both("CREATE_FAILED", cluster.status_reason)
    assert (functions.received, open_kinds(cluster)) == ([], [])


def test_a_create_stops_when_the_cluster_is_to_be_deleted(functions: FunctionServer, rows: RowsFactory) -> None:
    def ask_for_deletion(request: Received) -> Any:
        CLUSTERS.cluster_delete(rows.context, request.headers["ce-subject"])
        return busy(1)(request)

    functions.answers(ask_for_deletion)
    cluster = create(rows)
    assert [request.kind for request in functions.received] == ["cluster.create", "cluster.delete"]
    assert cluster.status == "DELETE_IN_PROGRESS"
    assert open_kinds(cluster) == ["cluster.delete"]


def test_a_create_with_labels_that_are_too_long_has_failed(functions: FunctionServer, rows: RowsFactory) -> None:
    functions.answers(problem(413, "too_large", "The body is too large."))
    cluster = create_fails(rows, exception.InvalidParameterValue)
    assert cluster.status_reason == ("The request is larger than the create function takes: its labels are too long.")
