"""What a status report changes in Magnum's rows. No input or output, no clock."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from magnum_capi_functions.status_rules import Row, Told, changes_of_progress, is_gone

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from magnum_capi_functions.journal import Operation
    from magnum_capi_functions.status_report import NodegroupReport, Progress, StatusReport

# Clocks of a conductor and of the functions may differ by that much.
_CLOCK_TOLERANCE = timedelta(seconds=5)


@dataclass(frozen=True)
class NodegroupRow:
    """What of a nodegroup's row a report can change. `name` is the reports' own: the masters' is `default-master`."""

    name: str
    status: str | None
    status_reason: str | None = None
    node_count: int | None = None
    node_addresses: tuple[str, ...] = ()
    stack_id: str | None = None


@dataclass(frozen=True)
class ClusterRow:
    """What of a cluster's row a report can change, and its nodegroups."""

    status: str | None
    status_reason: str | None = None
    stack_id: str | None = None
    api_address: str | None = None
    coe_version: str | None = None
    nodegroups: tuple[NodegroupRow, ...] = ()


@dataclass(frozen=True)
class TimedReport:
    """A report and when the observation that it tells of began."""

    time: datetime
    report: StatusReport


@dataclass(frozen=True)
class Situation:
    """What is known when a report comes."""

    cluster: ClusterRow
    operations: Sequence[Operation] = ()  # those that are open
    last: TimedReport | None = None  # the newest report that was applied


@dataclass(frozen=True)
class Changes:
    """Fields to save, by their names in Magnum; nodegroups to remove; operations that the functions know."""

    cluster: Mapping[str, Any] = field(default_factory=dict)
    nodegroups: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    gone: tuple[str, ...] = ()
    known: tuple[Operation, ...] = ()

    @property
    def is_anything(self) -> bool:
        return bool(self.cluster or self.nodegroups or self.gone or self.known)


def row_changes(situation: Situation, told: TimedReport) -> Changes | None:
    """None where a newer report was applied already: of two, the one whose observation began later is right."""
    last = situation.last
    if last is not None and told.time < last.time:
        return None
    knowledge = _Knowledge(situation, told)
    cluster = _cluster_changes(knowledge)
    if cluster.get("status") == "DELETE_COMPLETE":
        # The nodegroups go with the cluster.
        return Changes(cluster=cluster, known=knowledge.closed())
    rows = {row.name: row for row in situation.cluster.nodegroups}
    pairs = [(rows[one.name], one) for one in told.report.nodegroups if one.name in rows]
    gone = tuple(row.name for row, one in pairs if is_gone(*knowledge.of_nodegroup(row, one)))
    nodegroups = {row.name: _nodegroup_changes(knowledge, row, one) for row, one in pairs if row.name not in gone}
    return Changes(
        cluster=cluster,
        nodegroups={name: changes for name, changes in nodegroups.items() if changes},
        gone=gone,
        known=knowledge.closed(),
    )


class _Knowledge:
    """Which of the open operations a report knows of, and what that means for each row."""

    def __init__(self, situation: Situation, told: TimedReport) -> None:
        self.situation = situation
        self.time = told.time
        self.report = told.report
        self.previous = None if situation.last is None else situation.last.report
        self.named = [one for one in situation.operations if self._is_named(one)]
        self.answered = [one for one in situation.operations if one not in self.named and self._is_answered(one)]
        known = [*self.named, *self.answered]
        self.unknown = [one for one in situation.operations if one not in known]

    def _is_named(self, operation: Operation) -> bool:
        report = self.report
        if operation.target:
            entry = report.nodegroup(operation.target)
            return entry is not None and entry.progress.operation == operation.event_id
        # The cluster's own progress is about the newest operation of all, which may be a nodegroup's.
        progresses = [report.progress, *(entry.progress for entry in report.nodegroups)]
        return any(progress.operation == operation.event_id for progress in progresses)

    def _is_answered(self, operation: Operation) -> bool:
        """Whether the observation began after it was accepted: what was not recorded then needed nothing."""
        tolerance = _CLOCK_TOLERANCE if self.report.names_operations else timedelta(0)
        return operation.answered is not None and self.time > operation.answered + tolerance

    def closed(self) -> tuple[Operation, ...]:
        if self.report.progress.action != "DELETE":
            return (*self.named, *self.answered)
        # Whatever else was asked for went with the cluster.
        unknown = [one for one in self.unknown if one.kind == "cluster.delete"]
        return tuple(one for one in self.situation.operations if one not in unknown)

    def of_cluster(self) -> tuple[Row, Told]:
        cluster = self.situation.cluster
        told = Told(
            progress=self.report.progress,
            previous=self._previous(None),
            is_named=bool(self.named) and not self.unknown,
            is_answered=bool(self.answered),
            is_waited_for=bool(self.unknown),
            is_of_deletion=self.report.progress.action == "DELETE",
        )
        return Row(cluster.status, cluster.status_reason), told

    def of_nodegroup(self, row: NodegroupRow, entry: NodegroupReport) -> tuple[Row, Told]:
        told = Told(
            progress=entry.progress,
            previous=self._previous(row.name),
            is_named=self._is_named_by(row.name, entry),
            is_answered=any(one.target in ("", row.name) for one in self.answered),
            is_waited_for=any(one.target in ("", row.name) for one in self.unknown),
            is_of_deletion=self.report.progress.action == "DELETE",
        )
        return Row(row.status, row.status_reason), told

    def _is_named_by(self, name: str, entry: NodegroupReport) -> bool:
        ids = {one.event_id: one.target for one in self.named}
        target = ids.get(entry.progress.operation or "")
        return target == name or (target == "" and not self.has_unknown_change_of(name))

    def has_unknown_change_of(self, name: str) -> bool:
        return any(one.target == name for one in self.unknown)

    def _previous(self, name: str | None) -> Progress | None:
        if self.previous is None:
            return None
        if name is None:
            return self.previous.progress
        entry = self.previous.nodegroup(name)
        return None if entry is None else entry.progress


def _cluster_changes(knowledge: _Knowledge) -> dict[str, Any]:
    cluster, report = knowledge.situation.cluster, knowledge.report
    changes = changes_of_progress(*knowledge.of_cluster())
    facts = {"api_address": report.api_address, "coe_version": report.coe_version}
    if not cluster.stack_id and report.stack_id:
        facts["stack_id"] = report.stack_id
    changes.update(_differing(cluster, facts))
    return changes


def _nodegroup_changes(knowledge: _Knowledge, row: NodegroupRow, entry: NodegroupReport) -> dict[str, Any]:
    changes = changes_of_progress(*knowledge.of_nodegroup(row, entry))
    facts: dict[str, Any] = {}
    if not row.stack_id and knowledge.report.stack_id:
        facts["stack_id"] = knowledge.report.stack_id
    # The number in the row may be the one that is still to be asked for.
    if not knowledge.has_unknown_change_of(row.name):
        facts["node_count"] = entry.node_count
    changes.update(_differing(row, facts))
    if entry.node_addresses != row.node_addresses:
        changes["node_addresses"] = list(entry.node_addresses)
    return changes


def _differing(row: ClusterRow | NodegroupRow, facts: Mapping[str, Any]) -> dict[str, Any]:
    """What is not known leaves a row as it is."""
    return {name: value for name, value in facts.items() if value is not None and getattr(row, name) != value}
