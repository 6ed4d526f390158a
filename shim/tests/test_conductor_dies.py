"""A conductor that dies leaves rows that are polled and a journal from which the operation is sent again."""

from __future__ import annotations

from typing import Any

import pytest
from conductor import CLUSTERS, open_kinds
from function_server import FunctionServer
from magnum.common.context import RequestContext
from magnum_rows_factory import RowsFactory

from magnum_capi_functions import functions as posting
from magnum_capi_functions import journal, operations
from magnum_capi_functions.replies import Accepted


class KilledError(BaseException):
    """Ends a call as SIGKILL would: nothing of ours runs any more."""


@pytest.fixture
def killed_before_posting(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    def die(*_arguments: object) -> None:
        raise KilledError

    monkeypatch.setattr(posting, "exchange", die)
    return monkeypatch


def _resize(rows: RowsFactory, cluster: Any) -> None:
    CLUSTERS.cluster_resize(rows.context, cluster, 5, [], rows.nodegroup_named(cluster, "default-worker"))


def _delete(rows: RowsFactory, cluster: Any) -> None:
    CLUSTERS.cluster_delete(rows.context, cluster.uuid)


def _upgrade(rows: RowsFactory, cluster: Any) -> None:
    workers = rows.nodegroup_named(cluster, "default-worker")
    CLUSTERS.cluster_upgrade(rows.context, cluster, rows.template(name="newer"), 1, workers)


@pytest.mark.parametrize(
    ("call", "kind", "status"),
    [
        (_resize, "cluster.resize", "UPDATE_IN_PROGRESS"),
        (_delete, "cluster.delete", "DELETE_IN_PROGRESS"),
        # The listener's sweep finds it by the journal alone.
        (_upgrade, "cluster.upgrade", "CREATE_COMPLETE"),
    ],
)
def test_an_operation_outlives_its_conductor(
    functions: FunctionServer,
    rows: RowsFactory,
    admin_context: RequestContext,
    killed_before_posting: pytest.MonkeyPatch,
    call: Any,
    kind: str,
    status: str,
) -> None:
    cluster = rows.cluster()
    with pytest.raises(KilledError):
        call(rows, cluster)
    killed_before_posting.undo()
    row = rows.refreshed(cluster)
    assert (row.status, open_kinds(row), functions.received) == (status, [kind], [])

    (operation,) = journal.open_operations(cluster.uuid)
    assert operations.resend(admin_context, row, operation) == Accepted("kube-21d56")
    assert [(request.kind, request.id) for request in functions.received] == [(kind, operation.event_id)]


def test_a_create_outlives_its_conductor_with_its_certificates(
    functions: FunctionServer, rows: RowsFactory, killed_before_posting: pytest.MonkeyPatch
) -> None:
    cluster = rows.new_cluster()
    with pytest.raises(KilledError):
        CLUSTERS.cluster_create(rows.context, cluster, 1, 2, 60)
    row = rows.refreshed(cluster)
    assert (row.status, open_kinds(row)) == ("CREATE_IN_PROGRESS", ["cluster.create"])
    assert all((row.ca_cert_ref, row.magnum_cert_ref, row.etcd_ca_cert_ref, row.front_proxy_ca_cert_ref))
