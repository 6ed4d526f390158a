"""Two listeners at once over the same database."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from listener_requests import binary, post, send, serving
from magnum_stage import MagnumStage
from report_fixtures import CREATE, MASTER, REST, WORKER, complete, goes_on, of_cluster, status_data

from magnum_capi_functions.received_reports import STATUS


def test_two_listeners_at_once_end_where_one_would(stage: MagnumStage, secret_file: Path) -> None:
    cluster = stage.rows.cluster(status="CREATE_IN_PROGRESS")
    stage.reopened(cluster, "cluster.create", event_id="c")
    begin = datetime.now(timezone.utc) - timedelta(seconds=30)
    reports = [
        (
            begin + timedelta(seconds=second),
            status_data(
                goes_on("c", CREATE),
                {MASTER: complete("c", CREATE), WORKER: goes_on("c", CREATE, second % 3)},
                coe_version=f"v1.33.{second}",
            ),
        )
        for second in range(8)
    ]
    reports.append((begin + timedelta(seconds=9), status_data(complete("c", CREATE), REST, coe_version="v1.33.9")))
    answers: list[int] = []

    def deliver(port: int, order: list[tuple[datetime, dict[str, Any]]]) -> None:
        for when, data in order:
            answers.append(send(port, *binary(STATUS, of_cluster(data, cluster), when))[0])

    with serving() as first, serving() as second:
        senders = [
            threading.Thread(target=deliver, args=(port, order))
            for port in (first, second)
            for order in (reports, reports[::-1], reports[::2])
        ]
        for sender in senders:
            sender.start()
        for sender in senders:
            sender.join(60)
    assert set(answers) == {204}
    assert set(stage.saved(cluster).values()) == {"CREATE_COMPLETE"}
    row = stage.row(cluster)
    assert (row.coe_version, row.status_reason, stage.nodegroup(cluster, WORKER).node_count) == ("v1.33.9", None, 2)


def test_many_reports_that_a_cluster_is_gone_remove_it_once(stage: MagnumStage, secret_file: Path) -> None:
    cluster = stage.rows.cluster(status="DELETE_IN_PROGRESS")
    data = of_cluster(status_data(complete("d", "DELETE"), {}), cluster)
    answers: list[int] = []
    with serving() as first, serving() as second:
        senders = [
            threading.Thread(target=lambda port=port: answers.append(post(port, STATUS, data)[0]))
            for port in (first, second) * 4
        ]
        for sender in senders:
            sender.start()
        for sender in senders:
            sender.join(60)
    assert answers == [204] * 8
    assert stage.saved(cluster) == {}
