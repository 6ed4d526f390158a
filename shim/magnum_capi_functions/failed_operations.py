"""What becomes of the rows where an operation came to nothing. No input or output, no clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from magnum_capi_functions.row_changes import Changes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnum_capi_functions.journal import Operation
    from magnum_capi_functions.row_changes import ClusterRow, NodegroupRow

# Magnum lets nobody change or delete a nodegroup in CREATE_FAILED or DELETE_FAILED (nodegroup_conductor.py), but one in
# UPDATE_FAILED.
_NODEGROUP_FAILED = "UPDATE_FAILED"


def failed_operation(operation: Operation, sentence: str, cluster: ClusterRow, others: Sequence[Operation]) -> Changes:
    """The operation was refused or given up, `others` are still open. It is told to the user by the sentence."""
    if operation.kind == "cluster.create":
        return _created_nothing(operation, sentence, cluster)
    if operation.kind == "cluster.delete":
        return _cluster_alone(operation, {"status": "DELETE_FAILED", "status_reason": sentence})
    if operation.target == "":
        return _as_before(operation, sentence, cluster)
    return _of_nodegroup(operation, sentence, cluster, others)


def lost_create(sentence: str, cluster: ClusterRow) -> Changes:
    """A create that no conductor came to journal."""
    return Changes(cluster=_failed("CREATE_FAILED", sentence), nodegroups=_all_in_progress(cluster, sentence))


def _created_nothing(operation: Operation, sentence: str, cluster: ClusterRow) -> Changes:
    if cluster.status != "CREATE_IN_PROGRESS":
        return Changes(known=(operation,))
    changes = lost_create(sentence, cluster)
    return Changes(cluster=changes.cluster, nodegroups=changes.nodegroups, known=(operation,))


def _all_in_progress(cluster: ClusterRow, sentence: str) -> dict[str, dict[str, Any]]:
    rows = [row for row in cluster.nodegroups if row.status == "CREATE_IN_PROGRESS"]
    return {row.name: _failed("CREATE_FAILED", sentence) for row in rows}


def _as_before(operation: Operation, sentence: str, cluster: ClusterRow) -> Changes:
    """From UPDATE_FAILED Magnum refuses upgrades for ever, and of this one nothing was written."""
    if operation.kind != "cluster.upgrade" or cluster.status != "UPDATE_IN_PROGRESS":
        return Changes(known=(operation,))
    fields: dict[str, Any] = {"status": "UPDATE_COMPLETE", "status_reason": sentence}
    previous = operation.arguments.get("previous_cluster_template")
    if previous:
        fields["cluster_template_id"] = previous
    rows = [row for row in cluster.nodegroups if row.status == "UPDATE_IN_PROGRESS"]
    complete = {"status": "UPDATE_COMPLETE", "status_reason": None}
    return Changes(cluster=fields, nodegroups={row.name: complete for row in rows}, known=(operation,))


def _of_nodegroup(operation: Operation, sentence: str, cluster: ClusterRow, others: Sequence[Operation]) -> Changes:
    rows = [row for row in cluster.nodegroups if row.name == operation.target and _goes_on(row)]
    if all(row.name != operation.target for row in cluster.nodegroups):
        # A nodegroup that is gone waits for nothing.
        return Changes(known=(operation,))
    failed = _failed(_NODEGROUP_FAILED, sentence)
    is_last = not others and cluster.status == "UPDATE_IN_PROGRESS"
    return Changes(
        cluster=_failed("UPDATE_FAILED", sentence) if is_last else {},
        nodegroups={row.name: failed for row in rows},
        known=(operation,),
    )


def lost_change(name: str, sentence: str) -> Changes:
    """A change of a nodegroup that no conductor came to journal."""
    return Changes(nodegroups={name: _failed(_NODEGROUP_FAILED, sentence)})


def _goes_on(row: NodegroupRow) -> bool:
    return row.status is not None and row.status.endswith("_IN_PROGRESS")


def _cluster_alone(operation: Operation, fields: dict[str, Any]) -> Changes:
    return Changes(cluster=fields, known=(operation,))


def _failed(status: str, sentence: str) -> dict[str, Any]:
    return {"status": status, "status_reason": sentence}
