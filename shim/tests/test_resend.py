"""Operations that stay open are sent again, from the journal and the rows of now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from conductor import CLUSTERS, Conductor, create, open_kinds
from contract import check_data
from function_server import FunctionServer, Received, accepted, busy, hang_up, plain, rejected
from magnum import objects
from magnum.common.context import RequestContext
from magnum_rows_factory import RowsFactory

from magnum_capi_functions import journal, operations
from magnum_capi_functions.replies import Accepted, Rejected

NODEGROUPS = Conductor().nodegroups


def _resize(rows: RowsFactory, cluster: Any) -> None:
    workers = rows.nodegroup_named(cluster, "default-worker")
    CLUSTERS.cluster_resize(rows.context, cluster, 5, ["server-1"], workers)


def _upgrade(rows: RowsFactory, cluster: Any) -> None:
    template = rows.template(labels={"kube_tag": "v1.34.1"})
    workers = rows.nodegroup_named(cluster, "default-worker")
    CLUSTERS.cluster_upgrade(rows.context, cluster, template, 1, workers)


def _delete(rows: RowsFactory, cluster: Any) -> None:
    CLUSTERS.cluster_delete(rows.context, cluster.uuid)


def _create_nodegroup(rows: RowsFactory, cluster: Any) -> None:
    NODEGROUPS.nodegroup_create(rows.context, cluster, rows.new_nodegroup(cluster))


def _update_nodegroup(rows: RowsFactory, cluster: Any) -> None:
    nodegroup = rows.nodegroup(cluster)
    nodegroup.max_node_count = 9
    NODEGROUPS.nodegroup_update(rows.context, cluster, nodegroup)


def _delete_nodegroup(rows: RowsFactory, cluster: Any) -> None:
    NODEGROUPS.nodegroup_delete(rows.context, cluster, rows.nodegroup(cluster))


CALLS: list[Callable[[RowsFactory, Any], None]] = [
    _resize,
    _upgrade,
    _delete,
    _create_nodegroup,
    _update_nodegroup,
    _delete_nodegroup,
]


@pytest.fixture
def lost(functions: FunctionServer, rows: RowsFactory, set_option: Any) -> Callable[[Any], tuple[Any, Any]]:
    """Makes a call whose answer gets lost; gives the cluster's row and the open operation."""
    set_option("operation_timeout", 1)
    set_option("call_timeout", 1)

    def lose(call: Callable[[RowsFactory, Any], None]) -> tuple[Any, Any]:
        cluster = rows.cluster()
        functions.otherwise = hang_up()
        call(rows, cluster)
        functions.otherwise = accepted()
        (operation,) = journal.open_operations(cluster.uuid)
        return rows.refreshed(cluster), operation

    return lose


#: What Magnum's objects say before and after they are read from the database again differs in these.
ROW_FIELDS = ("uuid", "name", "node_count", "max_node_count", "labels", "cluster_template_id")


def _told(request: Received) -> tuple[Any, ...]:
    rows = {"cluster", "cluster_template", "new_cluster_template", "nodegroup"}
    arguments = {key: value for key, value in request.data.items() if key not in rows | {"nodegroups", "context"}}
    told = {key: {field: (request.data.get(key) or {}).get(field) for field in ROW_FIELDS} for key in rows}
    return request.kind, request.id, request.headers["ce-time"], arguments, told


@pytest.mark.parametrize("call", CALLS)
def test_an_open_operation_is_sent_again_as_the_same_event(
    functions: FunctionServer, lost: Any, admin_context: RequestContext, call: Any
) -> None:
    cluster, operation = lost(call)
    assert operations.resend(admin_context, cluster, operation) == Accepted("kube-21d56")
    first, last = functions.received[0], functions.received[-1]
    assert _told(first) == _told(last)
    check_data(last.headers["ce-type"], last.data)
    (answered,) = journal.open_operations(cluster.uuid)
    assert answered.answered is not None


@pytest.mark.parametrize("call", CALLS)
def test_an_operation_that_is_refused_in_the_end_is_closed(
    functions: FunctionServer, lost: Any, admin_context: RequestContext, call: Any
) -> None:
    cluster, operation = lost(call)
    functions.otherwise = rejected("invalid_label", "No.", "Yes.")
    assert operations.resend(admin_context, cluster, operation) == Rejected("invalid_label", "No.", "Yes.")
    assert journal.open_operations(cluster.uuid) == []


@pytest.mark.parametrize("answer", [busy(30), plain(403), plain(200, b"x"), plain(204)])
def test_an_operation_that_no_function_takes_stays_open(
    functions: FunctionServer, lost: Any, admin_context: RequestContext, answer: Any
) -> None:
    cluster, operation = lost(_resize)
    functions.otherwise = answer
    assert operations.resend(admin_context, cluster, operation) is None
    assert open_kinds(cluster) == ["cluster.resize"]


def test_an_option_that_cannot_be_read_leaves_the_operation_open(
    functions: FunctionServer, lost: Any, admin_context: RequestContext, set_option: Any
) -> None:
    cluster, operation = lost(_resize)
    set_option("ca_file", "/nowhere", "capi_client")
    assert operations.resend(admin_context, cluster, operation) is None
    assert open_kinds(cluster) == ["cluster.resize"]


def test_a_create_cannot_be_sent_again_for_want_of_the_users_token(
    functions: FunctionServer, rows: RowsFactory, admin_context: RequestContext
) -> None:
    cluster = create(rows)
    (operation,) = journal.open_operations(cluster.uuid)
    assert operations.resend(admin_context, cluster, operation) is None
    assert len(functions.received) == 1


def test_an_upgrade_whose_conductor_died_before_it_saved_anything_has_its_template_in_the_end(
    functions: FunctionServer, lost: Any, rows: RowsFactory, admin_context: RequestContext
) -> None:
    cluster, operation = lost(_upgrade)
    cluster.cluster_template_id = operation.arguments["previous_cluster_template"]
    cluster.status = "CREATE_COMPLETE"
    cluster.save()
    operations.resend(admin_context, cluster, operation)
    assert rows.refreshed(cluster).cluster_template_id == operation.arguments["new_cluster_template"]


def test_an_upgrade_that_is_refused_in_the_end_has_its_former_template_again(
    functions: FunctionServer, lost: Any, rows: RowsFactory, admin_context: RequestContext
) -> None:
    cluster, operation = lost(_upgrade)
    functions.otherwise = rejected("invalid_label", "No.")
    operations.resend(admin_context, cluster, operation)
    assert rows.refreshed(cluster).cluster_template_id == operation.arguments["previous_cluster_template"]


def test_an_upgrade_is_sent_again_when_somebody_has_deleted_the_former_template(
    functions: FunctionServer, lost: Any, rows: RowsFactory, admin_context: RequestContext
) -> None:
    cluster, operation = lost(_upgrade)
    objects.ClusterTemplate.get_by_uuid(rows.context, operation.arguments["previous_cluster_template"]).destroy()
    assert operations.resend(admin_context, cluster, operation) == Accepted("kube-21d56")
    assert functions.received[-1].data["cluster_template"]["labels"] == {"kube_tag": "v1.34.1"}


def test_an_operation_on_a_nodegroup_that_is_gone_is_closed(
    functions: FunctionServer, lost: Any, rows: RowsFactory, admin_context: RequestContext
) -> None:
    cluster, operation = lost(_delete_nodegroup)
    rows.nodegroup_named(cluster, "gpu").destroy()
    reply = operations.resend(admin_context, cluster, operation)
    assert isinstance(reply, Rejected)
    assert (reply.code, open_kinds(cluster)) == ("not_found", [])
