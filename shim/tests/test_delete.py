"""How Magnum's rows stand after a cluster is deleted."""

from __future__ import annotations

from typing import Any

import pytest
from conductor import CLUSTERS, open_kinds
from function_server import (
    FunctionServer,
    Received,
    accepted,
    hang_up,
    plain,
    rejected,
    unavailable,
)
from magnum import objects
from magnum.common import exception
from magnum_rows_factory import RowsFactory


def test_a_deletion_that_is_accepted_is_in_progress_and_ends_all_else(
    functions: FunctionServer, rows: RowsFactory
) -> None:
    cluster = rows.cluster()
    workers = rows.nodegroup_named(cluster, "default-worker")
    CLUSTERS.cluster_resize(rows.context, cluster, 5, [], workers)
    CLUSTERS.cluster_delete(rows.context, cluster.uuid)
    cluster = rows.refreshed(cluster)
    assert (cluster.status, cluster.status_reason) == ("DELETE_IN_PROGRESS", None)
    assert open_kinds(cluster) == ["cluster.delete"]


def test_a_deletion_that_is_refused_has_failed_and_may_be_asked_again(
    functions: FunctionServer, rows: RowsFactory
) -> None:
    functions.answers(rejected("superseded", "A newer operation on the cluster was accepted."))
    cluster = rows.cluster()
    with pytest.raises(exception.Conflict):
        CLUSTERS.cluster_delete(rows.context, cluster.uuid)
    failed = rows.refreshed(cluster)
    assert (failed.status, failed.status_reason) == (
        "DELETE_FAILED",
        "A newer operation on the cluster was accepted.",
    )
    CLUSTERS.cluster_delete(rows.context, cluster.uuid)
    assert rows.refreshed(cluster).status == "DELETE_IN_PROGRESS"


@pytest.mark.parametrize("answer", [plain(403), unavailable(), hang_up()])
def test_a_deletion_of_which_no_function_hears_stays_open(
    functions: FunctionServer, rows: RowsFactory, set_option: Any, answer: Any
) -> None:
    set_option("operation_timeout", 1)
    functions.otherwise = answer
    cluster = rows.cluster()
    CLUSTERS.cluster_delete(rows.context, cluster.uuid)
    cluster = rows.refreshed(cluster)
    assert (cluster.status, open_kinds(cluster)) == ("DELETE_IN_PROGRESS", ["cluster.delete"])


def test_a_deletion_is_saved_in_progress_before_a_function_hears_of_it(
    functions: FunctionServer, rows: RowsFactory
) -> None:
    seen: list[str] = []

    def look(request: Received) -> Any:
        seen.append(objects.Cluster.get_by_uuid(rows.context, request.headers["ce-subject"]).status)
        return accepted("")(request)

    functions.answers(look)
    CLUSTERS.cluster_delete(rows.context, rows.cluster().uuid)
    assert seen == ["DELETE_IN_PROGRESS"]
