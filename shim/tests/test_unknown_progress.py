"""What a user reads while the functions cannot be asked."""

from __future__ import annotations

from function_server import problem
from magnum_stage import MagnumStage
from report_fixtures import CREATED, MASTER, REST, UPDATE, WORKER, goes_on
from staged_clusters import waiting

from magnum_capi_functions import journal


def _unreachable(stage: MagnumStage) -> None:
    for kind in ("cluster.status.requested", "cluster.resize"):
        stage.refusals[kind] = problem(401, "unauthenticated", "The bearer token has expired.")


def test_the_cluster_says_why_nothing_is_told_of_its_operation(stage: MagnumStage) -> None:
    cluster = waiting(stage)
    _unreachable(stage)
    stage.age(cluster, 40)
    polled = stage.poll(cluster)
    reason = stage.row(cluster).status_reason
    assert (polled.status, reason.startswith("How far it is cannot be told now: ")) == ("UPDATE_IN_PROGRESS", True)


def test_the_next_report_takes_its_place(stage: MagnumStage) -> None:
    cluster = waiting(stage)
    _unreachable(stage)
    stage.age(cluster, 40)
    stage.poll(cluster)
    event = journal.open_operations(cluster.uuid)[0].event_id
    stage.push(cluster, goes_on(event, UPDATE), {MASTER: REST[MASTER], WORKER: goes_on(event, UPDATE)})
    assert "cannot be told" not in (stage.row(cluster).status_reason or "")


def test_what_has_ended_keeps_its_reason(stage: MagnumStage) -> None:
    cluster = stage.rows.cluster(status="CREATE_COMPLETE")
    stage.reported = CREATED
    _unreachable(stage)
    stage.age(cluster, 40)
    stage.poll(cluster)
    assert stage.row(cluster).status_reason is None
