"""How Magnum's rows stand after a nodegroup is created, updated or deleted."""

from __future__ import annotations

from typing import Any

import pytest
from conductor import REFUSED, SENTENCE, Conductor, open_kinds
from function_server import FunctionServer, Received, accepted, hang_up, plain, unavailable
from magnum import objects
from magnum.common import exception
from magnum_rows_factory import RowsFactory

from magnum_capi_functions import journal

NODEGROUPS = Conductor().nodegroups
OF_NODEGROUP = f"Nodegroup gpu: {SENTENCE}"


def create(rows: RowsFactory) -> tuple[Any, Any]:
    cluster = rows.cluster()
    NODEGROUPS.nodegroup_create(rows.context, cluster, rows.new_nodegroup(cluster))
    return rows.refreshed(cluster), rows.nodegroup_named(cluster, "gpu")


def update(rows: RowsFactory) -> tuple[Any, Any]:
    cluster = rows.cluster()
    nodegroup = rows.nodegroup(cluster, status_reason="before")
    nodegroup.max_node_count, nodegroup.labels = 9, {"boot_volume_size": "50"}
    NODEGROUPS.nodegroup_update(rows.context, cluster, nodegroup)
    return rows.refreshed(cluster), rows.nodegroup_named(cluster, "gpu")


def delete(rows: RowsFactory) -> tuple[Any, Any]:
    cluster = rows.cluster()
    NODEGROUPS.nodegroup_delete(rows.context, cluster, rows.nodegroup(cluster))
    return rows.refreshed(cluster), rows.nodegroup_named(cluster, "gpu")


CALLS = {
    "nodegroup.create": (create, "CREATE_IN_PROGRESS", "CREATE_FAILED"),
    "nodegroup.update": (update, "UPDATE_IN_PROGRESS", "UPDATE_FAILED"),
    "nodegroup.delete": (delete, "DELETE_IN_PROGRESS", "DELETE_FAILED"),
}


@pytest.mark.parametrize(("kind", "call", "running"), [(kind, call, now) for kind, (call, now, _) in CALLS.items()])
def test_a_call_that_is_accepted_is_in_progress(
    functions: FunctionServer, rows: RowsFactory, kind: str, call: Any, running: str
) -> None:
    cluster, nodegroup = call(rows)
    assert (cluster.status, nodegroup.status, nodegroup.status_reason) == ("UPDATE_IN_PROGRESS", running, None)
    (operation,) = journal.open_operations(cluster.uuid)
    assert (operation.kind, operation.target, operation.answered is not None) == (kind, "gpu", True)


@pytest.mark.parametrize(("call", "running"), [(call, now) for call, now, _ in CALLS.values()])
def test_a_call_is_saved_in_progress_before_a_function_hears_of_it(
    functions: FunctionServer, rows: RowsFactory, call: Any, running: str
) -> None:
    seen: list[tuple[str, str, list[str]]] = []

    def look(request: Received) -> Any:
        cluster = objects.Cluster.get_by_uuid(rows.context, request.headers["ce-subject"])
        seen.append((cluster.status, rows.nodegroup_named(cluster, "gpu").status, open_kinds(cluster)))
        return accepted()(request)

    functions.answers(look)
    call(rows)
    assert seen == [("UPDATE_IN_PROGRESS", running, [functions.received[0].kind])]


def refused(rows: RowsFactory, call: Any) -> tuple[Any, Any]:
    with pytest.raises(exception.ResourceLimitExceeded):
        call(rows)
    (cluster,) = objects.Cluster.list(rows.context)
    return cluster, rows.nodegroup_named(cluster, "gpu")


@pytest.mark.parametrize(("call", "failed"), [(call, failed) for call, _, failed in CALLS.values()])
def test_a_call_that_is_refused_has_failed_and_says_why_on_both_rows(
    functions: FunctionServer, rows: RowsFactory, call: Any, failed: str
) -> None:
    functions.answers(REFUSED)
    cluster, nodegroup = refused(rows, call)
    assert (nodegroup.status, nodegroup.status_reason) == (failed, SENTENCE)
    assert (cluster.status, cluster.status_reason) == ("UPDATE_FAILED", OF_NODEGROUP)
    assert open_kinds(cluster) == []


def test_an_update_that_is_refused_leaves_the_values_as_they_were(functions: FunctionServer, rows: RowsFactory) -> None:
    functions.answers(REFUSED)
    _, nodegroup = refused(rows, update)
    assert (nodegroup.max_node_count, nodegroup.labels) == (4, {"kube_tag": "v1.33.4"})


def test_an_update_that_is_accepted_has_saved_its_values(functions: FunctionServer, rows: RowsFactory) -> None:
    _, nodegroup = update(rows)
    assert (nodegroup.max_node_count, nodegroup.labels) == (9, {"boot_volume_size": "50"})


@pytest.mark.parametrize("answer", [unavailable(), hang_up(), plain(404), plain(200, b"x")])
@pytest.mark.parametrize(("call", "running"), [(call, now) for call, now, _ in CALLS.values()])
def test_a_call_of_which_no_function_hears_stays_open_and_says_so(
    functions: FunctionServer, rows: RowsFactory, set_option: Any, call: Any, running: str, answer: Any
) -> None:
    set_option("operation_timeout", 1)
    functions.otherwise = answer
    cluster, nodegroup = call(rows)
    assert (cluster.status, nodegroup.status) == ("UPDATE_IN_PROGRESS", running)
    assert nodegroup.status_reason.startswith("The functions cannot be reached yet: ")
    assert len(open_kinds(cluster)) == 1


def test_notes_of_the_function_stand_on_the_nodegroup(functions: FunctionServer, rows: RowsFactory) -> None:
    functions.answers(accepted(notes=("Its zone has no volumes.",)))
    assert create(rows)[1].status_reason == "Its zone has no volumes."


def test_a_nodegroup_that_is_gone_before_the_answer_comes_needs_no_note(
    functions: FunctionServer, rows: RowsFactory
) -> None:
    def answer_late(request: Received) -> Any:
        cluster = objects.Cluster.get_by_uuid(rows.context, request.headers["ce-subject"])
        rows.nodegroup_named(cluster, "gpu").destroy()
        return accepted(notes=("Something stays.",))(request)

    functions.answers(answer_late)
    cluster = rows.cluster()
    NODEGROUPS.nodegroup_delete(rows.context, cluster, rows.nodegroup(cluster))
    assert rows.refreshed(cluster).status == "UPDATE_IN_PROGRESS"


def test_operations_on_several_nodegroups_are_open_side_by_side(functions: FunctionServer, rows: RowsFactory) -> None:
    cluster, _ = create(rows)
    NODEGROUPS.nodegroup_create(rows.context, cluster, rows.new_nodegroup(cluster, name="cpu"))
    assert {operation.target for operation in journal.open_operations(cluster.uuid)} == {"gpu", "cpu"}
