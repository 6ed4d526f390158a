"""A conductor saves rows after a report has changed them."""

from __future__ import annotations

from magnum_stage import MagnumStage
from report_fixtures import MASTER, WORKER
from staged_clusters import created, overtaken, resize


class TestALateSaveOfTheConductor:
    """It saves UPDATE_IN_PROGRESS after the driver's return, and the report can be faster."""

    def test_is_made_good_by_the_periodic_call_without_a_call_of_a_function(self, stage: MagnumStage) -> None:
        cluster = overtaken(stage)
        stage.age(cluster, 3)
        calls = len(stage.functions.received)
        stage.poll(cluster)
        assert stage.saved(cluster) == {"": "UPDATE_COMPLETE", MASTER: "CREATE_COMPLETE", WORKER: "UPDATE_COMPLETE"}
        assert len(stage.functions.received) == calls

    def test_is_not_taken_for_one_while_an_operation_may_just_begin(self, stage: MagnumStage) -> None:
        cluster = overtaken(stage)
        stage.poll(cluster)
        assert stage.saved(cluster)[""] == "UPDATE_IN_PROGRESS"

    def test_is_made_good_by_the_listener_two_seconds_later(self, stage: MagnumStage) -> None:
        cluster = overtaken(stage)
        timer = stage.reports._timers[cluster.uuid]
        assert timer.interval == 2
        timer.join(10)
        assert stage.saved(cluster)[""] == "UPDATE_COMPLETE"

    def test_does_not_undo_an_operation_that_has_begun_since(self, stage: MagnumStage) -> None:
        cluster = overtaken(stage)
        resize(stage, cluster, 4)
        stage.age(cluster, 3)
        stage.poll(cluster)
        assert stage.saved(cluster)[""] == "UPDATE_IN_PROGRESS"
        assert stage.saved(cluster)[WORKER] == "UPDATE_IN_PROGRESS"
        assert stage.nodegroup(cluster, WORKER).node_count == 4

    def test_of_a_number_of_nodes_is_not_taken_back_before_it_is_asked_for(self, stage: MagnumStage) -> None:
        cluster = created(stage)
        nodegroup = stage.nodegroup(cluster, WORKER)
        nodegroup.node_count = 5
        nodegroup.save()
        stage.age(cluster, 3)
        stage.poll(cluster)
        assert stage.nodegroup(cluster, WORKER).node_count == 5
