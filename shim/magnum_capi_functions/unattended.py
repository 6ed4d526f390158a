"""Clusters that wait for something although Magnum's periodic call, which polls those in progress, passes them over."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import sqlalchemy as sa
from magnum.common import context as magnum_context
from magnum.common import exception
from magnum.db.sqlalchemy import models
from oslo_log import log

from magnum_capi_functions import attention, journal, status
from magnum_capi_functions.journal_tables import reading

if TYPE_CHECKING:
    from magnum.common.context import RequestContext

LOG = log.getLogger(__name__)

_IN_PROGRESS = "%\\_IN\\_PROGRESS"


class Sweep(threading.Thread):
    """Looks after them every `interval` seconds, until it is told to stop."""

    def __init__(self, interval: float) -> None:
        super().__init__(name="sweep", daemon=True)
        self._interval = interval
        self._stopping = threading.Event()

    def run(self) -> None:
        while not self._stopping.wait(self._interval):
            try:
                sweep(self._stopping)
            except Exception:  # the next one may be luckier
                LOG.warning("A sweep was not finished.", exc_info=True)

    def stop(self) -> None:
        """A look at a cluster that has begun is finished."""
        self._stopping.set()


def sweep(stopping: threading.Event | None = None) -> None:
    """Looks once. What happens to one cluster does not concern the others. Raises oslo.db's DBError."""
    context = magnum_context.make_admin_context(all_tenants=True)
    _forget_removed()
    for cluster_uuid in unattended_clusters():
        if stopping is not None and stopping.is_set():
            return
        _look_after(context, cluster_uuid)


def unattended_clusters() -> list[str]:
    """Not in progress, with an operation that no report has told of, or with a nodegroup in progress."""
    cluster, nodegroup = models.Cluster, models.NodeGroup
    waiting = sa.select(nodegroup.cluster_id).where(nodegroup.status.like(_IN_PROGRESS, escape="\\"))
    opened = journal.clusters_with_open_operations()
    query = sa.select(cluster.uuid).where(
        sa.not_(sa.func.coalesce(cluster.status, "").like(_IN_PROGRESS, escape="\\")),
        sa.or_(cluster.uuid.in_(waiting), cluster.uuid.in_(opened)),
    )
    with reading() as session:
        return list(session.execute(query.order_by(cluster.id)).scalars())


def _look_after(context: RequestContext, cluster_uuid: str) -> None:
    try:
        applied = attention.attend(context, cluster_uuid)
        if applied is not None and applied.has_ended:
            status.follow_up(context, applied)
    except exception.ClusterNotFound:
        journal.forget(cluster_uuid)
    except Exception:  # the next sweep looks again
        LOG.warning("Cluster %s could not be looked after.", cluster_uuid, exc_info=True)


def _forget_removed() -> None:
    known = journal.known_clusters()
    if not known:
        return
    with reading() as session:
        left = set(session.execute(sa.select(models.Cluster.uuid)).scalars())
    for cluster_uuid in known:
        if cluster_uuid not in left:
            journal.forget(cluster_uuid)
