"""Each call of Magnum's conductor becomes an event of the contract."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone

import pytest
from conductor import Conductor
from contract import check_data, example
from function_server import FunctionServer, Received
from magnum_rows_factory import RowsFactory

from magnum_capi_functions.driver import UbuntuDriver

CONDUCTOR = Conductor()


def _create(rows: RowsFactory) -> None:
    CONDUCTOR.clusters.cluster_create(rows.context, rows.new_cluster(name="Zürich 日本"), 1, 2, 60)


def _resize(rows: RowsFactory) -> None:
    cluster = rows.cluster()
    workers = rows.nodegroup_named(cluster, "default-worker")
    CONDUCTOR.clusters.cluster_resize(rows.context, cluster, 1, ["0d6f1c5e-7a3b-4b7e-9c55-2f1f6a4f0001"], workers)


def _patch(rows: RowsFactory) -> None:
    CONDUCTOR.clusters.cluster_update(rows.context, rows.cluster(), 5, None, None)


def _upgrade(rows: RowsFactory) -> None:
    cluster = rows.cluster()
    template = rows.template(name="plain-1.34", labels={"kube_tag": "v1.34.1"})
    workers = rows.nodegroup_named(cluster, "default-worker")
    CONDUCTOR.clusters.cluster_upgrade(rows.context, cluster, template, 1, workers)


def _delete(rows: RowsFactory) -> None:
    CONDUCTOR.clusters.cluster_delete(rows.context, rows.cluster().uuid)


def _rotate(rows: RowsFactory) -> None:
    UbuntuDriver().rotate_credential(rows.context, rows.cluster())


def _create_nodegroup(rows: RowsFactory) -> None:
    cluster = rows.cluster()
    CONDUCTOR.nodegroups.nodegroup_create(rows.context, cluster, rows.new_nodegroup(cluster))


def _update_nodegroup(rows: RowsFactory) -> None:
    cluster = rows.cluster()
    nodegroup = rows.nodegroup(cluster)
    nodegroup.max_node_count = 6
    CONDUCTOR.nodegroups.nodegroup_update(rows.context, cluster, nodegroup)


def _delete_nodegroup(rows: RowsFactory) -> None:
    cluster = rows.cluster()
    CONDUCTOR.nodegroups.nodegroup_delete(rows.context, cluster, rows.nodegroup(cluster))


CALLS: dict[str, tuple[Callable[[RowsFactory], None], str]] = {
    "cluster.create": (_create, "cluster-create-plain"),
    "cluster.resize": (_resize, "cluster-resize"),
    "cluster.upgrade": (_upgrade, "cluster-upgrade"),
    "cluster.delete": (_delete, "cluster-delete"),
    "cluster.credential.rotate": (_rotate, "cluster-credential-rotate"),
    "nodegroup.create": (_create_nodegroup, "nodegroup-create"),
    "nodegroup.update": (_update_nodegroup, "nodegroup-update"),
    "nodegroup.delete": (_delete_nodegroup, "nodegroup-delete"),
}

WITH_TOKEN = {"cluster.create", "cluster.credential.rotate"}


def sent(functions: FunctionServer, rows: RowsFactory, kind: str) -> Received:
    CALLS[kind][0](rows)
    (request,) = functions.received
    return request


@pytest.mark.parametrize("kind", CALLS)
def test_a_call_becomes_one_event_that_the_contract_allows(
    functions: FunctionServer, rows: RowsFactory, kind: str
) -> None:
    request = sent(functions, rows, kind)
    assert request.kind == kind
    check_data(request.headers["ce-type"], request.data)
    assert request.headers["ce-subject"] == request.data["cluster"]["uuid"]
    age = datetime.now(timezone.utc) - datetime.fromisoformat(request.headers["ce-time"].replace("Z", "+00:00"))
    assert 0 <= age.total_seconds() < 10


@pytest.mark.parametrize("kind", CALLS)
def test_an_event_has_the_fields_of_its_example(functions: FunctionServer, rows: RowsFactory, kind: str) -> None:
    data, known = sent(functions, rows, kind).data, example(CALLS[kind][1])["data"]
    secrets = {"certificates"} if kind == "cluster.create" else set()
    assert set(data) == set(known) | secrets
    tokens = {"token"} if kind in WITH_TOKEN else set()
    assert set(data["context"]) == set(known["context"]) | tokens
    for part in ("cluster", "cluster_template"):
        assert set(data[part]) == set(known[part])
    for group, options in known["options"].items():
        assert set(options) <= set(data["options"][group])


def test_a_new_cluster_comes_with_its_rows_certificates_and_the_users_token(
    functions: FunctionServer, rows: RowsFactory
) -> None:
    data = sent(functions, rows, "cluster.create").data
    assert (data["cluster"]["name"], data["cluster_create_timeout"]) == ("Zürich 日本", 60)
    assert data["context"]["token"] == rows.context.auth_token
    pairs = data["certificates"]
    assert set(pairs) == {"ca", "etcd", "front_proxy", "sa"}
    assert all(set(pair) == {"certificate", "private_key"} for pair in pairs.values())
    counts = {one["name"]: (one["role"], one["node_count"], one["status"]) for one in data["nodegroups"]}
    assert counts == {
        "default-master": ("master", 1, "CREATE_IN_PROGRESS"),
        "default-worker": ("worker", 2, "CREATE_IN_PROGRESS"),
    }


@pytest.mark.parametrize(
    "kind", [kind for kind in CALLS if kind not in ("cluster.create", "cluster.credential.rotate")]
)
def test_the_users_token_goes_out_with_no_other_event(functions: FunctionServer, rows: RowsFactory, kind: str) -> None:
    assert rows.context.auth_token not in str(sent(functions, rows, kind).data)


def test_a_resize_names_the_nodes_that_go(functions: FunctionServer, rows: RowsFactory) -> None:
    data = sent(functions, rows, "cluster.resize").data
    assert (data["node_count"], data["nodes_to_remove"]) == (1, ["0d6f1c5e-7a3b-4b7e-9c55-2f1f6a4f0001"])
    assert (data["nodegroup"]["name"], data["nodegroup"]["node_count"]) == ("default-worker", 1)


def test_a_new_node_count_of_the_cluster_goes_out_as_a_resize_of_its_default_workers(
    functions: FunctionServer, rows: RowsFactory
) -> None:
    _patch(rows)
    (request,) = functions.received
    assert request.kind == "cluster.resize"
    check_data(request.headers["ce-type"], request.data)
    assert (request.data["node_count"], request.data["nodes_to_remove"]) == (5, [])
    assert request.data["nodegroup"]["name"] == "default-worker"


def test_a_resize_without_nodes_to_remove_names_none(functions: FunctionServer, rows: RowsFactory) -> None:
    cluster = rows.cluster()
    UbuntuDriver().resize_cluster(rows.context, cluster, None, 3, None)
    assert functions.received[0].data["nodes_to_remove"] == []
    assert functions.received[0].data["nodegroup"]["name"] == "default-worker"


def test_an_upgrade_tells_the_template_that_was_and_the_one_that_will_be(
    functions: FunctionServer, rows: RowsFactory
) -> None:
    data = sent(functions, rows, "cluster.upgrade").data
    assert data["cluster_template"]["labels"] == {"kube_tag": "v1.33.4"}
    assert data["cluster"]["cluster_template_id"] == data["cluster_template"]["uuid"]
    assert data["new_cluster_template"]["labels"] == {"kube_tag": "v1.34.1"}
    assert (data["max_batch_size"], data["nodegroup"]["name"]) == (1, "default-worker")


def test_a_nodegroups_new_limits_stand_in_all_of_the_event(functions: FunctionServer, rows: RowsFactory) -> None:
    data = sent(functions, rows, "nodegroup.update").data
    listed = {one["name"]: one["max_node_count"] for one in data["nodegroups"]}
    assert (data["nodegroup"]["max_node_count"], listed["gpu"]) == (6, 6)


def test_a_cluster_without_a_stack_id_is_deleted_too(functions: FunctionServer, rows: RowsFactory) -> None:
    cluster = rows.cluster(status="CREATE_FAILED", stack_id=None)
    CONDUCTOR.clusters.cluster_delete(rows.context, cluster.uuid)
    assert [request.kind for request in functions.received] == ["cluster.delete"]
    check_data(functions.received[0].headers["ce-type"], functions.received[0].data)
