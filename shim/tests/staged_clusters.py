"""Clusters at certain moments of their life on the stage."""

from __future__ import annotations

from typing import Any

from magnum_stage import MagnumStage
from report_fixtures import CREATE, MASTER, UPDATE, WORKER, complete, rest_of


def created(stage: MagnumStage) -> Any:
    """A complete cluster with its default nodegroups."""
    cluster = stage.create()
    create = stage.last_id("cluster.create")
    stage.push(cluster, complete(create, CREATE), rest_of(create))
    assert set(stage.saved(cluster).values()) == {"CREATE_COMPLETE"}
    return stage.row(cluster)


def resize(stage: MagnumStage, cluster: Any, count: int, name: str = WORKER) -> str:
    """The conductor resizes; the id of the event."""
    row, nodegroup = stage.row(cluster), stage.nodegroup(cluster, name)
    stage.conductor.clusters.cluster_resize(stage.rows.context, row, count, [], nodegroup)
    return stage.last_id("cluster.resize")


def overtaken(stage: MagnumStage) -> Any:
    """A cluster in progress by a late save, of whose resize a report has told the end."""
    cluster = created(stage)
    create = stage.last_id("cluster.create")
    conductors = stage.row(cluster)
    event = resize(stage, cluster, 3)
    stage.push(cluster, complete(event, UPDATE), rest_of(create, **{WORKER: complete(event, UPDATE, 3)}))
    assert stage.saved(cluster)[""] == "UPDATE_COMPLETE"
    conductors.status, conductors.status_reason = "UPDATE_IN_PROGRESS", None
    conductors.save()
    nodegroup = stage.nodegroup(cluster, WORKER)
    nodegroup.status = "UPDATE_IN_PROGRESS"
    nodegroup.save()
    return cluster


def waiting(stage: MagnumStage, nodes: int = 5) -> Any:
    """A cluster whose conductor died after it had journalled a resize and saved the rows."""
    cluster = stage.rows.cluster(status="UPDATE_IN_PROGRESS")
    nodegroup = stage.nodegroup(cluster, WORKER)
    nodegroup.node_count = nodes
    nodegroup.save()
    master = stage.nodegroup(cluster, MASTER)
    master.status = "CREATE_COMPLETE"
    master.save()
    stage.reopened(cluster, "cluster.resize", WORKER, arguments={"node_count": nodes, "nodes_to_remove": ["n1"]})
    return cluster
