"""How Magnum's rows stand after a cluster is upgraded."""

from __future__ import annotations

import time
from typing import Any

import pytest
from conductor import CLUSTERS, REFUSED, SENTENCE, both, nodegroups, open_kinds
from function_server import (
    FunctionServer,
    busy,
    hang_up,
    plain,
    rejected,
    silence,
    unavailable,
)
from magnum.common import exception
from magnum_rows_factory import RowsFactory
from stage_settings import BOUNDED

from magnum_capi_functions import journal


def upgrade(rows: RowsFactory, expected: type[Exception] | None = None) -> tuple[Any, Any, str]:
    cluster = rows.cluster(status_reason="before")
    template = rows.template(name="plain-1.34", labels={"kube_tag": "v1.34.1"})
    workers = rows.nodegroup_named(cluster, "default-worker")
    arguments = (rows.context, cluster, template, 1, workers)
    if expected is None:
        CLUSTERS.cluster_upgrade(*arguments)
        return rows.refreshed(cluster), template, ""
    with pytest.raises(expected) as raised:
        CLUSTERS.cluster_upgrade(*arguments)
    return rows.refreshed(cluster), template, str(raised.value)


def test_an_upgrade_that_is_accepted_has_the_new_template(functions: FunctionServer, rows: RowsFactory) -> None:
    cluster, template, _ = upgrade(rows)
    assert (cluster.status, cluster.cluster_template_id) == ("UPDATE_IN_PROGRESS", template.uuid)
    assert nodegroups(cluster)["default-worker"] == ("UPDATE_IN_PROGRESS", None)
    assert nodegroups(cluster)["default-master"] == ("CREATE_COMPLETE", None)
    (operation,) = journal.open_operations(cluster.uuid)
    assert (operation.kind, operation.target) == ("cluster.upgrade", "")


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (rejected("invalid_label", "Label kube_tag skips a minor."), "Label kube_tag skips a minor."),
        (REFUSED, SENTENCE),
        (busy(1), "Another operation on this cluster is going on. Nothing was changed."),
        (plain(403), "The conductor may not call the upgrade function. Nothing was changed."),
    ],
)
def test_an_upgrade_that_certainly_wrote_nothing_leaves_the_rows_as_they_were(
    functions: FunctionServer, rows: RowsFactory, answer: Any, sentence: str
) -> None:
    functions.otherwise = answer
    cluster, template, told = upgrade(rows, exception.NotSupported)
    assert told == sentence
    assert (cluster.status, cluster.status_reason) == ("CREATE_COMPLETE", "before")
    assert cluster.cluster_template_id != template.uuid
    assert nodegroups(cluster) == both("CREATE_COMPLETE")
    assert open_kinds(cluster) == []


def test_an_upgrade_that_reaches_no_function_leaves_the_rows_as_they_were_and_may_be_tried_again(
    functions: FunctionServer, rows: RowsFactory, set_option: Any
) -> None:
    url = functions.url
    set_option("functions_url", "http://127.0.0.1:1/")
    set_option("call_timeout", 1)
    cluster, template, told = upgrade(rows, exception.NotSupported)
    assert told == "The upgrade function cannot be reached. Nothing was changed."
    set_option("functions_url", f"{url}/{{function}}")
    workers = rows.nodegroup_named(cluster, "default-worker")
    CLUSTERS.cluster_upgrade(rows.context, cluster, template, 1, workers)
    assert rows.refreshed(cluster).status == "UPDATE_IN_PROGRESS"


def test_an_upgrade_with_an_option_that_cannot_be_read_leaves_the_rows_as_they_were(
    functions: FunctionServer, rows: RowsFactory, set_option: Any
) -> None:
    set_option("openstack_ca_file", "/nowhere/ca.pem", "drivers")
    cluster, template, told = upgrade(rows, exception.NotSupported)
    assert "[drivers] openstack_ca_file" in told
    assert (cluster.status, cluster.cluster_template_id != template.uuid) == ("CREATE_COMPLETE", True)
    assert open_kinds(cluster) == []


@pytest.mark.parametrize("answer", [unavailable(), hang_up(), silence(20)])
def test_an_upgrade_of_which_nobody_knows_counts_as_accepted_within_its_limit(
    functions: FunctionServer, rows: RowsFactory, answer: Any
) -> None:
    functions.otherwise = answer
    before = time.monotonic()
    cluster, template, _ = upgrade(rows)
    assert time.monotonic() - before < BOUNDED
    assert (cluster.status, cluster.cluster_template_id) == ("UPDATE_IN_PROGRESS", template.uuid)
    assert open_kinds(cluster) == ["cluster.upgrade"]
