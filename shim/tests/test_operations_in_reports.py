"""Operations that a report knows, does not know, or cannot name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from report_fixtures import MASTER, WORKER, at, complete, goes_on, operation, status_data, without_operations
from row_fixtures import CREATED_SMALL, changes_of, cluster_row, nodegroup_row, resized, with_worker


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
        changes = changes_of(self.WAITING, CREATED_SMALL, resize)
        assert (changes.cluster["status"], changes.known) == ("UPDATE_COMPLETE", (resize,))
        assert changes.nodegroups[WORKER]["status"] == "UPDATE_COMPLETE"

    def test_does_not_end_as_long_as_clocks_may_differ(self) -> None:
        assert (
            changes_of(self.WAITING, CREATED_SMALL, operation("R2", "cluster.resize", WORKER, answered=at(96))).known
            == ()
        )


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
