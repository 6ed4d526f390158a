"""What Magnum's sync of a cluster's status calls, in conductor and listener."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

from magnum.common import exception
from oslo_log import log

from magnum_capi_functions import attention, journal

if TYPE_CHECKING:
    from magnum import objects
    from magnum.common.context import RequestContext

    from magnum_capi_functions.applying import Applied

LOG = log.getLogger(__name__)

# Set while Magnum's own job does what follows a change that is saved: it calls the driver first.
_FOLLOWING_UP: ContextVar[bool] = ContextVar("following_up", default=False)


def update_cluster_status(context: RequestContext, cluster: objects.Cluster) -> None:
    """
    Brings the rows up to date. `cluster` gets the new fields where this call has changed its status, and keeps the old
    ones where somebody else has, so that Magnum tells others once. Raises oslo.db's DBError.
    """
    if _FOLLOWING_UP.get():
        return
    try:
        applied = attention.attend(context, cluster.uuid)
    except exception.ClusterNotFound:
        LOG.info("Cluster %s was removed meanwhile.", cluster.uuid)
        return
    if applied is None or not applied.has_ended:
        return
    for name in applied.cluster.fields:
        if applied.cluster.obj_attr_is_set(name):
            setattr(cluster, name, getattr(applied.cluster, name))
    # It is saved already.
    cluster.obj_reset_changes()


def follow_up(context: RequestContext, applied: Applied) -> None:
    """
    Lets Magnum do what follows a change of the cluster's status: it sends notifications, and removes what belongs to a
    deleted cluster. Raises whatever stops that; Magnum's periodic call does it again for a cluster that is to go.
    """
    # Magnum's conductor has imported it before it looks for drivers, which this module belongs to.
    from magnum.service.periodic import ClusterUpdateJob  # noqa: PLC0415
    from oslo_service.loopingcall import LoopingCallDone  # noqa: PLC0415

    token = _FOLLOWING_UP.set(True)
    try:
        ClusterUpdateJob(context, applied.cluster).update_status()
    except LoopingCallDone:
        return
    except (exception.ClusterNotFound, exception.NodeGroupNotFound):
        LOG.info("Cluster %s was removed meanwhile.", applied.cluster.uuid)
    finally:
        _FOLLOWING_UP.reset(token)
        if applied.cluster.status == "DELETE_COMPLETE":
            journal.forget(applied.cluster.uuid)
