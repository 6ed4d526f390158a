"""The rows of a cluster whose deletion is complete are removed once, by whoever comes to it."""

from __future__ import annotations

from magnum import objects
from magnum_stage import MagnumStage
from report_fixtures import DELETE, complete, of_cluster, status_data
from staged_clusters import created

from magnum_capi_functions import applying, journal


class TestRemovingACluster:
    def test_is_done_by_the_conductor_where_the_listener_died_on_the_way(self, stage: MagnumStage) -> None:
        cluster = created(stage)
        stage.conductor.clusters.cluster_delete(stage.rows.context, cluster.uuid)
        delete = stage.last_id("cluster.delete")
        gone = of_cluster(status_data(complete(delete, DELETE), {}), cluster)
        # The listener stores the report, and comes no further.
        assert applying.apply_report(stage.admin, cluster.uuid, journal.utc_now(), gone) is not None
        assert stage.saved(cluster)[""] == "DELETE_IN_PROGRESS"
        stage.poll(cluster)
        assert stage.saved(cluster)[""] == "DELETE_IN_PROGRESS"
        stage.age(cluster, 11)
        calls = len(stage.functions.received)
        stage.poll(cluster)
        assert stage.saved(cluster) == {}
        assert len(stage.functions.received) == calls

    def test_that_is_removed_already_disturbs_no_tick(self, stage: MagnumStage) -> None:
        cluster = created(stage)
        polled = stage.row(cluster)
        polled.status = "DELETE_IN_PROGRESS"
        for nodegroup in objects.NodeGroup.list(stage.admin, cluster.uuid):
            nodegroup.destroy()
        cluster.destroy()
        stage.run_job(polled)
        assert polled.status == "DELETE_IN_PROGRESS"
