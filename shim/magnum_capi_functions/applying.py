"""Applies reports to Magnum's rows, one at a time for each cluster in all processes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from magnum import objects
from oslo_log import log

from magnum_capi_functions import journal
from magnum_capi_functions.failed_operations import failed_operation
from magnum_capi_functions.magnum_rows import MagnumRows
from magnum_capi_functions.row_changes import Changes, Situation, TimedReport, row_changes
from magnum_capi_functions.status_report import parse_status

if TYPE_CHECKING:
    from magnum.common.context import RequestContext

LOG = log.getLogger(__name__)

# Reports of a function whose clock is ahead would else keep out all that come until then.
_CLOCK_TOLERANCE = timedelta(seconds=10)
# Somebody else who found the cluster deleted needs no longer to remove its rows; after that, he has died on the way.
_REMOVAL = timedelta(seconds=10)


@dataclass(frozen=True)
class Applied:
    """What was saved. `cluster` is the row with it; that it is deleted only the object says, not the database."""

    changes: Changes
    cluster: objects.Cluster
    is_repeated: bool = False  # the same was applied before, and others have been told

    @property
    def has_ended(self) -> bool:
        """Whether the cluster has another status now that Magnum tells others of."""
        status = self.changes.cluster.get("status", "IN_PROGRESS")
        return status == "DELETE_COMPLETE" or not (self.is_repeated or status.endswith("IN_PROGRESS"))


def apply_report(context: RequestContext, cluster_uuid: str, time: datetime, data: dict[str, Any]) -> Applied | None:
    """
    None where a newer one was applied, or somebody else is just removing the cluster. `data` is that of
    `cluster.status.v1`, `time` the event's.

    :raises ValueError: the data is of another form.
    :raises magnum.common.exception.ClusterNotFound: the cluster is not Magnum's.
    """
    report = parse_status(data)
    told = TimedReport(min(time, journal.utc_now() + _CLOCK_TOLERANCE), report)
    # Nothing is kept of a cluster that is not Magnum's.
    objects.Cluster.get_by_uuid(context, cluster_uuid)
    with journal.report_lock(cluster_uuid):
        rows = MagnumRows(context, cluster_uuid)
        stored = journal.last_report(cluster_uuid)
        changes = row_changes(_situation(rows, stored), told)
        if changes is None or _is_being_removed(changes, stored):
            return None
        save(cluster_uuid, rows, changes)
        journal.store_report(cluster_uuid, told.time, data)
    return Applied(changes, rows.cluster)


def apply_last_report(context: RequestContext, cluster_uuid: str) -> Applied | None:
    """
    Applies once more what was reported last, where a conductor's later save has undone it. None where it has not.

    :raises magnum.common.exception.ClusterNotFound: the cluster is not Magnum's.
    """
    with journal.report_lock(cluster_uuid):
        rows = MagnumRows(context, cluster_uuid)
        stored = journal.last_report(cluster_uuid)
        told = _told(stored)
        changes = None if told is None else row_changes(_situation(rows, stored), told)
        if told is None or stored is None or changes is None or not _is_undone(changes):
            return None
        if _is_being_removed(changes, stored):
            return None
        save(cluster_uuid, rows, changes)
        journal.store_report(cluster_uuid, told.time, stored.status or {})
    return Applied(changes, rows.cluster, is_repeated=True)


def fail_operation(context: RequestContext, operation: journal.Operation, sentence: str) -> Applied:
    """The operation was refused."""
    with journal.report_lock(operation.cluster_uuid):
        rows = MagnumRows(context, operation.cluster_uuid)
        others = [one for one in journal.open_operations(operation.cluster_uuid) if one.event_id != operation.event_id]
        changes = failed_operation(operation, sentence, rows.values(), others)
        save(operation.cluster_uuid, rows, changes)
    return Applied(changes, rows.cluster)


def explain(context: RequestContext, cluster_uuid: str, sentence: str) -> None:
    """
    Tells the user why nothing is known of what goes on, until the next report. What has ended keeps its reason.

    :raises magnum.common.exception.ClusterNotFound: the cluster is not Magnum's.
    """
    with journal.report_lock(cluster_uuid):
        rows = MagnumRows(context, cluster_uuid)
        cluster = rows.values()
        if (cluster.status or "").endswith("_IN_PROGRESS") and cluster.status_reason != sentence:
            rows.save(Changes(cluster={"status_reason": sentence}))


def save(cluster_uuid: str, rows: MagnumRows, changes: Changes) -> None:
    """Belongs inside of the cluster's `report_lock`."""
    rows.save(changes)
    for operation in changes.known:
        journal.close_operation(operation)
    summary = _summary(changes)
    if summary:
        LOG.info("Cluster %s: %s", cluster_uuid, summary)


def situation(rows: MagnumRows) -> Situation:
    """What is known of a cluster now. Belongs inside of its `report_lock`."""
    return _situation(rows, journal.last_report(rows.cluster.uuid))


def _situation(rows: MagnumRows, stored: journal.StoredReport | None) -> Situation:
    return Situation(rows.values(), journal.open_operations(rows.cluster.uuid), _told(stored))


def _told(stored: journal.StoredReport | None) -> TimedReport | None:
    if stored is None or stored.status_time is None or stored.status is None:
        return None
    try:
        return TimedReport(stored.status_time, parse_status(stored.status))
    except ValueError:
        # Stored by another release; the next report takes its place.
        return None


def _is_undone(changes: Changes) -> bool:
    """A number of nodes alone may be one that somebody has just asked for."""
    fields = [changes.cluster, *changes.nodegroups.values()]
    return bool(changes.gone) or any("status" in one for one in fields)


def _is_being_removed(changes: Changes, stored: journal.StoredReport | None) -> bool:
    if changes.cluster.get("status") != "DELETE_COMPLETE" or stored is None or stored.applied_at is None:
        return False
    previous = stored.status or {}
    was_told = (previous.get("action"), previous.get("state")) == ("DELETE", "COMPLETE")
    return was_told and journal.utc_now() - stored.applied_at < _REMOVAL


def _summary(changes: Changes) -> str:
    """Statuses alone: what else changes stands in the rows. '' where none does."""
    targets = {"cluster": changes.cluster, **changes.nodegroups}
    parts = [f"{name} {fields['status']}" for name, fields in targets.items() if "status" in fields]
    parts += [f"{name} is gone" for name in changes.gone]
    return ", ".join(parts)
