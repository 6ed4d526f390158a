"""The life of a cluster: what is begun in it, and every report that is made of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from report_fixtures import CREATE, MASTER, UPDATE, WORKER, complete, failed, goes_on, operation, status_data
from row_fixtures import told

from magnum_capi_functions.journal import Operation
from magnum_capi_functions.row_changes import ClusterRow, NodegroupRow, Situation, TimedReport, row_changes


@dataclass(frozen=True)
class World:
    """Magnum's rows, the journal and the last report; `row` is None once the cluster is removed."""

    row: ClusterRow | None
    operations: tuple[Operation, ...] = ()
    last: TimedReport | None = None


@dataclass(frozen=True)
class Begin:
    """What conductor and driver do before they post. `needs_rest`: Magnum refuses it while something goes on."""

    opened: Operation
    cluster: str
    nodegroups: dict[str, dict[str, Any]] = field(default_factory=dict)
    needs_rest: bool = False


def begun(world: World, begin: Begin) -> World:
    if world.row is None:
        return world
    rows = {one.name: one for one in world.row.nodegroups}
    for name, fields in begin.nodegroups.items():
        rows[name] = replace(rows.get(name, NodegroupRow(name, None)), **fields)
    others = tuple(one for one in world.operations if one.target != begin.opened.target)
    row = replace(world.row, status=begin.cluster, status_reason=None, nodegroups=tuple(rows.values()))
    return replace(world, row=row, operations=(*others, begin.opened))


def delivered(world: World, report: TimedReport) -> World:
    if world.row is None:
        return world
    changes = row_changes(Situation(world.row, world.operations, world.last), report)
    if changes is None:
        return world
    if changes.cluster.get("status") == "DELETE_COMPLETE":
        return World(None)
    kept = [one for one in world.row.nodegroups if one.name not in changes.gone]
    nodegroups = tuple(_changed(one, changes.nodegroups.get(one.name, {})) for one in kept)
    operations = tuple(one for one in world.operations if one not in changes.known)
    return World(replace(world.row, **changes.cluster, nodegroups=nodegroups), operations, report)


def _changed(row: NodegroupRow, fields: dict[str, Any]) -> NodegroupRow:
    addresses = {"node_addresses": tuple(fields["node_addresses"])} if "node_addresses" in fields else {}
    return replace(row, **{**fields, **addresses})


def late_save(world: World) -> World:
    """A conductor saves what it does after the driver's return."""
    if world.row is None or world.row.status != "UPDATE_COMPLETE":
        return world
    return replace(world, row=replace(world.row, status="UPDATE_IN_PROGRESS", status_reason=None))


C, U, N = CREATE, UPDATE, "nodegroup.create"
_started = {"status": "CREATE_IN_PROGRESS", "node_count": 1}
_updating = {"status": "UPDATE_IN_PROGRESS", "status_reason": None}

LIFE: tuple[Begin | dict[str, Any], ...] = (
    Begin(operation("c", "cluster.create"), "CREATE_IN_PROGRESS", {MASTER: _started, WORKER: _started}),
    status_data(goes_on("c", C), {MASTER: goes_on("c", C), WORKER: goes_on("c", C)}, api_address=None),
    status_data(goes_on("c", C), {MASTER: complete("c", C), WORKER: goes_on("c", C)}),
    status_data(complete("c", C), {MASTER: complete("c", C), WORKER: complete("c", C)}),
    Begin(
        operation("r", "cluster.resize", WORKER),
        "UPDATE_IN_PROGRESS",
        {WORKER: {**_updating, "node_count": 3}},
        needs_rest=True,
    ),
    status_data(goes_on("r", U), {MASTER: complete("c", C), WORKER: goes_on("r", U, 3)}),
    Begin(operation("a", N, "a"), "UPDATE_IN_PROGRESS", {"a": _started}),
    status_data(goes_on("a", U), {MASTER: complete("c", C), WORKER: goes_on("r", U, 3), "a": goes_on("a", C)}),
    Begin(operation("b", N, "b"), "UPDATE_IN_PROGRESS", {"b": _started}),
    status_data(
        goes_on("b", U),
        {MASTER: complete("c", C), WORKER: complete("r", U, 3), "a": goes_on("a", C), "b": failed("b", C)},
    ),
    status_data(
        failed("b", U),
        {MASTER: complete("c", C), WORKER: complete("r", U, 3), "a": complete("a", C), "b": failed("b", C)},
    ),
    status_data(
        complete("b", U),
        {MASTER: complete("c", C), WORKER: complete("r", U, 3), "a": complete("a", C), "b": complete("b", C)},
    ),
    Begin(operation("x", "nodegroup.delete", "a"), "UPDATE_IN_PROGRESS", {"a": {"status": "DELETE_IN_PROGRESS"}}),
    status_data(
        goes_on("x", U),
        {
            MASTER: complete("c", C),
            WORKER: complete("r", U, 3),
            "a": goes_on("x", "DELETE", None),
            "b": complete("b", C),
        },
    ),
    status_data(
        complete("x", U),
        {
            MASTER: complete("c", C),
            WORKER: complete("r", U, 3),
            "a": complete("x", "DELETE", None),
            "b": complete("b", C),
        },
    ),
    Begin(operation("u", "cluster.upgrade"), "UPDATE_IN_PROGRESS", {WORKER: _updating}, needs_rest=True),
    status_data(
        goes_on("u", U),
        {MASTER: goes_on("u", U), WORKER: goes_on("u", U, 3), "a": complete("x", "DELETE", None), "b": goes_on("u", U)},
    ),
    status_data(
        complete("u", U),
        {
            MASTER: complete("u", U),
            WORKER: complete("u", U, 3),
            "a": complete("x", "DELETE", None),
            "b": complete("u", U),
        },
        coe_version="v1.34.1",
    ),
    Begin(operation("d", "cluster.delete"), "DELETE_IN_PROGRESS", needs_rest=True),
    status_data(goes_on("d", "DELETE"), {MASTER: goes_on("d", "DELETE", None), WORKER: goes_on("d", "DELETE", None)}),
    status_data(failed("d", "DELETE"), {MASTER: failed("d", "DELETE", None), WORKER: failed("d", "DELETE", None)}),
    status_data(complete("d", "DELETE"), {}, api_address=None, coe_version=None),
)
REPORTS = {index: told(step, index) for index, step in enumerate(LIFE) if not isinstance(step, Begin)}
BIRTH = World(ClusterRow(None))


def ordered(end: int) -> World:
    """Each report once, at once."""
    world = BIRTH
    for index in range(end):
        step = LIFE[index]
        world = begun(world, step) if isinstance(step, Begin) else delivered(world, REPORTS[index])
    return world
