"""The functions are asked where no report comes."""

from __future__ import annotations

from typing import Any

import pytest
from function_server import problem
from magnum_stage import MagnumStage
from report_fixtures import DELETE, MASTER, REST, UPDATE, WORKER, complete, goes_on, status_data

from magnum_capi_functions import attention


def asked(stage: MagnumStage) -> int:
    return len(stage.functions.events("cluster.status.requested"))


class TestWhoeverLooksNext:
    """The conductor's periodic call for clusters in progress, the listener's sweep for all others."""

    def test_asks_nothing_while_reports_come(self, stage: MagnumStage) -> None:
        cluster = stage.rows.cluster(status="UPDATE_IN_PROGRESS")
        stage.push(cluster, goes_on("r", UPDATE), REST)
        for _ in range(3):
            stage.poll(cluster)
        stage.age(cluster, 15)
        stage.poll(cluster)
        assert stage.functions.received == []

    def test_asks_when_nothing_was_pushed_for_thirty_seconds_and_then_not_again(self, stage: MagnumStage) -> None:
        cluster = stage.rows.cluster(status="UPDATE_IN_PROGRESS")
        stage.push(cluster, goes_on("r", UPDATE), REST)
        stage.age(cluster, 31)
        stage.reported = status_data(complete("r", UPDATE), {MASTER: REST[MASTER], WORKER: complete("r", UPDATE, 3)})
        polled = stage.poll(cluster)
        assert polled.status == "UPDATE_COMPLETE"
        assert stage.saved(cluster) == {"": "UPDATE_COMPLETE", MASTER: "UPDATE_IN_PROGRESS", WORKER: "UPDATE_COMPLETE"}
        assert asked(stage) == 1
        row = stage.row(cluster)
        row.status = "UPDATE_IN_PROGRESS"
        row.save()
        stage.poll(cluster)
        assert asked(stage) == 1

    def test_asks_at_once_where_nothing_is_known_of_a_cluster_in_progress(self, stage: MagnumStage) -> None:
        cluster = stage.rows.cluster(status="UPDATE_IN_PROGRESS")
        stage.reported = status_data(
            complete(None, None), {MASTER: complete(None, None), WORKER: complete(None, None, 2)}
        )
        stage.poll(cluster)
        assert set(stage.saved(cluster).values()) == {"UPDATE_COMPLETE"}

    def test_takes_no_answer_for_an_answer_too(self, stage: MagnumStage) -> None:
        cluster = stage.rows.cluster(status="UPDATE_IN_PROGRESS")
        for _ in range(3):
            stage.poll(cluster)
        assert asked(stage) == 1

    def test_leaves_the_row_where_the_functions_are_down(self, stage: MagnumStage) -> None:
        cluster = stage.rows.cluster(status="UPDATE_IN_PROGRESS")
        stage.refusals["cluster.status.requested"] = problem(401, "unauthenticated", "The bearer token has expired.")
        stage.poll(cluster)
        assert stage.saved(cluster)[""] == "UPDATE_IN_PROGRESS"

    def test_does_not_trip_over_an_answer_of_another_form(self, stage: MagnumStage) -> None:
        cluster = stage.rows.cluster(status="UPDATE_IN_PROGRESS")
        stage.reported = {"nodegroups": 5}
        stage.poll(cluster)
        assert stage.saved(cluster)[""] == "UPDATE_IN_PROGRESS"

    @pytest.mark.parametrize("fields", [{"stack_id": None}, {"api_address": None}, {"labels": {}}])
    def test_does_not_trip_over_what_a_row_lacks(self, stage: MagnumStage, fields: dict[str, Any]) -> None:
        cluster = stage.rows.cluster(status="UPDATE_IN_PROGRESS", **fields)
        stage.poll(cluster)
        assert asked(stage) == 1

    def test_looks_once_at_a_time(self, stage: MagnumStage) -> None:
        cluster = stage.rows.cluster(status="UPDATE_IN_PROGRESS")
        with attention._in_hand(cluster.uuid) as is_ours:
            assert is_ours
            stage.poll(cluster)
        assert asked(stage) == 0


class TestADeletionOfWhatHasNeverBeen:
    def test_ends_with_the_next_tick(self, stage: MagnumStage) -> None:
        cluster = stage.rows.cluster(status="CREATE_FAILED", stack_id=None)
        stage.conductor.clusters.cluster_delete(stage.rows.context, cluster.uuid)
        stage.reported = status_data(complete(None, DELETE), {}, api_address=None, coe_version=None)
        stage.poll(cluster)
        assert stage.saved(cluster)[""] == "DELETE_IN_PROGRESS"
        stage.age(cluster, 6)
        stage.poll(cluster)
        assert stage.saved(cluster) == {}
        assert asked(stage) == 1

    def test_asks_nothing_where_reports_tell_of_it(self, stage: MagnumStage) -> None:
        cluster = stage.rows.cluster()
        stage.conductor.clusters.cluster_delete(stage.rows.context, cluster.uuid)
        stage.push(cluster, goes_on(stage.last_id("cluster.delete"), DELETE), {})
        stage.age(cluster, 20)
        stage.poll(cluster)
        assert asked(stage) == 0
