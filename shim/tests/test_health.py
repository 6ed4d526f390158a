"""The health of clusters: pushed, or asked for where nothing is pushed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from function_server import problem, report
from magnum.service.periodic import ClusterHealthUpdateJob
from magnum_stage import MagnumStage
from oslo_service.loopingcall import LoopingCallDone

from magnum_capi_functions import journal


def poll_health(stage: MagnumStage, cluster: Any) -> tuple[str | None, dict[str, str] | None]:
    """What Magnum's health poll does; the health in the row afterwards."""
    with pytest.raises(LoopingCallDone):
        ClusterHealthUpdateJob(stage.admin, stage.row(cluster)).update_health_status()
    row = stage.row(cluster)
    return row.health_status, row.health_status_reason


def answers(stage: MagnumStage, data: dict[str, Any]) -> None:
    stage.refusals["cluster.health.requested"] = report("cluster.health", data)


def test_the_poll_asks_where_no_health_was_ever_pushed(stage: MagnumStage) -> None:
    cluster = stage.rows.cluster()
    answers(stage, {"stack_id": "k", "health_status": "UNHEALTHY", "health_status_reason": {"api": "down"}})
    assert poll_health(stage, cluster) == ("UNHEALTHY", {"api": "down"})
    assert len(stage.functions.events("cluster.health.requested")) == 1


def test_a_cluster_whose_health_is_pushed_costs_no_call(stage: MagnumStage) -> None:
    cluster = stage.rows.cluster()
    stage.push_health(cluster, "HEALTHY", {"api": "ok", "node-1.Ready": "True"})
    for _ in range(3):
        assert poll_health(stage, cluster) == ("HEALTHY", {"api": "ok", "node-1.Ready": "True"})
    assert stage.functions.received == []


def test_the_poll_asks_again_when_pushes_stay_away(stage: MagnumStage) -> None:
    cluster = stage.rows.cluster()
    stage.push_health(cluster, "HEALTHY", {}, journal.utc_now() - timedelta(minutes=16))
    answers(stage, {"stack_id": "k", "health_status": "UNKNOWN", "health_status_reason": {}})
    assert poll_health(stage, cluster)[0] == "UNKNOWN"


def test_an_older_push_is_dropped(stage: MagnumStage) -> None:
    cluster = stage.rows.cluster()
    stage.push_health(cluster, "UNHEALTHY", {"api": "down"})
    stage.push_health(cluster, "HEALTHY", {}, journal.utc_now() - timedelta(seconds=5))
    assert stage.row(cluster).health_status == "UNHEALTHY"


def test_a_push_that_says_the_same_saves_nothing_in_the_row(stage: MagnumStage) -> None:
    cluster = stage.rows.cluster()
    stage.push_health(cluster, "HEALTHY", {"api": "ok"})
    before = stage.row(cluster).updated_at
    stage.age(cluster, 60)
    saved = stage.row(cluster).updated_at
    stage.push_health(cluster, "HEALTHY", {"api": "ok"})
    assert stage.row(cluster).updated_at == saved != before


def test_a_push_leaves_the_status_alone_while_a_conductor_saves_it(stage: MagnumStage) -> None:
    cluster = stage.rows.cluster()
    stage.push_health(cluster, "HEALTHY", {})
    row = stage.row(cluster)
    row.status = "UPDATE_IN_PROGRESS"
    row.save()
    stage.push_health(cluster, "UNHEALTHY", {"api": "down"})
    assert stage.row(cluster).status == "UPDATE_IN_PROGRESS"


def test_functions_that_are_down_leave_the_row_and_no_traceback(
    stage: MagnumStage, caplog: pytest.LogCaptureFixture
) -> None:
    cluster = stage.rows.cluster(health_status="HEALTHY")
    stage.refusals["cluster.health.requested"] = problem(401, "unauthenticated", "The bearer token has expired.")
    assert poll_health(stage, cluster)[0] == "HEALTHY"
    assert "There is no health report" in caplog.text
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("data", [{}, {"health_status": "FINE", "health_status_reason": {}}])
def test_an_answer_of_another_form_leaves_the_row(stage: MagnumStage, data: dict[str, Any]) -> None:
    cluster = stage.rows.cluster(health_status="HEALTHY")
    answers(stage, data)
    assert poll_health(stage, cluster)[0] == "HEALTHY"
