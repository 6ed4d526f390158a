"""The data of `org.openstack.magnum.cluster.status.v1`: all that Magnum may copy into its rows (docs/events.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_ACTIONS = ("CREATE", "UPDATE", "DELETE")
_STATES = ("IN_PROGRESS", "COMPLETE", "FAILED")


@dataclass(frozen=True)
class Progress:
    """How far the last operation on a target is."""

    operation: str | None  # id of the event that asked for it; None = no record tells it
    action: str | None  # None = nothing is recorded, the row's own says what goes on
    state: str
    reason: str | None

    def says_the_same_as(self, other: Progress | None) -> bool:
        """Whether only the reason differs."""
        if other is None:
            return False
        return (self.operation, self.action, self.state) == (other.operation, other.action, other.state)


@dataclass(frozen=True)
class NodegroupReport:
    name: str
    progress: Progress
    node_count: int | None
    node_addresses: tuple[str, ...]


@dataclass(frozen=True)
class StatusReport:
    cluster_uuid: str
    stack_id: str
    progress: Progress
    api_address: str | None
    coe_version: str | None
    nodegroups: tuple[NodegroupReport, ...]
    names_operations: bool  # functions that are older than the field do not

    def nodegroup(self, name: str) -> NodegroupReport | None:
        return next((one for one in self.nodegroups if one.name == name), None)

    def is_about_nothing(self) -> bool:
        """Whether the management cluster has nothing of the cluster that the report is about."""
        counts = [nodegroup.node_count for nodegroup in self.nodegroups]
        return self.progress.operation is None and self.coe_version is None and not any(counts)


def parse_status(data: object) -> StatusReport:
    """Unknown fields pass. Raises ValueError that names the field which is missing or of another type."""
    fields = _mapping(data, "data")
    return StatusReport(
        cluster_uuid=_text(fields, "cluster_uuid"),
        stack_id=_text(fields, "stack_id"),
        progress=_progress(fields),
        api_address=_optional_text(fields, "api_address"),
        coe_version=_optional_text(fields, "coe_version"),
        nodegroups=tuple(_nodegroup(_mapping(one, "nodegroups")) for one in _list(fields, "nodegroups")),
        names_operations="operation" in fields,
    )


def _nodegroup(fields: Mapping[str, Any]) -> NodegroupReport:
    count = fields.get("node_count")
    if count is not None and (not isinstance(count, int) or isinstance(count, bool)):
        raise ValueError("Field node_count is no whole number.")
    addresses = _list(fields, "node_addresses")
    if not all(isinstance(address, str) for address in addresses):
        raise ValueError("Field node_addresses is no list of texts.")
    return NodegroupReport(_text(fields, "name"), _progress(fields), count, tuple(addresses))


def _progress(fields: Mapping[str, Any]) -> Progress:
    action, state = fields.get("action"), fields.get("state")
    if action is not None and action not in _ACTIONS:
        raise ValueError(f"Field action is none of {', '.join(_ACTIONS)}.")
    if state not in _STATES:
        raise ValueError(f"Field state is none of {', '.join(_STATES)}.")
    reason = _optional_text(fields, "status_reason")
    return Progress(_optional_text(fields, "operation"), action, state, reason)


def _mapping(value: object, name: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"Field {name} is no object.")
    return value


def _list(fields: Mapping[str, Any], name: str) -> list[Any]:
    value = fields.get(name)
    if not isinstance(value, list):
        raise ValueError(f"Field {name} is no list.")
    return value


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise ValueError(f"Field {name} is no text.")
    return value


def _optional_text(fields: Mapping[str, Any], name: str) -> str | None:
    return None if fields.get(name) is None else _text(fields, name)
