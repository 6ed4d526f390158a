"""Ends what nobody can carry out: operations of which no function could be told, or that were lost with a conductor."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from magnum_capi_functions import applying, functions, journal
from magnum_capi_functions.failed_operations import failed_operation, lost_change, lost_create
from magnum_capi_functions.magnum_rows import MagnumRows
from magnum_capi_functions.row_changes import Changes, NodegroupRow, Situation

if TYPE_CHECKING:
    from magnum.common.context import RequestContext

    from magnum_capi_functions.journal import Operation
    from magnum_capi_functions.status_report import NodegroupReport, StatusReport

# A conductor saves a nodegroup in progress, tells others by RabbitMQ, and then calls the driver, which journals it.
_NODEGROUP_PATIENCE = timedelta(seconds=120)
# Of the cluster's row alone less hangs on it, and Magnum's saves of the health make it look young once a minute.
_CLUSTER_PATIENCE = timedelta(seconds=45)

_NEVER_POSTED = (
    "The functions that create clusters know nothing of this one: they could not be reached, or the conductor stopped. "
    "Delete the cluster and create it again."
)
_LOST = "The operation was lost with the conductor that had taken it, and nothing was changed. Ask for it again."


@dataclass(frozen=True)
class Patience:
    """How long operations may remain unknown to the functions."""

    create: timedelta  # where the status function knows nothing of the cluster
    operation: timedelta  # whatever the functions say, or where they say nothing


def end_lost_operations(
    context: RequestContext, cluster_uuid: str, patience: Patience, *, has_answer: bool
) -> applying.Applied | None:
    """
    `has_answer` = the status function has just been asked, and the last report is as new.

    :raises magnum.common.exception.ClusterNotFound: the cluster is not Magnum's.
    """
    with journal.report_lock(cluster_uuid):
        rows = MagnumRows(context, cluster_uuid)
        situation = applying.situation(rows)
        changes = _given_up(situation, patience, has_answer)
        if changes is None and has_answer and not situation.operations:
            changes = _orphaned(rows, situation, patience)
        if changes is None or not changes.is_anything:
            return None
        applying.save(cluster_uuid, rows, changes)
    return applying.Applied(changes, rows.cluster)


def _given_up(situation: Situation, patience: Patience, has_answer: bool) -> Changes | None:
    """One at a time: the next look ends the next."""
    for operation in situation.operations:
        sentence = _sentence(operation, situation, patience, has_answer)
        if sentence is not None:
            others = [one for one in situation.operations if one is not operation]
            return failed_operation(operation, sentence, situation.cluster, others)
    return None


def _sentence(operation: Operation, situation: Situation, patience: Patience, has_answer: bool) -> str | None:
    """Why the operation is given up; None where it is not."""
    age = journal.utc_now() - operation.started
    if operation.kind == "cluster.create":
        knows_nothing = has_answer and (situation.last is None or situation.last.report.is_about_nothing())
        return _NEVER_POSTED if age > patience.operation or (knows_nothing and age > patience.create) else None
    if age <= patience.operation:
        return None
    minutes = round(patience.operation.total_seconds() / 60)
    what = f"Nodegroup {operation.target}" if operation.target else "The cluster"
    return (
        f"{what} could not be changed ({operation.kind}): no function confirmed that within {minutes} minutes. "
        "Ask for it again."
    )


def _orphaned(rows: MagnumRows, situation: Situation, patience: Patience) -> Changes | None:
    """Rows in progress for which there is no operation, neither in the journal nor with the functions."""
    report = None if situation.last is None else situation.last.report
    cluster = situation.cluster
    if cluster.status == "CREATE_IN_PROGRESS":
        is_lost = report is None or report.is_about_nothing()
        created = rows.cluster.created_at
        is_old = created is not None and journal.utc_now() - created > patience.create
        return lost_create(_NEVER_POSTED, cluster) if is_lost and is_old else None
    if report is None or cluster.status in ("DELETE_IN_PROGRESS", "DELETE_FAILED"):
        return None
    for row in cluster.nodegroups:
        if _is_in_progress(row.status) and _is_old(rows.nodegroups[row.name], _NODEGROUP_PATIENCE):
            return _orphaned_nodegroup(rows, row, report)
    return _orphaned_cluster(rows, situation, report)


def _orphaned_nodegroup(rows: MagnumRows, row: NodegroupRow, report: StatusReport) -> Changes | None:
    entry = report.nodegroup(row.name)
    if entry is not None and entry.progress.state == "IN_PROGRESS" and _is_there(entry):
        return None
    if row.status == "UPDATE_IN_PROGRESS":
        return lost_change(row.name, _LOST)
    # What is to be there or not, the row says; so it can be asked for without the conductor.
    kind = "nodegroup.create" if row.status == "CREATE_IN_PROGRESS" else "nodegroup.delete"
    nodegroup = rows.nodegroups[row.name]
    started = functions.now()
    journal.open_operation(
        journal.Operation(rows.cluster.uuid, nodegroup.name, functions.new_event_id(), kind, {}, started)
    )
    return None


def _is_there(entry: NodegroupReport) -> bool:
    """Whether it goes on by itself: it has a record, or a number of nodes, as one that the original driver works on."""
    return entry.progress.operation is not None or entry.node_count is not None


def _orphaned_cluster(rows: MagnumRows, situation: Situation, report: StatusReport) -> Changes | None:
    """Its nodegroups are done, and the last operation that the functions know is not the one that it waits for."""
    state = report.progress.state
    if situation.cluster.status != "UPDATE_IN_PROGRESS" or state == "IN_PROGRESS":
        return None
    if any(_is_in_progress(row.status) for row in situation.cluster.nodegroups):
        return None
    if not _is_old(rows.cluster, _CLUSTER_PATIENCE):
        return None
    return Changes(cluster={"status": f"UPDATE_{state}", "status_reason": _LOST})


def _is_in_progress(status: str | None) -> bool:
    return status is not None and status.endswith("_IN_PROGRESS")


def _is_old(row: object, age: timedelta) -> bool:
    """By its last save: a report that has just changed it gives it that time once more."""
    saved: datetime | None = getattr(row, "updated_at", None) or getattr(row, "created_at", None)
    return saved is not None and journal.utc_now() - saved > age
