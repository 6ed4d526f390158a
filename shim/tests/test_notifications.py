"""What Magnum tells others when a cluster's operation ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import magnum.conf
import pytest
from magnum.common import rpc
from magnum_stage import MagnumStage
from oslo_messaging.notify import _impl_test
from report_fixtures import CREATE, DELETE, complete, failed, rest_of
from staged_clusters import overtaken

Sent = Callable[[], list[tuple[str, str]]]


@pytest.fixture
def sent(set_option: Any) -> Iterator[Sent]:
    """Action and outcome of what Magnum has told others, in order."""
    rpc.cleanup()
    set_option("driver", ["test"], group="oslo_messaging_notifications")
    rpc.init(magnum.conf.CONF)
    _impl_test.reset()
    yield _sent
    rpc.cleanup()
    magnum.conf.CONF.clear_override("driver", group="oslo_messaging_notifications")
    rpc.init(magnum.conf.CONF)


def _sent() -> list[tuple[str, str]]:
    payloads = [message["payload"] for _context, message, _priority, _retry in _impl_test.NOTIFICATIONS]
    return [(one["action"], one["outcome"]) for one in payloads if one["outcome"] != "pending"]


class TestNotifications:
    def test_come_once_although_conductor_and_listener_see_the_same_end(self, sent: Sent, stage: MagnumStage) -> None:
        cluster = stage.create()
        polled = stage.row(cluster)
        create = stage.last_id("cluster.create")
        stage.push(cluster, complete(create, CREATE), rest_of(create))
        stage.push(cluster, complete(create, CREATE), rest_of(create))
        # A tick that read the row before.
        stage.run_job(polled)
        assert sent() == [("create", "success")]

    def test_tell_of_failures_and_of_deletions(self, sent: Sent, stage: MagnumStage) -> None:
        cluster = stage.create()
        create = stage.last_id("cluster.create")
        stage.push(cluster, failed(create, CREATE), rest_of(create))
        stage.conductor.clusters.cluster_delete(stage.rows.context, cluster.uuid)
        stage.push(cluster, complete(stage.last_id("cluster.delete"), DELETE), {})
        assert sent() == [("create", "failure"), ("delete", "success")]

    def test_do_not_come_again_for_a_late_save(self, sent: Sent, stage: MagnumStage) -> None:
        cluster = overtaken(stage)
        stage.age(cluster, 3)
        stage.poll(cluster)
        assert sent() == [("create", "success"), ("update", "success")]
