"""Operations on nodegroups: what is saved in the rows before, after, and when nothing comes of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from magnum import objects
from magnum.objects.fields import ClusterStatus

from magnum_capi_functions.operations import RowChanges, start
from magnum_capi_functions.options import settings
from magnum_capi_functions.requested_operation import RequestedOperation
from magnum_capi_functions.row_reasons import tell


def create(context: Any, cluster: Any, nodegroup: Any) -> None:
    """Adds the nodegroup, whose row is there.

    :raises magnum.common.exception.MagnumException: refused; Magnum makes the nodegroup CREATE_FAILED.
    """
    requested = RequestedOperation("nodegroup.create", context, cluster, nodegroup)
    _carry_out(requested, RowChanges(undo=lambda sentence: _explain(cluster, nodegroup, sentence)))


def update(context: Any, cluster: Any, nodegroup: Any) -> None:
    """Changes limits, labels or taints.

    :raises magnum.common.exception.MagnumException: refused; the nodegroup has its former values again, and is made
        UPDATE_FAILED.
    """
    restore = _restoring(context, cluster, nodegroup)

    def undo(sentence: str) -> None:
        restore()
        _explain(cluster, nodegroup, sentence)

    requested = RequestedOperation("nodegroup.update", context, cluster, nodegroup)
    changes = RowChanges(begin=lambda: _begin(nodegroup, ClusterStatus.UPDATE_IN_PROGRESS), undo=undo)
    _carry_out(requested, changes)


def delete(context: Any, cluster: Any, nodegroup: Any) -> None:
    """Saves what Magnum sets and does not save itself; the row goes when a report says so.

    :raises magnum.common.exception.MagnumException: refused; Magnum makes the nodegroup DELETE_FAILED.
    """
    requested = RequestedOperation("nodegroup.delete", context, cluster, nodegroup)
    changes = RowChanges(
        begin=lambda: _begin(nodegroup, ClusterStatus.DELETE_IN_PROGRESS),
        undo=lambda sentence: _explain(cluster, nodegroup, sentence),
    )
    _carry_out(requested, changes)


def _carry_out(requested: RequestedOperation, changes: RowChanges) -> None:
    tell(requested.nodegroup, start(requested, settings().operation_timeout, changes))


def _begin(nodegroup: Any, status: str) -> None:
    """Saves what the user has changed as well: when the event is sent again, it is made from the row."""
    nodegroup.status, nodegroup.status_reason = status, None
    nodegroup.save()


def _restoring(context: Any, cluster: Any, nodegroup: Any) -> Callable[[], None]:
    """What puts back the values that Magnum's API has changed on the object and not saved yet: each later operation
    would be refused because of them.
    """
    saved = objects.NodeGroup.get_by_uuid(context, cluster.uuid, nodegroup.uuid)
    former = {name: getattr(saved, name) for name in nodegroup.obj_what_changed() - {"status", "status_reason"}}

    def restore() -> None:
        for name, value in former.items():
            setattr(nodegroup, name, value)

    return restore


def _explain(cluster: Any, nodegroup: Any, sentence: str) -> None:
    """Magnum makes the cluster UPDATE_FAILED, saves it after the exception, and says no reason by itself."""
    cluster.status_reason = f"Nodegroup {nodegroup.name}: {sentence}"
