"""Operations on clusters: what is saved in the rows before, after, and when nothing comes of them."""

from __future__ import annotations

from typing import Any

from magnum import objects
from magnum.common import exception
from magnum.objects.fields import ClusterStatus

from magnum_capi_functions.operations import RowChanges, Waiting, start
from magnum_capi_functions.options import settings
from magnum_capi_functions.refusals import failure, unsupported
from magnum_capi_functions.replies import Accepted, NotSent
from magnum_capi_functions.requested_operation import RequestedOperation, upgrade_arguments
from magnum_capi_functions.row_reasons import tell


def create(context: Any, cluster: Any, timeout_minutes: int | None) -> None:
    """Saves the references to the new certificates first: the cluster may come to be without anybody hearing of it.

    :raises magnum.common.exception.MagnumException: refused, or no function could be told; its nodegroups have failed.
    """
    arguments = {"cluster_create_timeout": timeout_minutes if isinstance(timeout_minutes, int) else None}
    requested = RequestedOperation("cluster.create", context, cluster, arguments=arguments)
    changes = RowChanges(begin=cluster.save, undo=lambda sentence: _fail_nodegroups(cluster, sentence))
    try:
        outcome = start(requested, settings().operation_timeout, changes)
    except NotSent as error:
        raise failure(f"{error.sentence} Nothing was created.") from None
    if outcome is None:
        # Magnum copies it to the nodegroups.
        cluster.stack_id = objects.Cluster.get_by_uuid(context, cluster.uuid).stack_id
    elif isinstance(outcome, Accepted):
        cluster.stack_id = outcome.stack_id
        cluster.status_reason = outcome.sentence or None
    else:
        cluster.status_reason = f"{outcome.reason} Whether the cluster is being created shows within minutes."
    cluster.save()


def _fail_nodegroups(cluster: Any, sentence: str) -> None:
    """Magnum leaves the nodegroups of a cluster that could not be created in progress for ever."""
    for nodegroup in cluster.nodegroups:
        nodegroup.status = ClusterStatus.CREATE_FAILED
        nodegroup.status_reason = sentence
        nodegroup.save()


def resize(context: Any, cluster: Any, nodegroup: Any, change: tuple[int, list[str] | None]) -> None:
    """`change`: the number of nodes, and those to remove.

    :raises magnum.common.exception.MagnumException: refused; Magnum restores the node count.
    """
    node_count, nodes_to_remove = change
    arguments = {"node_count": node_count, "nodes_to_remove": [str(node) for node in nodes_to_remove or []]}
    requested = RequestedOperation("cluster.resize", context, cluster, nodegroup, arguments)
    changes = RowChanges(
        begin=lambda: _begin_update(cluster, nodegroup),
        undo=lambda sentence: _fail_update(nodegroup, sentence),
    )
    tell(nodegroup, start(requested, settings().operation_timeout, changes))


def resize_default_workers(context: Any, cluster: Any) -> None:
    """What Magnum's update of a cluster is: its default workers have a new node count, saved already."""
    workers = cluster.default_ng_worker
    resize(context, cluster, workers, (workers.node_count, None))


def _begin_update(cluster: Any, nodegroup: Any) -> None:
    nodegroup.status, nodegroup.status_reason = ClusterStatus.UPDATE_IN_PROGRESS, None
    nodegroup.save()
    cluster.status, cluster.status_reason = ClusterStatus.UPDATE_IN_PROGRESS, None
    cluster.save()


def _fail_update(nodegroup: Any, sentence: str) -> None:
    """Magnum does the same after a resize, but not after an update of the cluster."""
    nodegroup.status, nodegroup.status_reason = ClusterStatus.UPDATE_FAILED, sentence
    nodegroup.save()


def upgrade(context: Any, cluster: Any, template: Any, extent: tuple[int | None, Any]) -> None:
    """`extent`: how many machines at once, and the nodegroup that Magnum names. A client waits for the end of this.

    :raises magnum.common.exception.NotSupported: refused, or no function could be told; the row is as it was.
    """
    max_batch_size, nodegroup = extent
    arguments = upgrade_arguments(cluster, template, max_batch_size, nodegroup)
    requested = RequestedOperation("cluster.upgrade", context, cluster, nodegroup, arguments)
    changes = RowChanges(
        begin=lambda: _save_template(cluster, template.uuid),
        undo=lambda _sentence: _save_template(cluster, arguments["previous_cluster_template"]),
    )
    try:
        start(requested, settings().call_timeout, changes)
    except NotSent as error:
        raise unsupported(f"{error.sentence} Nothing was changed.") from None
    except exception.MagnumException as error:
        # After anything but NotSupported the cluster is UPDATE_FAILED, from which Magnum allows no other upgrade.
        raise unsupported(str(error)) from None


def _save_template(cluster: Any, template_uuid: str) -> None:
    cluster.cluster_template_id = template_uuid
    cluster.save()


def delete(context: Any, cluster: Any) -> None:
    """One without a stack id is deleted too: its create may have begun something.

    :raises magnum.common.exception.MagnumException: refused.
    """
    outcome = start(
        RequestedOperation("cluster.delete", context, cluster),
        settings().operation_timeout,
        RowChanges(begin=lambda: _begin_deletion(cluster)),
    )
    if isinstance(outcome, Waiting):
        tell(cluster, outcome)


def _begin_deletion(cluster: Any) -> None:
    cluster.status, cluster.status_reason = ClusterStatus.DELETE_IN_PROGRESS, None
    cluster.save()
