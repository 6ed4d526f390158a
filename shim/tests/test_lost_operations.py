"""Operations that were lost with their conductor, and the sweep that finds what Magnum passes over."""

from __future__ import annotations

from magnum_stage import MagnumStage
from report_fixtures import CREATE, CREATED, MASTER, REST, UPDATE, WORKER, complete, goes_on, operation, status_data
from staged_clusters import waiting

from magnum_capi_functions import journal, unattended


class TestAnOperationThatWasLostWithItsConductor:
    """Before it was journalled."""

    def test_of_a_new_nodegroup_is_asked_for_from_its_row(self, stage: MagnumStage) -> None:
        cluster = stage.rows.cluster(status="UPDATE_IN_PROGRESS")
        for name in (MASTER, WORKER):
            row = stage.nodegroup(cluster, name)
            row.status = "CREATE_COMPLETE"
            row.save()
        stage.rows.nodegroup(cluster, name="gpu", status="CREATE_IN_PROGRESS")
        stage.reported = status_data(complete("c", CREATE), {**REST, "gpu": goes_on(None, CREATE, None)})
        for seconds in (40, 130, 31):
            stage.age(cluster, seconds)
            stage.poll(cluster)
        assert len(stage.functions.events("nodegroup.create")) == 1
        assert stage.saved(cluster)["gpu"] == "CREATE_IN_PROGRESS"

    def test_of_a_change_fails_by_the_sweep(self, stage: MagnumStage) -> None:
        cluster = stage.rows.cluster()
        nodegroup = stage.nodegroup(cluster, WORKER)
        nodegroup.status, nodegroup.node_count = "UPDATE_IN_PROGRESS", 7
        nodegroup.save()
        stage.reported = CREATED
        for seconds in (40, 130):
            stage.age(cluster, seconds)
            unattended.sweep()
        nodegroup = stage.nodegroup(cluster, WORKER)
        assert (nodegroup.status, nodegroup.node_count) == ("UPDATE_FAILED", 2)
        assert "Ask for it again" in nodegroup.status_reason

    def test_is_not_taken_for_lost_where_the_original_driver_has_begun_it(self, stage: MagnumStage) -> None:
        cluster = stage.rows.cluster(status="UPDATE_IN_PROGRESS")
        groups = {MASTER: complete(None, None), WORKER: goes_on(None, UPDATE, 3)}
        stage.reported = status_data(goes_on(None, None), groups)
        for seconds in (40, 130, 31):
            stage.age(cluster, seconds)
            stage.poll(cluster)
        assert stage.saved(cluster) == {
            "": "UPDATE_IN_PROGRESS",
            MASTER: "UPDATE_COMPLETE",
            WORKER: "UPDATE_IN_PROGRESS",
        }

    def test_of_the_cluster_leaves_it_complete(self, stage: MagnumStage) -> None:
        cluster = stage.rows.cluster(status="CREATE_COMPLETE")
        row = stage.row(cluster)
        row.status = "UPDATE_IN_PROGRESS"
        row.save()
        stage.reported = CREATED
        stage.poll(cluster)
        assert stage.saved(cluster)[""] == "UPDATE_IN_PROGRESS"
        stage.age(cluster, 50)
        stage.poll(cluster)
        assert stage.saved(cluster)[""] == "UPDATE_COMPLETE"
        assert "Ask for it again" in stage.row(cluster).status_reason


class TestTheSweep:
    def test_looks_at_nothing_that_is_settled_or_polled(self, stage: MagnumStage) -> None:
        stage.rows.cluster()
        polled = waiting(stage)
        stage.age(polled, 100)
        unattended.sweep()
        assert unattended.unattended_clusters() == []
        assert stage.functions.received == []

    def test_finds_nodegroups_that_are_left_in_progress(self, stage: MagnumStage) -> None:
        cluster = stage.rows.cluster(status="UPDATE_FAILED")
        stage.rows.nodegroup(cluster, name="gpu", status="CREATE_IN_PROGRESS")
        stage.reported = status_data(complete("n", UPDATE), {"gpu": complete("n", CREATE)})
        stage.age(cluster, 40)
        unattended.sweep()
        assert stage.saved(cluster)["gpu"] == "CREATE_COMPLETE"

    def test_forgets_clusters_that_are_magnums_no_more(self) -> None:
        journal.open_operation(operation("r", "cluster.resize", WORKER))
        unattended.sweep()
        assert journal.known_clusters() == []

    def test_goes_on_after_a_cluster_that_cannot_be_looked_after(self, stage: MagnumStage) -> None:
        broken, other = stage.rows.cluster(), stage.rows.cluster()
        for cluster in (broken, other):
            arguments = {"node_count": 5, "nodes_to_remove": []}
            stage.reopened(cluster, "cluster.resize", WORKER, arguments=arguments)
            stage.age(cluster, 40)
        row = stage.row(broken)
        row.cluster_template_id = "00000000-0000-4000-8000-000000000000"
        row.save()
        unattended.sweep()
        assert [event.headers["ce-subject"] for event in stage.functions.events("cluster.resize")] == [other.uuid]
