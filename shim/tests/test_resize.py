"""How Magnum's rows stand after a nodegroup is resized."""

from __future__ import annotations

from typing import Any

import pytest
from conductor import CLUSTERS, REFUSED, SENTENCE, nodegroups, open_kinds
from function_server import (
    FunctionServer,
    Received,
    accepted,
    busy,
    hang_up,
    plain,
    unavailable,
)
from magnum import objects
from magnum.common import exception
from magnum_rows_factory import RowsFactory

from magnum_capi_functions import journal, operations


def resize(rows: RowsFactory, **fields: Any) -> Any:
    cluster = rows.cluster(**fields)
    workers = rows.nodegroup_named(cluster, "default-worker")
    CLUSTERS.cluster_resize(rows.context, cluster, 5, [], workers)
    return rows.refreshed(cluster)


def resize_fails(rows: RowsFactory) -> Any:
    cluster = rows.cluster()
    workers = rows.nodegroup_named(cluster, "default-worker")
    with pytest.raises(exception.ResourceLimitExceeded):
        CLUSTERS.cluster_resize(rows.context, cluster, 5, [], workers)
    return rows.refreshed(cluster)


@pytest.mark.parametrize("status", ["CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_FAILED", "UPDATE_IN_PROGRESS"])
def test_a_resize_that_is_accepted_is_in_progress(functions: FunctionServer, rows: RowsFactory, status: str) -> None:
    cluster = resize(rows, status=status, status_reason="before")
    assert (cluster.status, cluster.status_reason) == ("UPDATE_IN_PROGRESS", None)
    assert nodegroups(cluster)["default-worker"] == ("UPDATE_IN_PROGRESS", None)
    assert rows.nodegroup_named(cluster, "default-worker").node_count == 5
    (operation,) = journal.open_operations(cluster.uuid)
    assert (operation.target, operation.arguments) == ("default-worker", {"node_count": 5, "nodes_to_remove": []})


def test_a_resize_is_saved_in_progress_before_a_function_hears_of_it(
    functions: FunctionServer, rows: RowsFactory
) -> None:
    seen: list[Any] = []

    def look(request: Received) -> Any:
        cluster = objects.Cluster.get_by_uuid(rows.context, request.headers["ce-subject"])
        seen.append((cluster.status, nodegroups(cluster)["default-worker"][0], open_kinds(cluster)))
        return accepted()(request)

    functions.answers(look)
    resize(rows)
    assert seen == [("UPDATE_IN_PROGRESS", "UPDATE_IN_PROGRESS", ["cluster.resize"])]


def test_a_resize_that_is_refused_has_its_old_node_count(functions: FunctionServer, rows: RowsFactory) -> None:
    functions.answers(REFUSED)
    cluster = resize_fails(rows)
    assert (cluster.status, cluster.status_reason) == ("UPDATE_FAILED", SENTENCE)
    assert nodegroups(cluster)["default-worker"] == ("UPDATE_FAILED", SENTENCE)
    assert rows.nodegroup_named(cluster, "default-worker").node_count == 2
    assert open_kinds(cluster) == []


@pytest.mark.parametrize("answer", [unavailable(), hang_up(), busy(1), plain(404), plain(403), plain(200, b"x")])
def test_a_resize_of_which_no_function_hears_stays_open_and_says_so(
    functions: FunctionServer, rows: RowsFactory, set_option: Any, answer: Any
) -> None:
    set_option("operation_timeout", 1)
    functions.otherwise = answer
    cluster = resize(rows)
    assert (cluster.status, open_kinds(cluster)) == ("UPDATE_IN_PROGRESS", ["cluster.resize"])
    status, reason = nodegroups(cluster)["default-worker"]
    assert status == "UPDATE_IN_PROGRESS"
    assert reason is not None
    assert reason.startswith("The functions cannot be reached yet: ")
    assert reason.endswith("Z.")
    assert rows.nodegroup_named(cluster, "default-worker").node_count == 5


def test_a_resize_of_masters_is_recorded_for_their_nodegroup(functions: FunctionServer, rows: RowsFactory) -> None:
    cluster = rows.cluster()
    masters = rows.nodegroup_named(cluster, "default-master")
    CLUSTERS.cluster_resize(rows.context, cluster, 3, [], masters)
    assert [operation.target for operation in journal.open_operations(cluster.uuid)] == ["default-master"]


def test_a_resize_of_another_number_takes_the_place_of_one_that_is_open(
    functions: FunctionServer, rows: RowsFactory, set_option: Any
) -> None:
    set_option("operation_timeout", 1)
    functions.answers(plain(403))
    cluster = resize(rows)
    workers = rows.nodegroup_named(cluster, "default-worker")
    CLUSTERS.cluster_resize(rows.context, cluster, 7, [], workers)
    (operation,) = journal.open_operations(cluster.uuid)
    assert operation.arguments["node_count"] == 7
    assert rows.nodegroup_named(cluster, "default-worker").status_reason is None


def test_a_resize_that_is_refused_to_whoever_sent_it_again_fails_for_the_conductor_too(
    functions: FunctionServer, rows: RowsFactory
) -> None:
    def sent_again(request: Received) -> Any:
        cluster = objects.Cluster.get_by_uuid(rows.context, request.headers["ce-subject"])
        (operation,) = journal.open_operations(cluster.uuid)
        operations.resend(rows.context, cluster, operation)
        return unavailable()(request)

    functions.answers(sent_again, REFUSED)
    cluster = rows.cluster()
    workers = rows.nodegroup_named(cluster, "default-worker")
    with pytest.raises(exception.MagnumException, match="quota"):
        CLUSTERS.cluster_resize(rows.context, cluster, 5, [], workers)
    cluster = rows.refreshed(cluster)
    assert (cluster.status, cluster.status_reason) == ("UPDATE_FAILED", SENTENCE)
    assert nodegroups(cluster)["default-worker"] == ("UPDATE_FAILED", SENTENCE)
    assert len(functions.received) == 2
