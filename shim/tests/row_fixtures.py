"""Rows of one cluster before a report, and what the report changes in them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from report_fixtures import MASTER, STACK_ID, WORKER, Said, at, complete, status_data

from magnum_capi_functions.journal import Operation
from magnum_capi_functions.row_changes import Changes, ClusterRow, NodegroupRow, Situation, TimedReport, row_changes
from magnum_capi_functions.status_report import parse_status

#: What `cluster_row()` shows: one node in each nodegroup.
CREATED_SMALL = status_data(complete("C", "CREATE"), {MASTER: complete("C", "CREATE"), WORKER: complete("C", "CREATE")})


def cluster_row(status: str | None = "CREATE_COMPLETE", **changes: Any) -> ClusterRow:
    """A cluster with both default nodegroups in the same status."""
    nodegroups = tuple(nodegroup_row(name, status) for name in (MASTER, WORKER))
    facts = {"stack_id": STACK_ID, "api_address": "https://192.0.2.10:6443", "coe_version": "v1.33.4"}
    return ClusterRow(**({"status": status, "nodegroups": nodegroups} | facts | changes))


def nodegroup_row(name: str = WORKER, status: str | None = "CREATE_COMPLETE", **changes: Any) -> NodegroupRow:
    return NodegroupRow(
        **({"name": name, "status": status, "node_count": 1, "node_addresses": ("192.0.2.20",), "stack_id": STACK_ID})
        | changes
    )


def with_worker(row: ClusterRow, **changes: Any) -> ClusterRow:
    return replace(row, nodegroups=(row.nodegroups[0], replace(row.nodegroups[1], **changes)))


def told(data: dict[str, Any], seconds: float = 100) -> TimedReport:
    return TimedReport(at(seconds), parse_status(data))


def changes_of(
    row: ClusterRow,
    data: dict[str, Any],
    *operations: Operation,
    last: dict[str, Any] | None = None,
) -> Changes:
    situation = Situation(row, operations, None if last is None else told(last, 50))
    changes = row_changes(situation, told(data))
    assert changes is not None
    return changes


def resized(said: Said, cluster: Said | None = None) -> dict[str, Any]:
    """A report of the worker's nodegroup."""
    return status_data(
        cluster or Said(said.operation, "UPDATE", said.state), {MASTER: complete("C", "CREATE"), WORKER: said}
    )
