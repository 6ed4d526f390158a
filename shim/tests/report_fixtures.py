"""Status reports of one cluster, as the status function writes them (shared/contract/replies.ts)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from typing import Any

from magnum_capi_functions.journal import Operation

STACK_ID = "kube-21d56"
CLUSTER_UUID = "a3f0b1c2-0000-4000-8000-000000000001"
BEGINNING = datetime(2026, 1, 1, 12, 0, tzinfo=timezone.utc)
MASTER, WORKER = "default-master", "default-worker"
CREATE, UPDATE, DELETE = "CREATE", "UPDATE", "DELETE"


def at(seconds: float) -> datetime:
    """That long after the beginning."""
    return BEGINNING + timedelta(seconds=seconds)


@dataclass(frozen=True)
class Said:
    """What a report says of a target: id of the event, action, state, and of a nodegroup how many nodes it has."""

    operation: str | None
    action: str | None
    state: str
    nodes: int | None = 1
    reason: str | None = None


def goes_on(operation: str | None, action: str | None, nodes: int | None = 1) -> Said:
    return Said(operation, action, "IN_PROGRESS", nodes, f"{action} goes on")


def complete(operation: str | None, action: str | None, nodes: int | None = 1) -> Said:
    return Said(operation, action, "COMPLETE", nodes)


def failed(operation: str | None, action: str | None, nodes: int | None = 1) -> Said:
    return Said(operation, action, "FAILED", nodes, f"{action} was not complete in time")


def status_data(cluster: Said, nodegroups: dict[str, Said], **changes: Any) -> dict[str, Any]:
    """Data of `cluster.status.v1`."""
    return {
        "cluster_uuid": CLUSTER_UUID,
        "stack_id": STACK_ID,
        **_progress(cluster),
        "api_address": "https://192.0.2.10:6443",
        "coe_version": "v1.33.4",
        "nodegroups": [_nodegroup(name, said) for name, said in nodegroups.items()],
        **changes,
    }


def rest_of(create: str, **others: Said) -> dict[str, Said]:
    """The default nodegroups after that create, one and two nodes; others beside them or in their place."""
    return {MASTER: complete(create, CREATE), WORKER: complete(create, CREATE, 2), **others}


def without_operations(data: dict[str, Any]) -> dict[str, Any]:
    """The same from functions that are older than the field."""
    groups = [{key: value for key, value in one.items() if key != "operation"} for one in data["nodegroups"]]
    return {key: value for key, value in data.items() if key != "operation"} | {"nodegroups": groups}


def of_cluster(data: dict[str, Any], cluster: Any) -> dict[str, Any]:
    """The same report, of that cluster."""
    return data | {"cluster_uuid": cluster.uuid}


def operation(event_id: str, kind: str, target: str = "", **changes: Any) -> Operation:
    """An operation of the journal that was posted at the beginning."""
    return replace(Operation(CLUSTER_UUID, target, event_id, kind, {}, BEGINNING), **changes)


def _progress(said: Said) -> dict[str, Any]:
    return {
        "operation": said.operation,
        "action": said.action,
        "state": said.state,
        "status_reason": said.reason,
    }


def _nodegroup(name: str, said: Said) -> dict[str, Any]:
    addresses = [f"192.0.2.{20 + number}" for number in range(said.nodes or 0)]
    return {"name": name, **_progress(said), "node_count": said.nodes, "node_addresses": addresses}


REST = rest_of("c")
CREATED = status_data(complete("c", CREATE), REST)
