"""An operation that Magnum asks for, and the event that it becomes, at first and when it is sent again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from magnum import objects
from magnum.common import exception

from magnum_capi_functions import tracing
from magnum_capi_functions.certificates import cluster_certificates
from magnum_capi_functions.functions import Event, new_event_id, now
from magnum_capi_functions.journal import Operation
from magnum_capi_functions.options import event_options
from magnum_capi_functions.snapshot import cluster_snapshot, context_data, row_data

#: Carry the requesting user's token.
_WITH_TOKEN = frozenset({"cluster.create", "cluster.credential.rotate"})
#: Are about the cluster as a whole, though their data may name a nodegroup.
_OF_CLUSTER = "cluster.upgrade"


@dataclass(frozen=True)
class RequestedOperation:
    """`kind` as in the event's type. `arguments` are the call's own, JSON without secrets: they are journalled."""

    kind: str
    context: Any
    cluster: Any
    nodegroup: Any = None
    arguments: Mapping[str, Any] = field(default_factory=dict)

    @property
    def target(self) -> str:
        """Name of the nodegroup that the functions record the operation for; '' = the cluster."""
        return "" if self.nodegroup is None or self.kind == _OF_CLUSTER else self.nodegroup.name


def upgrade_arguments(cluster: Any, template: Any, max_batch_size: Any, nodegroup: Any) -> dict[str, Any]:
    """What of an upgrade is journalled: the templates by UUID, the nodegroup by name."""
    return {
        "new_cluster_template": template.uuid,
        "previous_cluster_template": cluster.cluster_template_id,
        "max_batch_size": max_batch_size if isinstance(max_batch_size, int) else None,
        "nodegroup": nodegroup.name if nodegroup is not None else None,
    }


def new_operation(requested: RequestedOperation) -> Operation:
    """What the journal keeps of it; a new event id, now as its time, and the trace of whoever asks."""
    event_id = new_event_id()
    return Operation(
        cluster_uuid=requested.cluster.uuid,
        target=requested.target,
        event_id=event_id,
        kind=requested.kind,
        arguments=dict(requested.arguments),
        started=now(),
        answered=None,
        trace=tracing.new_trace(event_id),
    )


def event_of(requested: RequestedOperation, operation: Operation) -> Event:
    """The event. Its id and time are the operation's, its snapshot the rows' of now.

    :raises magnum.common.exception.MagnumException: an option's file or a certificate cannot be read, or a row is gone.
    """
    data = (_upgrade_data if requested.kind == "cluster.upgrade" else _data)(requested)
    if requested.nodegroup is not None:
        data["nodegroup"] = row_data(requested.nodegroup)
    if requested.kind in _WITH_TOKEN:
        data["context"]["token"] = requested.context.auth_token
    if requested.kind == "cluster.create":
        data["certificates"] = cluster_certificates(requested.context, requested.cluster)
    return Event(requested.kind, requested.cluster.uuid, data, operation.event_id, operation.started, operation.trace)


def _data(requested: RequestedOperation) -> dict[str, Any]:
    """Reports go by no option, so that none stands in their way."""
    context, cluster = requested.context, requested.cluster
    return {
        **cluster_snapshot(context, cluster, cluster.cluster_template_id),
        **requested.arguments,
        "context": context_data(context, cluster),
        **({} if requested.kind.endswith(".requested") else {"options": event_options()}),
    }


def _upgrade_data(requested: RequestedOperation) -> dict[str, Any]:
    """The row has the new template already; the event tells both."""
    context, cluster, arguments = requested.context, requested.cluster, requested.arguments
    previous = arguments["previous_cluster_template"]
    template = objects.ClusterTemplate.get_by_uuid(context, arguments["new_cluster_template"])
    try:
        snapshot = cluster_snapshot(context, cluster, previous)
    except exception.ClusterTemplateNotFound:
        # Nothing refers to it any more, so that somebody could delete it.
        snapshot = cluster_snapshot(context, cluster, template.uuid)
    snapshot["cluster"]["cluster_template_id"] = previous
    return {
        **snapshot,
        "new_cluster_template": row_data(template),
        "max_batch_size": arguments["max_batch_size"],
        "context": context_data(context, cluster),
        "options": event_options(),
    }


def requested_again(context: Any, cluster: Any, operation: Operation) -> RequestedOperation:
    """What a journalled operation asks for, from the rows of now.

    :raises magnum.common.exception.NodeGroupNotFound: its nodegroup is no longer Magnum's.
    """
    name = operation.arguments.get("nodegroup") if operation.kind == _OF_CLUSTER else operation.target
    nodegroup = objects.NodeGroup.get_by_name(context, cluster.uuid, name) if name else None
    return RequestedOperation(operation.kind, context, cluster, nodegroup, operation.arguments)
