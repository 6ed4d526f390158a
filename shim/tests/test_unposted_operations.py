"""Operations that no function knows of are sent again, or given up."""

from __future__ import annotations

from typing import Any

import pytest
from function_server import problem, rejected
from magnum_stage import MagnumStage
from report_fixtures import (
    CREATE,
    CREATED,
    MASTER,
    REST,
    UPDATE,
    WORKER,
    complete,
    goes_on,
    status_data,
    without_operations,
)
from staged_clusters import waiting

from magnum_capi_functions import journal, unattended

# As the status function tells of a cluster in creation of which it finds nothing.
MISSING = status_data(
    goes_on(None, CREATE),
    {MASTER: goes_on(None, CREATE, None), WORKER: goes_on(None, CREATE, None)},
    api_address=None,
    coe_version=None,
)


class TestAnOperationThatWasNeverPosted:
    def test_is_posted_by_the_periodic_call(self, stage: MagnumStage) -> None:
        cluster = waiting(stage)
        [journalled] = journal.open_operations(cluster.uuid)
        stage.reported = CREATED
        stage.age(cluster, 31)
        stage.poll(cluster)
        [event] = stage.functions.events("cluster.resize")
        assert (event.id, event.data["node_count"], event.data["nodes_to_remove"]) == (journalled.event_id, 5, ["n1"])
        assert stage.saved(cluster)[""] == "UPDATE_IN_PROGRESS"
        assert stage.nodegroup(cluster, WORKER).node_count == 5
        done = {MASTER: REST[MASTER], WORKER: complete(event.id, UPDATE, 5)}
        stage.push(cluster, complete(event.id, UPDATE), done)
        assert stage.saved(cluster) == {"": "UPDATE_COMPLETE", MASTER: "CREATE_COMPLETE", WORKER: "UPDATE_COMPLETE"}
        assert stage.open_kinds(cluster) == []

    def test_is_posted_by_the_sweep_where_the_row_is_not_polled(self, stage: MagnumStage) -> None:
        cluster = stage.rows.cluster()
        stage.reopened(cluster, "cluster.resize", WORKER, arguments={"node_count": 5, "nodes_to_remove": []})
        stage.reported = CREATED
        stage.age(cluster, 31)
        unattended.sweep()
        [event] = stage.functions.events("cluster.resize")
        stage.push(cluster, goes_on(event.id, UPDATE), {MASTER: REST[MASTER], WORKER: goes_on(event.id, UPDATE, 5)})
        assert stage.saved(cluster)[""] == "UPDATE_IN_PROGRESS"

    def test_is_left_to_whoever_began_it_for_a_while(self, stage: MagnumStage) -> None:
        cluster = waiting(stage)
        stage.poll(cluster)
        assert stage.functions.received == []

    def test_is_posted_although_reports_of_others_come(self, stage: MagnumStage) -> None:
        cluster = waiting(stage)
        stage.age(cluster, 31)
        stage.push_data(cluster, CREATED)
        stage.reported = CREATED
        stage.poll(cluster)
        assert len(stage.functions.events("cluster.resize")) == 1

    def test_is_not_posted_where_the_functions_know_it(self, stage: MagnumStage) -> None:
        cluster = waiting(stage)
        [journalled] = journal.open_operations(cluster.uuid)
        stage.reported = status_data(
            goes_on(journalled.event_id, UPDATE),
            {MASTER: REST[MASTER], WORKER: goes_on(journalled.event_id, UPDATE, 5)},
        )
        stage.age(cluster, 31)
        stage.poll(cluster)
        assert stage.functions.events("cluster.resize") == []
        assert stage.open_kinds(cluster) == []

    @pytest.mark.parametrize("kind", ["nodegroup.create", "nodegroup.update", "nodegroup.delete", "cluster.delete"])
    def test_is_posted_whatever_its_kind(self, stage: MagnumStage, kind: str) -> None:
        cluster = stage.rows.cluster(status="DELETE_IN_PROGRESS" if kind == "cluster.delete" else "UPDATE_IN_PROGRESS")
        target = "gpu" if kind.startswith("nodegroup") else ""
        stage.rows.nodegroup(cluster, name="gpu", status=f"{kind.split('.')[1].upper()}_IN_PROGRESS")
        stage.reopened(cluster, kind, target)
        stage.reported = CREATED
        stage.age(cluster, 31)
        stage.poll(cluster)
        assert len(stage.functions.events(kind)) == 1

    def test_goes_with_its_nodegroup(self, stage: MagnumStage) -> None:
        cluster = stage.rows.cluster(status="UPDATE_IN_PROGRESS")
        stage.reopened(cluster, "nodegroup.update", "vanished")
        stage.reported = CREATED
        stage.age(cluster, 31)
        stage.poll(cluster)
        assert stage.open_kinds(cluster) == []
        assert stage.saved(cluster)[""] == "UPDATE_IN_PROGRESS"


class TestAnOperationThatIsRefusedWhenItIsSentAgain:
    def looked_at(self, stage: MagnumStage, code: str) -> Any:
        cluster = waiting(stage)
        stage.refusals["cluster.resize"] = rejected(code, "Field node_count is above the limit.")
        stage.reported = CREATED
        stage.age(cluster, 31)
        stage.poll(cluster)
        return cluster

    def test_fails_with_the_sentence_and_the_number_of_nodes_that_there_are(self, stage: MagnumStage) -> None:
        cluster = self.looked_at(stage, "invalid_field")
        nodegroup = stage.nodegroup(cluster, WORKER)
        assert (nodegroup.status, nodegroup.status_reason) == ("UPDATE_FAILED", "Field node_count is above the limit.")
        assert (stage.row(cluster).status, stage.row(cluster).status_reason) == (
            "UPDATE_FAILED",
            "Field node_count is above the limit.",
        )
        assert stage.open_kinds(cluster) == []
        stage.push_data(cluster, CREATED)
        assert stage.nodegroup(cluster, WORKER).node_count == 2
        assert stage.saved(cluster)[""] == "UPDATE_FAILED"

    def test_stays_to_be_sent_where_it_has_to_wait_for_another(self, stage: MagnumStage) -> None:
        cluster = self.looked_at(stage, "in_progress")
        assert stage.open_kinds(cluster) == ["cluster.resize"]
        assert stage.saved(cluster)[""] == "UPDATE_IN_PROGRESS"

    def test_is_let_go_where_a_newer_one_has_taken_its_place(self, stage: MagnumStage) -> None:
        cluster = self.looked_at(stage, "superseded")
        assert stage.open_kinds(cluster) == []
        stage.push(cluster, complete("newer", UPDATE), {MASTER: REST[MASTER], WORKER: complete("newer", UPDATE, 4)})
        assert stage.saved(cluster)[""] == "UPDATE_COMPLETE"

    def test_leaves_a_cluster_that_was_not_upgraded_ready_for_the_next_upgrade(self, stage: MagnumStage) -> None:
        cluster = stage.rows.cluster(status="UPDATE_IN_PROGRESS")
        newer = stage.rows.template(name="newer")
        former = cluster.cluster_template_id
        cluster.cluster_template_id = newer.uuid
        cluster.save()
        arguments = {
            "new_cluster_template": newer.uuid,
            "previous_cluster_template": former,
            "max_batch_size": 1,
            "nodegroup": WORKER,
        }
        stage.reopened(cluster, "cluster.upgrade", arguments=arguments)
        stage.refusals["cluster.upgrade"] = rejected("invalid_label", "Label kube_tag is no version.")
        stage.reported = CREATED
        stage.age(cluster, 31)
        stage.poll(cluster)
        row = stage.row(cluster)
        assert (row.status, row.status_reason) == ("UPDATE_COMPLETE", "Label kube_tag is no version.")
        assert row.cluster_template_id == former


class TestACreateThatWasNeverPosted:
    def begun(self, stage: MagnumStage) -> Any:
        cluster = stage.rows.cluster(status="CREATE_IN_PROGRESS", stack_id=None, api_address=None, coe_version=None)
        stage.reported = MISSING
        return cluster

    def test_fails_when_the_status_function_knows_nothing_of_it(self, stage: MagnumStage) -> None:
        cluster = self.begun(stage)
        stage.reopened(cluster, "cluster.create")
        stage.age(cluster, 62)
        stage.poll(cluster)
        assert set(stage.saved(cluster).values()) == {"CREATE_IN_PROGRESS"}
        stage.age(cluster, 31)
        polled = stage.poll(cluster)
        assert set(stage.saved(cluster).values()) == {"CREATE_FAILED"}
        assert "Delete the cluster and create it again" in stage.row(cluster).status_reason
        assert polled.status == "CREATE_FAILED"
        assert stage.functions.events("cluster.create") == []

    def test_fails_even_where_the_conductor_did_not_come_to_journal_it(self, stage: MagnumStage) -> None:
        cluster = self.begun(stage)
        stage.age(cluster, 70)
        stage.poll(cluster)
        assert set(stage.saved(cluster).values()) == {"CREATE_FAILED"}

    @pytest.mark.parametrize("names_operations", [True, False])
    def test_goes_on_where_the_status_function_knows_it(self, stage: MagnumStage, names_operations: bool) -> None:
        cluster = self.begun(stage)
        create = stage.reopened(cluster, "cluster.create")
        known = status_data(goes_on(create.event_id, CREATE), {WORKER: goes_on(create.event_id, CREATE, 2)})
        stage.reported = known if names_operations else without_operations(known)
        stage.age(cluster, 100)
        stage.poll(cluster)
        assert stage.saved(cluster)[""] == "CREATE_IN_PROGRESS"

    def test_that_goes_on_after_all_is_followed(self, stage: MagnumStage) -> None:
        cluster = self.begun(stage)
        create = stage.reopened(cluster, "cluster.create")
        stage.age(cluster, 100)
        stage.poll(cluster)
        groups = {MASTER: complete(create.event_id, CREATE), WORKER: complete(create.event_id, CREATE, 2)}
        stage.push(cluster, complete(create.event_id, CREATE), groups)
        assert set(stage.saved(cluster).values()) == {"CREATE_COMPLETE"}


class TestWhatNobodyCanBeToldOf:
    def unreachable(self, stage: MagnumStage) -> None:
        for kind in ("cluster.status.requested", "cluster.resize", "cluster.delete", "cluster.upgrade"):
            stage.refusals[kind] = problem(401, "unauthenticated", "The bearer token has expired.")

    def test_is_kept_for_a_quarter_of_an_hour_and_given_up_then(self, stage: MagnumStage) -> None:
        cluster = waiting(stage)
        self.unreachable(stage)
        stage.age(cluster, 870)
        stage.poll(cluster)
        assert stage.open_kinds(cluster) == ["cluster.resize"]
        stage.age(cluster, 60)
        stage.poll(cluster)
        assert stage.saved(cluster) == {"": "UPDATE_FAILED", MASTER: "CREATE_COMPLETE", WORKER: "UPDATE_FAILED"}
        assert "within 15 minutes" in stage.nodegroup(cluster, WORKER).status_reason
        assert stage.open_kinds(cluster) == []

    def test_of_a_deletion_can_be_asked_for_again(self, stage: MagnumStage) -> None:
        cluster = stage.rows.cluster(status="DELETE_IN_PROGRESS")
        stage.reopened(cluster, "cluster.delete")
        self.unreachable(stage)
        stage.age(cluster, 910)
        stage.poll(cluster)
        assert stage.saved(cluster)[""] == "DELETE_FAILED"
