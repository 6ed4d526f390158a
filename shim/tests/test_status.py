"""Reports reach Magnum's rows through Magnum's own conductor, sync job and database."""

from __future__ import annotations

from datetime import timedelta

from magnum import objects
from magnum.db import api as db_api
from magnum_stage import MagnumStage
from report_fixtures import CREATE, DELETE, MASTER, UPDATE, WORKER, complete, failed, goes_on, rest_of, status_data
from staged_clusters import created, resize

from magnum_capi_functions import journal


class TestALife:
    def test_a_create_is_complete_when_the_report_says_so(self, stage: MagnumStage) -> None:
        cluster = stage.create()
        create = stage.last_id("cluster.create")
        assert stage.open_kinds(cluster) == ["cluster.create"]
        stage.push(
            cluster,
            goes_on(create, CREATE),
            {MASTER: complete(create, CREATE), WORKER: goes_on(create, CREATE, 2)},
            coe_version=None,
        )
        assert stage.saved(cluster) == {
            "": "CREATE_IN_PROGRESS",
            MASTER: "CREATE_COMPLETE",
            WORKER: "CREATE_IN_PROGRESS",
        }
        row = stage.row(cluster)
        assert (row.api_address, row.status_reason) == ("https://192.0.2.10:6443", "CREATE goes on")
        assert stage.open_kinds(cluster) == []
        stage.push(cluster, complete(create, CREATE), rest_of(create))
        assert set(stage.saved(cluster).values()) == {"CREATE_COMPLETE"}
        row = stage.row(cluster)
        assert (row.coe_version, row.status_reason, row.node_addresses) == (
            "v1.33.4",
            None,
            ["192.0.2.20", "192.0.2.21"],
        )

    def test_a_create_that_fails_says_why_and_recovers(self, stage: MagnumStage) -> None:
        cluster = stage.create()
        create = stage.last_id("cluster.create")
        stage.push(cluster, failed(create, CREATE), rest_of(create, **{WORKER: failed(create, CREATE, 2)}))
        assert (stage.row(cluster).status, stage.row(cluster).status_reason) == (
            "CREATE_FAILED",
            "CREATE was not complete in time",
        )
        assert stage.saved(cluster)[WORKER] == "CREATE_FAILED"
        stage.push(cluster, complete(create, CREATE), rest_of(create))
        assert set(stage.saved(cluster).values()) == {"CREATE_COMPLETE"}
        assert stage.nodegroup(cluster, WORKER).status_reason is None

    def test_nodegroups_go_on_side_by_side(self, stage: MagnumStage) -> None:
        cluster = created(stage)
        create = stage.last_id("cluster.create")
        ids = {}
        for name in ("gpu", "infra"):
            nodegroup = stage.rows.new_nodegroup(cluster, name=name, node_count=1)
            stage.conductor.nodegroups.nodegroup_create(stage.rows.context, stage.row(cluster), nodegroup)
            ids[name] = stage.last_id("nodegroup.create")
        # The second is not in this report yet.
        stage.push(cluster, complete(ids["gpu"], UPDATE), rest_of(create, gpu=complete(ids["gpu"], CREATE)))
        assert stage.saved(cluster)[""] == "UPDATE_IN_PROGRESS"
        assert stage.saved(cluster)["gpu"] == "CREATE_COMPLETE"
        assert stage.saved(cluster)["infra"] == "CREATE_IN_PROGRESS"
        both = {"gpu": complete(ids["gpu"], CREATE), "infra": complete(ids["infra"], CREATE)}
        stage.push(cluster, complete(ids["infra"], UPDATE), rest_of(create, **both))
        assert stage.saved(cluster)[""] == "UPDATE_COMPLETE"
        assert stage.saved(cluster)["infra"] == "CREATE_COMPLETE"
        assert stage.open_kinds(cluster) == []

    def test_a_nodegroup_goes_when_the_report_says_so(self, stage: MagnumStage) -> None:
        cluster = created(stage)
        create = stage.last_id("cluster.create")
        gpu = stage.rows.nodegroup(cluster, name="gpu")
        stage.conductor.nodegroups.nodegroup_delete(stage.rows.context, stage.row(cluster), gpu)
        delete = stage.last_id("nodegroup.delete")
        stage.push(cluster, complete(create, CREATE), rest_of(create, gpu=complete(create, CREATE)))
        assert stage.saved(cluster)["gpu"] == "DELETE_IN_PROGRESS"
        stage.push(cluster, goes_on(delete, UPDATE), rest_of(create, gpu=goes_on(delete, DELETE, None)))
        assert stage.saved(cluster)["gpu"] == "DELETE_IN_PROGRESS"
        stage.push(cluster, complete(delete, UPDATE), rest_of(create, gpu=complete(delete, DELETE, None)))
        assert stage.saved(cluster) == {"": "UPDATE_COMPLETE", MASTER: "CREATE_COMPLETE", WORKER: "CREATE_COMPLETE"}

    def test_an_upgrade_shows_on_all_nodegroups(self, stage: MagnumStage) -> None:
        cluster = created(stage)
        template = stage.rows.template(name="newer")
        stage.conductor.clusters.cluster_upgrade(
            stage.rows.context, stage.row(cluster), template, 1, stage.nodegroup(cluster, WORKER)
        )
        upgrade = stage.last_id("cluster.upgrade")
        groups = {MASTER: goes_on(upgrade, UPDATE), WORKER: goes_on(upgrade, UPDATE, 2)}
        stage.push(cluster, goes_on(upgrade, UPDATE), groups)
        assert set(stage.saved(cluster).values()) == {"UPDATE_IN_PROGRESS"}
        groups = {MASTER: complete(upgrade, UPDATE), WORKER: complete(upgrade, UPDATE, 2)}
        stage.push(cluster, complete(upgrade, UPDATE), groups, coe_version="v1.34.1")
        assert set(stage.saved(cluster).values()) == {"UPDATE_COMPLETE"}
        assert stage.row(cluster).coe_version == "v1.34.1"
        assert stage.row(cluster).cluster_template_id == template.uuid

    def test_a_deletion_leaves_nothing_behind(self, stage: MagnumStage) -> None:
        cluster = created(stage)
        references = [cluster.ca_cert_ref, cluster.magnum_cert_ref]
        certificates = objects.X509KeyPair
        stage.conductor.clusters.cluster_delete(stage.rows.context, cluster.uuid)
        delete = stage.last_id("cluster.delete")
        groups = {name: goes_on(delete, DELETE, None) for name in (MASTER, WORKER)}
        stage.push(cluster, goes_on(delete, DELETE), groups)
        assert set(stage.saved(cluster).values()) == {"DELETE_IN_PROGRESS"}
        assert all(certificates.get_by_uuid(stage.admin, reference) for reference in references)
        stage.push(cluster, complete(delete, DELETE), {}, api_address=None, coe_version=None)
        assert stage.saved(cluster) == {}
        assert objects.NodeGroup.list(stage.admin, cluster.uuid) == []
        left = {one.uuid for one in db_api.get_instance().get_x509keypair_list(stage.admin)}
        assert left.isdisjoint(references)
        assert journal.known_clusters() == []
        # What comes afterwards is of no use to anybody.
        stage.push(cluster, goes_on(delete, DELETE), groups)
        assert journal.known_clusters() == []


class TestReportsThatComeInAnotherWay:
    def test_doubled_they_change_nothing_more(self, stage: MagnumStage) -> None:
        cluster = created(stage)
        create = stage.last_id("cluster.create")
        before = stage.row(cluster).updated_at
        for _ in range(3):
            stage.push(cluster, complete(create, CREATE), rest_of(create))
        assert stage.row(cluster).updated_at == before

    def test_older_they_are_dropped(self, stage: MagnumStage) -> None:
        cluster = created(stage)
        create = stage.last_id("cluster.create")
        older = status_data(failed(create, CREATE), rest_of(create), api_address="https://203.0.113.1:6443")
        stage.push_data(cluster, older, journal.utc_now() - timedelta(seconds=30))
        assert stage.saved(cluster)[""] == "CREATE_COMPLETE"
        assert stage.row(cluster).api_address == "https://192.0.2.10:6443"

    def test_reordered_the_newest_counts(self, stage: MagnumStage) -> None:
        cluster = created(stage)
        create = stage.last_id("cluster.create")
        event = resize(stage, cluster, 3)
        now = journal.utc_now()
        end = status_data(complete(event, UPDATE), rest_of(create, **{WORKER: complete(event, UPDATE, 3)}))
        middle = status_data(goes_on(event, UPDATE), rest_of(create, **{WORKER: goes_on(event, UPDATE, 3)}))
        stage.push_data(cluster, end, now)
        stage.push_data(cluster, middle, now - timedelta(seconds=1))
        assert stage.saved(cluster) == {"": "UPDATE_COMPLETE", MASTER: "CREATE_COMPLETE", WORKER: "UPDATE_COMPLETE"}

    def test_of_an_action_that_the_row_is_not_in_they_leave_it(self, stage: MagnumStage) -> None:
        cluster = created(stage)
        create = stage.last_id("cluster.create")
        stage.conductor.clusters.cluster_delete(stage.rows.context, cluster.uuid)
        stage.push(cluster, complete(create, CREATE), rest_of(create))
        assert stage.saved(cluster)[""] == "DELETE_IN_PROGRESS"

    def test_from_a_clock_that_is_ahead_they_do_not_keep_out_the_next(self, stage: MagnumStage) -> None:
        cluster = created(stage)
        create = stage.last_id("cluster.create")
        event = resize(stage, cluster, 3)
        ahead = status_data(goes_on(event, UPDATE), rest_of(create, **{WORKER: goes_on(event, UPDATE, 3)}))
        stage.push_data(cluster, ahead, journal.utc_now() + timedelta(hours=1))
        end = status_data(complete(event, UPDATE), rest_of(create, **{WORKER: complete(event, UPDATE, 3)}))
        stage.push_data(cluster, end, journal.utc_now() + timedelta(seconds=11))
        assert stage.saved(cluster)[""] == "UPDATE_COMPLETE"

    def test_of_a_create_without_an_answer_they_bring_the_stack_id(self, stage: MagnumStage) -> None:
        cluster = stage.create()
        create = stage.last_id("cluster.create")
        row = stage.row(cluster)
        row.stack_id = None
        row.save()
        stage.push(cluster, goes_on(create, CREATE), rest_of(create))
        assert stage.row(cluster).stack_id == "kube-21d56"


class TestRefusedOperations:
    def test_leave_the_reason_where_the_last_report_comes_again(self, stage: MagnumStage) -> None:
        cluster = created(stage)
        create = stage.last_id("cluster.create")
        nodegroup = stage.nodegroup(cluster, WORKER)
        nodegroup.status, nodegroup.status_reason = "UPDATE_FAILED", "Refused."
        nodegroup.save()
        row = stage.row(cluster)
        row.status, row.status_reason = "UPDATE_FAILED", "Refused."
        row.save()
        stage.push(cluster, complete(create, CREATE), rest_of(create))
        assert stage.row(cluster).status_reason == "Refused."
        event = resize(stage, cluster, 3)
        stage.push(cluster, complete(event, UPDATE), rest_of(create, **{WORKER: complete(event, UPDATE, 3)}))
        assert (stage.row(cluster).status, stage.row(cluster).status_reason) == ("UPDATE_COMPLETE", None)
        assert stage.nodegroup(cluster, WORKER).status_reason is None
