"""Which rows a report changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from report_fixtures import MASTER, STACK_ID, WORKER, Said, complete, failed, goes_on, operation, status_data
from row_fixtures import CREATED_SMALL, changes_of, cluster_row, nodegroup_row, resized, told, with_worker

from magnum_capi_functions.journal import Operation
from magnum_capi_functions.row_changes import Situation, row_changes


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
    changes = changes_of(row, CREATED_SMALL, create)
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
    assert not changes_of(cluster_row(), CREATED_SMALL).is_anything


def test_an_older_report_than_the_last_is_dropped_whatever_it_says() -> None:
    situation = Situation(cluster_row("UPDATE_IN_PROGRESS"), (), told(CREATED_SMALL, 101))
    gone = status_data(complete("D", "DELETE"), {})
    assert row_changes(situation, told(gone, 100)) is None
    assert row_changes(situation, told(gone, 101)) is not None


class TestARowThatWasRefused:
    """Its reason is worth more than what was true before."""

    ROW = with_worker(
        cluster_row("UPDATE_FAILED", status_reason="Refused."), status="UPDATE_FAILED", status_reason="Refused."
    )

    @pytest.mark.parametrize("data", [CREATED_SMALL, resized(complete("R", "UPDATE"))])
    def test_stays_as_it_is_when_the_last_report_comes_again(self, data: dict[str, Any]) -> None:
        row = replace(self.ROW, nodegroups=(nodegroup_row(MASTER), self.ROW.nodegroups[1]))
        assert not changes_of(row, data, last=data).is_anything

    def test_of_another_action_stays_even_without_an_earlier_report(self) -> None:
        changes = changes_of(self.ROW, CREATED_SMALL)
        assert "status" not in changes.cluster

    def test_becomes_complete_with_what_went_on_meanwhile(self) -> None:
        creating = status_data(goes_on("C", "CREATE"), {})
        assert changes_of(self.ROW, CREATED_SMALL, last=creating).cluster["status"] == "CREATE_COMPLETE"

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
