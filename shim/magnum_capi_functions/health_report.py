"""The data of `org.openstack.magnum.cluster.health.v1` (docs/events.md), and its way into a cluster's row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from magnum import objects

from magnum_capi_functions import journal

if TYPE_CHECKING:
    from datetime import datetime

    from magnum.common.context import RequestContext

_STATUSES = ("HEALTHY", "UNHEALTHY", "UNKNOWN")


@dataclass(frozen=True)
class HealthReport:
    cluster_uuid: str
    health_status: str
    health_status_reason: dict[str, str]


def parse_health(data: object) -> HealthReport:
    """Raises ValueError that names the field which is missing or of another type."""
    fields = data if isinstance(data, dict) else {}
    uuid, status, reason = (fields.get(name) for name in ("cluster_uuid", "health_status", "health_status_reason"))
    if not isinstance(uuid, str):
        raise ValueError("Field cluster_uuid is no text.")
    if status not in _STATUSES:
        raise ValueError(f"Field health_status is none of {', '.join(_STATUSES)}.")
    if not isinstance(reason, dict) or not all(isinstance(text, str) for text in reason.values()):
        raise ValueError("Field health_status_reason is no object of texts.")
    return HealthReport(uuid, status, reason)


def apply_health(context: RequestContext, time: datetime, report: HealthReport) -> bool:
    """
    Saves what differs; False where a newer report was applied before.

    :raises magnum.common.exception.ClusterNotFound: the cluster is not Magnum's.
    """
    # Nothing is kept of a cluster that is not Magnum's.
    objects.Cluster.get_by_uuid(context, report.cluster_uuid)
    with journal.report_lock(report.cluster_uuid):
        cluster = objects.Cluster.get_by_uuid(context, report.cluster_uuid)
        stored = journal.last_report(report.cluster_uuid)
        moment = min(time, journal.utc_now())
        if stored is not None and stored.health_time is not None and moment < stored.health_time:
            return False
        _save(cluster, report)
        journal.store_health(report.cluster_uuid, moment)
    return True


def _save(cluster: objects.Cluster, report: HealthReport) -> None:
    if cluster.health_status != report.health_status:
        cluster.health_status = report.health_status
    if (cluster.health_status_reason or {}) != report.health_status_reason:
        cluster.health_status_reason = report.health_status_reason
    if cluster.obj_what_changed():
        cluster.save()
