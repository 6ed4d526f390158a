"""Magnum's own conductor, without RPC."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from function_server import rejected
from magnum.common import exception
from magnum.conductor.handlers import ca_conductor, cluster_conductor, nodegroup_conductor
from magnum_rows_factory import RowsFactory

from magnum_capi_functions import journal


@dataclass(frozen=True)
class Conductor:
    """Its handlers, which find the driver by its entry point."""

    clusters: Any = field(default_factory=cluster_conductor.Handler)
    nodegroups: Any = field(default_factory=nodegroup_conductor.Handler)
    certificates: Any = field(default_factory=ca_conductor.Handler)


CLUSTERS = Conductor().clusters
REFUSED = rejected("quota_exceeded", "The quota of 100% of the cores is used up.", "Ask for more.")
SENTENCE = "The quota of 100% of the cores is used up. Ask for more."


def create(rows: RowsFactory) -> Any:
    cluster = rows.new_cluster()
    CLUSTERS.cluster_create(rows.context, cluster, 1, 2, 60)
    return rows.refreshed(cluster)


def create_fails(rows: RowsFactory, kind: type[Exception] = exception.MagnumException) -> Any:
    cluster = rows.new_cluster()
    with pytest.raises(kind):
        CLUSTERS.cluster_create(rows.context, cluster, 1, 2, 60)
    return rows.refreshed(cluster)


def nodegroups(cluster: Any) -> dict[str, tuple[str, str | None]]:
    return {one.name: (one.status, one.status_reason) for one in cluster.nodegroups}


def open_kinds(cluster: Any) -> list[str]:
    return [operation.kind for operation in journal.open_operations(cluster.uuid)]


def both(status: str, reason: str | None = None) -> dict[str, tuple[str, str | None]]:
    return {"default-master": (status, reason), "default-worker": (status, reason)}
