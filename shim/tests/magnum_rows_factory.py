"""Rows of Magnum as its API and conductor make them."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from magnum import objects
from magnum.common.context import RequestContext


class RowsFactory:
    """Everything is owned by the user of the context."""

    def __init__(self, context: RequestContext) -> None:
        self.context = context

    def template(self, **fields: Any) -> Any:
        """A saved cluster template."""
        return self._saved(objects.ClusterTemplate, self._template_fields() | fields)

    def _template_fields(self) -> dict[str, Any]:
        return {
            "uuid": str(uuid4()),
            "name": "plain",
            "coe": "kubernetes",
            "cluster_distro": "ubuntu",
            "server_type": "vm",
            "driver": "k8s_cluster_api_ubuntu",
            "image_id": "ubuntu-2204-kube-v1.30",
            "flavor_id": "m1.medium",
            "master_flavor_id": "m1.medium",
            "external_network_id": "public",
            "network_driver": "calico",
            "master_lb_enabled": True,
            "floating_ip_enabled": True,
            "tls_disabled": False,
            "registry_enabled": False,
            "public": False,
            "hidden": False,
            "labels": {"kube_tag": "v1.33.4"},
            "project_id": self.context.project_id,
            "user_id": self.context.user_id,
        }

    def new_cluster(self, **fields: Any) -> Any:
        """A cluster that is not saved yet, as the API hands it to the conductor's cluster_create."""
        template = self.template() if "cluster_template_id" not in fields else None
        defaults = {
            "uuid": str(uuid4()),
            "name": "plain-1",
            "cluster_template_id": template.uuid if template else None,
            "keypair": "mykey",
            "flavor_id": "m1.medium",
            "master_flavor_id": "m1.medium",
            "labels": {"kube_tag": "v1.33.4"},
            "create_timeout": 60,
            "master_lb_enabled": True,
            "floating_ip_enabled": True,
            "project_id": self.context.project_id,
            "user_id": self.context.user_id,
        }
        return objects.Cluster(self.context, **(defaults | fields))

    def cluster(self, **fields: Any) -> Any:
        """A saved cluster with both default nodegroups, complete unless `status` says otherwise."""
        status = fields.setdefault("status", "CREATE_COMPLETE")
        complete = {"stack_id": "kube-21d56", "api_address": "https://127.0.0.1:6443", "coe_version": "v1.33.4"}
        cluster = self.new_cluster(**(complete | fields))
        cluster.create()
        self.nodegroup(cluster, name="default-master", role="master", is_default=True, status=status, node_count=1)
        self.nodegroup(cluster, name="default-worker", role="worker", is_default=True, status=status, node_count=2)
        return cluster

    def nodegroup(self, cluster: Any, **fields: Any) -> Any:
        """A saved nodegroup."""
        return self._saved(objects.NodeGroup, self._nodegroup_fields(cluster) | fields)

    def new_nodegroup(self, cluster: Any, **fields: Any) -> Any:
        """A nodegroup that is not saved yet, as the API hands it to the conductor's nodegroup_create."""
        return objects.NodeGroup(self.context, **(self._nodegroup_fields(cluster) | fields))

    def _nodegroup_fields(self, cluster: Any) -> dict[str, Any]:
        return {
            "uuid": str(uuid4()),
            "name": "gpu",
            "role": "gpu",
            "cluster_id": cluster.uuid,
            "project_id": cluster.project_id,
            "flavor_id": "m1.medium",
            "image_id": "ubuntu-2204-kube-v1.30",
            "labels": {"kube_tag": "v1.33.4"},
            "node_count": 2,
            "min_node_count": 0,
            "max_node_count": 4,
            "is_default": False,
            "stack_id": cluster.stack_id if cluster.obj_attr_is_set("stack_id") else None,
            "status": "CREATE_COMPLETE",
        }

    def refreshed(self, cluster: Any) -> Any:
        """The cluster's row as it is now."""
        return objects.Cluster.get_by_uuid(self.context, cluster.uuid)

    def nodegroup_named(self, cluster: Any, name: str) -> Any:
        """The row of a nodegroup as it is now."""
        return objects.NodeGroup.get_by_name(self.context, cluster.uuid, name)

    def _saved(self, kind: Any, fields: dict[str, Any]) -> Any:
        row = kind(self.context, **fields)
        row.create()
        return row
