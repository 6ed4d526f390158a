"""How Magnum's rows stand after a cluster is updated."""

from __future__ import annotations

import pytest
from conductor import CLUSTERS, REFUSED, SENTENCE, nodegroups, open_kinds
from function_server import (
    FunctionServer,
)
from magnum.common import exception
from magnum_rows_factory import RowsFactory


def test_a_new_node_count_that_is_accepted_is_in_progress_with_its_workers(
    functions: FunctionServer, rows: RowsFactory
) -> None:
    cluster = rows.cluster()
    CLUSTERS.cluster_update(rows.context, cluster, 5, None, None)
    cluster = rows.refreshed(cluster)
    assert cluster.status == "UPDATE_IN_PROGRESS"
    assert nodegroups(cluster)["default-worker"] == ("UPDATE_IN_PROGRESS", None)
    assert (open_kinds(cluster), cluster.node_count) == (["cluster.resize"], 5)


def test_a_new_node_count_that_is_refused_has_failed_with_its_workers_and_the_old_count(
    functions: FunctionServer, rows: RowsFactory
) -> None:
    functions.answers(REFUSED)
    cluster = rows.cluster()
    with pytest.raises(exception.ResourceLimitExceeded):
        CLUSTERS.cluster_update(rows.context, cluster, 5, None, None)
    cluster = rows.refreshed(cluster)
    assert (cluster.status, cluster.status_reason, cluster.node_count) == ("UPDATE_FAILED", SENTENCE, 2)
    assert nodegroups(cluster)["default-worker"] == ("UPDATE_FAILED", SENTENCE)


def test_a_new_node_count_of_the_health_alone_asks_no_function(functions: FunctionServer, rows: RowsFactory) -> None:
    cluster = rows.cluster()
    CLUSTERS.cluster_update(rows.context, cluster, 2, "HEALTHY", {"api": "ok"})
    assert functions.received == []
    assert rows.refreshed(cluster).health_status == "HEALTHY"
