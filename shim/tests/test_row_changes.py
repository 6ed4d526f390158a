"""Which rows a report changes: tables, and the life of a cluster of which reports come in any order and number."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from contract import check_data
from hypothesis import given, settings
from hypothesis import strategies as st
from report_fixtures import (
    STACK_ID,
    Said,
    at,
    complete,
    failed,
    goes_on,
    operation,
    status_data,
    without_operations,
)

from magnum_capi_functions.journal import Operation
from magnum_capi_functions.row_changes import (
    Changes,
    ClusterRow,
    NodegroupRow,
    Situation,
    TimedReport,
    row_changes,
)
from magnum_capi_functions.status_report import parse_status

MASTER, WORKER = "default-master", "default-worker"
CREATED = status_data(complete("C", "CREATE"), {MASTER: complete("C", "CREATE"), WORKER: complete("C", "CREATE")})


def cluster_row(status: str | None = "CREATE_COMPLETE", **changes: Any) -> ClusterRow:
    """A cluster with both default nodegroups in the same status."""
    nodegroups = tuple(nodegroup_row(name, status) for name in (MASTER, WORKER))
    facts = {"stack_id": STACK_ID, "api_address": "https://192.0.2.10:6443", "coe_version": "v1.33.4"}
    return ClusterRow(**({"status": status, "nodegroups": nodegroups} | facts | changes))


def nodegroup_row(name: str = WORKER, status: str | None = "CREATE_COMPLETE", **changes: Any) -> NodegroupRow:
    return NodegroupRow(
        **({"name": name, "status": status, "node_count": 1, "node_addresses": ("192.0.2.20",), "stack_id": STACK_ID})
        | changes
    )


def with_worker(row: ClusterRow, **changes: Any) -> ClusterRow:
    return replace(row, nodegroups=(row.nodegroups[0], replace(row.nodegroups[1], **changes)))


def told(data: dict[str, Any], seconds: float = 100) -> TimedReport:
    return TimedReport(at(seconds), parse_status(data))


def changes_of(
    row: ClusterRow,
    data: dict[str, Any],
    *operations: Operation,
    last: dict[str, Any] | None = None,
) -> Changes:
    situation = Situation(row, operations, None if last is None else told(last, 50))
    changes = row_changes(situation, told(data))
    assert changes is not None
    return changes


def resized(said: Said, cluster: Said | None = None) -> dict[str, Any]:
    """A report of the worker's nodegroup."""
    return status_data(
        cluster or Said(said.operation, "UPDATE", said.state), {MASTER: complete("C", "CREATE"), WORKER: said}
    )


def test_a_create_is_followed_to_its_end() -> None:
    row = cluster_row(
        "CREATE_IN_PROGRESS",
        stack_id=None,
        api_address=None,
        coe_version=None,
        nodegroups=(
            nodegroup_row(MASTER, "CREATE_IN_PROGRESS", node_addresses=(), stack_id=None),
            nodegroup_row(WORKER, "CREATE_IN_PROGRESS", node_addresses=(), stack_id=None),
        ),
    )
    create = operation("C", "cluster.create")
    changes = changes_of(row, CREATED, create)
    assert changes.cluster == {
        "status": "CREATE_COMPLETE",
        "stack_id": STACK_ID,
        "api_address": "https://192.0.2.10:6443",
        "coe_version": "v1.33.4",
    }
    expected = {"status": "CREATE_COMPLETE", "stack_id": STACK_ID, "node_addresses": ["192.0.2.20"]}
    assert changes.nodegroups == {MASTER: expected, WORKER: expected}
    assert changes.known == (create,)


def test_a_report_that_says_what_the_rows_say_changes_nothing() -> None:
    assert not changes_of(cluster_row(), CREATED).is_anything


def test_an_older_report_than_the_last_is_dropped_whatever_it_says() -> None:
    situation = Situation(cluster_row("UPDATE_IN_PROGRESS"), (), told(CREATED, 101))
    gone = status_data(complete("D", "DELETE"), {})
    assert row_changes(situation, told(gone, 100)) is None
    assert row_changes(situation, told(gone, 101)) is not None


class TestAnOperationThatTheReportDoesNotKnow:
    """What was complete before it does not complete it."""

    WAITING = with_worker(
        cluster_row("UPDATE_IN_PROGRESS"), status="UPDATE_IN_PROGRESS", status_reason="It is sent again.", node_count=3
    )
    EARLIER = resized(complete("R1", "UPDATE"))

    def test_keeps_its_rows_waiting_and_the_number_that_it_asks_for(self) -> None:
        resize = operation("R2", "cluster.resize", WORKER)
        row = replace(self.WAITING, nodegroups=(nodegroup_row(MASTER), self.WAITING.nodegroups[1]))
        assert not changes_of(row, self.EARLIER, resize).is_anything

    def test_lets_other_facts_through(self) -> None:
        data = self.EARLIER | {"api_address": "https://192.0.2.99:6443"}
        changes = changes_of(self.WAITING, data, operation("R2", "cluster.resize", WORKER))
        assert changes.cluster == {"api_address": "https://192.0.2.99:6443"}

    def test_keeps_the_cluster_going_on_where_another_nodegroup_has_ended(self) -> None:
        other = operation("N", "nodegroup.create", "gpu")
        known = operation("R1", "cluster.resize", WORKER)
        changes = changes_of(self.WAITING, self.EARLIER, known, other)
        assert "status" not in changes.cluster
        assert changes.nodegroups[WORKER]["status"] == "UPDATE_COMPLETE"
        assert changes.known == (known,)

    def test_of_the_whole_cluster_keeps_the_nodegroups_too(self) -> None:
        upgrade = operation("U", "cluster.upgrade")
        changes = changes_of(self.WAITING, self.EARLIER, upgrade)
        assert "status" not in changes.cluster
        assert WORKER not in changes.nodegroups or "status" not in changes.nodegroups[WORKER]

    def test_ends_where_the_functions_accepted_it_and_had_nothing_to_record(self) -> None:
        resize = operation("R2", "cluster.resize", WORKER, answered=at(94))
        changes = changes_of(self.WAITING, CREATED, resize)
        assert (changes.cluster["status"], changes.known) == ("UPDATE_COMPLETE", (resize,))
        assert changes.nodegroups[WORKER]["status"] == "UPDATE_COMPLETE"

    def test_does_not_end_as_long_as_clocks_may_differ(self) -> None:
        assert changes_of(self.WAITING, CREATED, operation("R2", "cluster.resize", WORKER, answered=at(96))).known == ()


class TestReportsWithoutTheFieldOperation:
    """They know what was answered before they began."""

    ROW = with_worker(cluster_row("UPDATE_IN_PROGRESS"), status="UPDATE_IN_PROGRESS")
    REPORT = without_operations(resized(complete("R", "UPDATE")))

    def test_complete_an_operation_that_was_answered_before(self) -> None:
        resize = operation("R", "cluster.resize", WORKER, answered=at(99))
        changes = changes_of(self.ROW, self.REPORT, resize)
        assert (changes.cluster["status"], changes.known) == ("UPDATE_COMPLETE", (resize,))

    @pytest.mark.parametrize("answered", [None, at(101)])
    def test_complete_no_other(self, answered: Any) -> None:
        changes = changes_of(self.ROW, self.REPORT, operation("R", "cluster.resize", WORKER, answered=answered))
        assert "status" not in changes.cluster
        assert changes.known == ()


class TestAnOperationThatTheReportNames:
    def test_is_closed_whatever_its_state(self) -> None:
        resize = operation("R", "cluster.resize", WORKER)
        changes = changes_of(cluster_row("UPDATE_IN_PROGRESS"), resized(goes_on("R", "UPDATE")), resize)
        assert changes.known == (resize,)

    def test_shows_on_rows_that_nobody_has_set_in_progress(self) -> None:
        resize = operation("R", "cluster.resize", WORKER)
        changes = changes_of(cluster_row(), resized(goes_on("R", "UPDATE", nodes=3)), resize)
        assert changes.cluster["status"] == "UPDATE_IN_PROGRESS"
        assert changes.nodegroups[WORKER]["status"] == "UPDATE_IN_PROGRESS"
        assert changes.nodegroups[WORKER]["node_count"] == 3

    def test_of_the_cluster_may_stand_on_a_nodegroup_alone(self) -> None:
        data = status_data(goes_on("N", "UPDATE"), {MASTER: complete("U", "UPDATE"), WORKER: complete("U", "UPDATE")})
        upgrade = operation("U", "cluster.upgrade")
        assert changes_of(cluster_row("UPDATE_IN_PROGRESS"), data, upgrade).known == (upgrade,)

    def test_sets_the_reason_and_clears_it_at_the_end(self) -> None:
        resize = operation("R", "cluster.resize", WORKER)
        row = with_worker(cluster_row("UPDATE_IN_PROGRESS"), status="UPDATE_IN_PROGRESS")
        going = changes_of(row, resized(goes_on("R", "UPDATE")), resize)
        assert going.nodegroups[WORKER]["status_reason"] == "UPDATE goes on"
        told_before = with_worker(row, status_reason="UPDATE goes on")
        assert changes_of(told_before, resized(complete("R", "UPDATE"))).nodegroups[WORKER] == {
            "status": "UPDATE_COMPLETE",
            "status_reason": None,
        }


class TestARowThatWasRefused:
    """Its reason is worth more than what was true before."""

    ROW = with_worker(
        cluster_row("UPDATE_FAILED", status_reason="Refused."), status="UPDATE_FAILED", status_reason="Refused."
    )

    @pytest.mark.parametrize("data", [CREATED, resized(complete("R", "UPDATE"))])
    def test_stays_as_it_is_when_the_last_report_comes_again(self, data: dict[str, Any]) -> None:
        row = replace(self.ROW, nodegroups=(nodegroup_row(MASTER), self.ROW.nodegroups[1]))
        assert not changes_of(row, data, last=data).is_anything

    def test_of_another_action_stays_even_without_an_earlier_report(self) -> None:
        changes = changes_of(self.ROW, CREATED)
        assert "status" not in changes.cluster

    def test_becomes_complete_with_what_went_on_meanwhile(self) -> None:
        creating = status_data(goes_on("C", "CREATE"), {})
        assert changes_of(self.ROW, CREATED, last=creating).cluster["status"] == "CREATE_COMPLETE"

    def test_becomes_complete_with_the_next_operation(self) -> None:
        changes = changes_of(self.ROW, resized(complete("R2", "UPDATE")), last=resized(complete("R1", "UPDATE")))
        assert changes.cluster == {"status": "UPDATE_COMPLETE", "status_reason": None}

    def test_keeps_its_reason_while_an_earlier_failure_is_reported(self) -> None:
        data = resized(failed("R1", "UPDATE"))
        changes = changes_of(self.ROW, data, last=data)
        assert changes.cluster == {}
        assert changes.nodegroups.get(WORKER) is None


@pytest.mark.parametrize(
    ("row", "said", "status"),
    [
        ("CREATE_FAILED", complete("C", "CREATE"), "CREATE_COMPLETE"),
        ("UPDATE_FAILED", complete("U", "UPDATE"), "UPDATE_COMPLETE"),
        ("UPDATE_FAILED", goes_on("U", "UPDATE"), "UPDATE_IN_PROGRESS"),
        ("CREATE_IN_PROGRESS", failed("C", "CREATE"), "CREATE_FAILED"),
        ("UPDATE_IN_PROGRESS", complete("C", "CREATE"), None),
        ("CREATE_IN_PROGRESS", complete("U", "UPDATE"), None),
        ("DELETE_IN_PROGRESS", complete("U", "UPDATE"), None),
        ("DELETE_IN_PROGRESS", goes_on("U", "UPDATE"), None),
        ("DELETE_FAILED", complete("U", "UPDATE"), None),
        ("UPDATE_IN_PROGRESS", complete(None, None), "UPDATE_COMPLETE"),
        ("UPDATE_IN_PROGRESS", goes_on(None, None), "UPDATE_IN_PROGRESS"),
        ("UPDATE_COMPLETE", goes_on(None, None), None),
        ("UPDATE_COMPLETE", complete(None, None), None),
        ("CREATE_COMPLETE", failed(None, None), "CREATE_FAILED"),
        ("CREATE_COMPLETE", goes_on("X", "UPDATE"), None),
        ("CREATE_COMPLETE", complete("X", "UPDATE"), "UPDATE_COMPLETE"),
        ("CREATE_COMPLETE", failed("X", "UPDATE"), "UPDATE_FAILED"),
        ("CREATE_COMPLETE", goes_on("D", "DELETE"), "DELETE_IN_PROGRESS"),
        ("UPDATE_FAILED", goes_on("D", "DELETE"), "DELETE_IN_PROGRESS"),
        ("DELETE_IN_PROGRESS", failed("D", "DELETE"), "DELETE_FAILED"),
        ("DELETE_FAILED", complete("D", "DELETE"), "DELETE_COMPLETE"),
        ("ROLLBACK_IN_PROGRESS", complete("U", "UPDATE"), None),
        (None, complete("C", "CREATE"), "CREATE_COMPLETE"),
        (None, complete(None, None), None),
    ],
)
def test_the_status_of_a_row_goes_by_what_it_is_in(row: str | None, said: Said, status: str | None) -> None:
    changes = changes_of(cluster_row(row), status_data(said, {}))
    assert changes.cluster.get("status", row) == (status or row)


class TestADeletion:
    GOING = status_data(
        goes_on("D", "DELETE"), {MASTER: goes_on("D", "DELETE", None), WORKER: goes_on("D", "DELETE", None)}
    )

    def test_takes_the_nodegroups_along_and_everything_that_was_still_to_be_asked_for(self) -> None:
        resize, delete = operation("R", "cluster.resize", WORKER), operation("D", "cluster.delete")
        row = replace(cluster_row(), status="DELETE_IN_PROGRESS")
        changes = changes_of(row, self.GOING, resize, delete)
        assert {fields["status"] for fields in changes.nodegroups.values()} == {"DELETE_IN_PROGRESS"}
        assert changes.known == (resize, delete)

    def test_that_is_not_known_yet_stays_to_be_sent(self) -> None:
        data = status_data(goes_on(None, "DELETE"), {})
        assert changes_of(cluster_row("DELETE_IN_PROGRESS"), data, operation("D", "cluster.delete")).known == ()

    def test_that_failed_earlier_does_not_fail_the_next(self) -> None:
        data = status_data(failed("D1", "DELETE"), {WORKER: failed("D1", "DELETE", None)})
        row = replace(cluster_row("DELETE_IN_PROGRESS"), nodegroups=(nodegroup_row(WORKER, "DELETE_IN_PROGRESS"),))
        changes = changes_of(row, data, operation("D2", "cluster.delete"))
        assert "status" not in changes.cluster
        assert "status" not in changes.nodegroups[WORKER]

    def test_that_is_done_leaves_the_nodegroups_to_whoever_removes_the_cluster(self) -> None:
        data = status_data(
            complete(None, "DELETE"), {WORKER: complete(None, "DELETE", None)}, api_address=None, coe_version=None
        )
        changes = changes_of(cluster_row("DELETE_IN_PROGRESS"), data, operation("D", "cluster.delete"))
        assert changes.cluster == {"status": "DELETE_COMPLETE"}
        assert (changes.nodegroups, changes.gone) == ({}, ())


class TestANodegroup:
    @pytest.mark.parametrize(
        ("status", "operations", "gone"),
        [
            ("DELETE_IN_PROGRESS", (), True),
            ("DELETE_FAILED", (), True),
            ("DELETE_IN_PROGRESS", (operation("D1", "nodegroup.delete", WORKER),), True),
            ("CREATE_COMPLETE", (operation("D1", "nodegroup.delete", WORKER),), True),
            ("DELETE_IN_PROGRESS", (operation("D2", "nodegroup.delete", WORKER),), False),
            ("CREATE_IN_PROGRESS", (), False),
            ("CREATE_IN_PROGRESS", (operation("N2", "nodegroup.create", WORKER),), False),
        ],
    )
    def test_that_was_deleted_is_removed_unless_it_comes_again(
        self, status: str, operations: tuple[Operation, ...], gone: bool
    ) -> None:
        data = status_data(complete("D1", "UPDATE"), {WORKER: complete("D1", "DELETE", None)})
        row = replace(cluster_row("UPDATE_IN_PROGRESS"), nodegroups=(nodegroup_row(WORKER, status),))
        assert changes_of(row, data, *operations).gone == ((WORKER,) if gone else ())

    def test_that_waits_for_its_deletion_stays_as_long_as_no_report_tells_of_it(self) -> None:
        row = with_worker(cluster_row("UPDATE_IN_PROGRESS"), status="DELETE_IN_PROGRESS")
        data = status_data(complete("C", "CREATE"), {MASTER: complete("C", "CREATE")})
        changes = changes_of(row, data)
        assert (changes.gone, WORKER in changes.nodegroups) == ((), False)

    def test_of_which_magnum_has_no_row_is_passed_over(self) -> None:
        data = status_data(complete("C", "CREATE"), {"other": complete("N", "CREATE")})
        assert not changes_of(cluster_row(), data).is_anything

    def test_that_the_autoscaler_has_made_larger_shows_its_nodes(self) -> None:
        changes = changes_of(cluster_row(), resized(complete("C", "CREATE", nodes=3), complete("C", "CREATE")))
        assert changes.nodegroups[WORKER] == {
            "node_count": 3,
            "node_addresses": ["192.0.2.20", "192.0.2.21", "192.0.2.22"],
        }

    def test_of_which_no_number_is_known_keeps_its_own(self) -> None:
        data = resized(replace(complete("C", "CREATE"), nodes=None), complete("C", "CREATE"))
        assert "node_count" not in changes_of(cluster_row(), data).nodegroups[WORKER]


# A whole life, in which every report can come late, never or several times.


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


C, U, N = "CREATE", "UPDATE", "nodegroup.create"
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


@st.composite
def deliveries(draw: st.DrawFn) -> dict[int, list[int | None]]:
    """After each step of the life, which of the reports made so far come (by index); None = a conductor saves late."""
    plan: dict[int, list[int | None]] = {}
    for index in range(len(LIFE)):
        made = [one for one in REPORTS if one <= index]
        plan[index] = draw(st.lists(st.sampled_from([None, *made]), max_size=3)) if made else []
    return plan


RESTS = [index for index, step in enumerate(LIFE) if isinstance(step, Begin) and step.needs_rest]


@settings(max_examples=200, deadline=None)
@given(plan=deliveries(), end=st.sampled_from([*RESTS, len(LIFE)]))
def test_any_order_and_number_of_reports_ends_in_the_same_rows(plan: dict[int, list[int | None]], end: int) -> None:
    world = BIRTH
    came: set[int] = set()
    for index in range(end):
        step = LIFE[index]
        if isinstance(step, Begin):
            if step.needs_rest:
                world = settled(world, index, came)
            world = begun(world, step)
        for one in plan[index]:
            world = late_save(world) if one is None else delivered(world, REPORTS[one])
            came.add(-1 if one is None else one)
            assert not ends_early(world)
    assert settled(world, end, came) == ordered(end)


def ends_early(world: World) -> bool:
    """Whether a row is complete while an operation on it is known to nobody but the journal."""
    if world.row is None:
        return False
    statuses = {one.name: one.status for one in world.row.nodegroups} | {"": world.row.status}
    targets = {"", *(one.target for one in world.operations)} if world.operations else set()
    return any((statuses.get(target) or "").endswith("_COMPLETE") for target in targets)


def settled(world: World, end: int, came: set[int]) -> World:
    """The newest report comes at last, if it has not come, and the next periodic call applies the last once more."""
    newest = max(index for index in REPORTS if index < end)
    world = world if newest in came else delivered(world, REPORTS[newest])
    came.add(newest)
    return world if world.last is None else delivered(world, world.last)


def test_the_reports_of_the_life_are_of_the_contract() -> None:
    for index in REPORTS:
        check_data("org.openstack.magnum.cluster.status.v1", LIFE[index])


def test_the_ordered_life_ends_as_it_should() -> None:
    row = ordered(18).row
    assert row is not None
    assert (row.status, row.coe_version) == ("UPDATE_COMPLETE", "v1.34.1")
    assert {one.name: (one.status, one.node_count) for one in row.nodegroups} == {
        MASTER: ("UPDATE_COMPLETE", 1),
        WORKER: ("UPDATE_COMPLETE", 3),
        "b": ("UPDATE_COMPLETE", 1),
    }
    assert ordered(18).operations == ()
    assert ordered(len(LIFE)).row is None
