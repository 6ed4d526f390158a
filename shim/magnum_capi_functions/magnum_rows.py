"""Magnum's rows of a cluster: read whole, and saved field by field, only where they become others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from magnum import objects
from magnum.common import exception

from magnum_capi_functions.row_changes import Changes, ClusterRow, NodegroupRow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from magnum.common.context import RequestContext

# Name that reports give to the nodegroup of role master, the only one of its role.
_MASTERS = "default-master"


class MagnumRows:
    """The cluster and its nodegroups as they are in the database now."""

    def __init__(self, context: RequestContext, cluster_uuid: str) -> None:
        """Raises Magnum's ClusterNotFound."""
        self.cluster: objects.Cluster = objects.Cluster.get_by_uuid(context, cluster_uuid)
        nodegroups = objects.NodeGroup.list(context, cluster_uuid)
        self.nodegroups: dict[str, objects.NodeGroup] = {reported_name(one): one for one in nodegroups}

    def values(self) -> ClusterRow:
        cluster = self.cluster
        return ClusterRow(
            status=cluster.status,
            status_reason=cluster.status_reason,
            stack_id=cluster.stack_id,
            api_address=cluster.api_address,
            coe_version=cluster.coe_version,
            nodegroups=tuple(_values(name, one) for name, one in self.nodegroups.items()),
        )

    def save(self, changes: Changes) -> None:
        """A row that is gone meanwhile stays so. That a cluster is deleted is left to who removes its row."""
        for name, fields in changes.nodegroups.items():
            _save(self.nodegroups[name], fields)
        for name in changes.gone:
            _destroy(self.nodegroups[name])
        if changes.cluster.get("status") == "DELETE_COMPLETE":
            # Saved, it would be polled by nobody any more, and stay for ever where the process dies now.
            self.cluster.status = "DELETE_COMPLETE"
            self.cluster.status_reason = changes.cluster.get("status_reason", self.cluster.status_reason)
            return
        _save(self.cluster, changes.cluster)


def reported_name(nodegroup: objects.NodeGroup) -> str:
    return _MASTERS if nodegroup.role == "master" else nodegroup.name


def _values(name: str, nodegroup: objects.NodeGroup) -> NodegroupRow:
    return NodegroupRow(
        name=name,
        status=nodegroup.status,
        status_reason=nodegroup.status_reason,
        node_count=nodegroup.node_count,
        node_addresses=tuple(nodegroup.node_addresses or ()),
        stack_id=nodegroup.stack_id,
    )


def _save(row: objects.Cluster | objects.NodeGroup, fields: Mapping[str, Any]) -> None:
    # The setter marks a field as changed even where the value is the same, and another's value would be overwritten.
    for name, value in fields.items():
        setattr(row, name, value)
    if not fields:
        return
    try:
        row.save()
    except (exception.ClusterNotFound, exception.NodeGroupNotFound):
        return


def _destroy(nodegroup: objects.NodeGroup) -> None:
    try:
        nodegroup.destroy()
    except exception.NodeGroupNotFound:
        return
