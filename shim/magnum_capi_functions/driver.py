"""The Magnum driver: each call becomes one event for a function.

A driver object holds nothing and costs nothing: Magnum makes a new one for each look-up, in magnum-api as well.
Exceptions are chosen by what Magnum's conductor makes of them.
"""

from __future__ import annotations

from typing import Any

from magnum import objects
from magnum.common import exception
from magnum.drivers.common import driver

from magnum_capi_functions import cluster_operations, health, nodegroup_operations, status
from magnum_capi_functions.options import settings
from magnum_capi_functions.refusals import unsupported
from magnum_capi_functions.rotation import rotate_credential

_CERTIFICATE_REFERENCES = ("ca_cert_ref", "magnum_cert_ref", "etcd_ca_cert_ref", "front_proxy_ca_cert_ref")


class FunctionsDriver(driver.Driver):
    """All of the driver but the operating system."""

    #: Clusters act in the cloud by an application credential of their own.
    needs_trust = False
    operating_system: str

    @property
    def provides(self) -> list[dict[str, str]]:
        """The kind of cluster that Magnum comes here for."""
        return [{"server_type": "vm", "os": self.operating_system, "coe": "kubernetes"}]

    def create_cluster(self, context: Any, cluster: Any, cluster_create_timeout: int | None) -> None:
        cluster_operations.create(context, cluster, cluster_create_timeout)

    def update_cluster(self, context: Any, cluster: Any, scale_manager: Any = None, rollback: bool = False) -> None:
        cluster_operations.resize_default_workers(context, cluster)

    def resize_cluster(
        self,
        context: Any,
        cluster: Any,
        resize_manager: Any,
        node_count: int,
        nodes_to_remove: list[str] | None,
        nodegroup: Any = None,
    ) -> None:
        cluster_operations.resize(
            context, cluster, nodegroup or cluster.default_ng_worker, (node_count, nodes_to_remove)
        )

    def upgrade_cluster(
        self,
        context: Any,
        cluster: Any,
        cluster_template: Any,
        max_batch_size: int,
        nodegroup: Any,
        scale_manager: Any = None,
        rollback: bool = False,
    ) -> None:
        cluster_operations.upgrade(context, cluster, cluster_template, (max_batch_size, nodegroup))

    def delete_cluster(self, context: Any, cluster: Any) -> None:
        cluster_operations.delete(context, cluster)

    def create_nodegroup(self, context: Any, cluster: Any, nodegroup: Any) -> None:
        nodegroup_operations.create(context, cluster, nodegroup)

    def update_nodegroup(self, context: Any, cluster: Any, nodegroup: Any) -> None:
        nodegroup_operations.update(context, cluster, nodegroup)

    def delete_nodegroup(self, context: Any, cluster: Any, nodegroup: Any) -> None:
        nodegroup_operations.delete(context, cluster, nodegroup)

    def rotate_credential(self, context: Any, cluster: Any) -> None:
        rotate_credential(context, cluster, settings().call_timeout)

    def rotate_ca_certificate(self, context: Any, cluster: Any) -> None:
        """Never supported. Magnum has made new certificates before it asks, and saves the cluster after the refusal:
        the references to those that it really has are put back, or nobody would get a kubeconfig that works.
        """
        saved = objects.Cluster.get_by_uuid(context, cluster.uuid)
        for reference in _CERTIFICATE_REFERENCES:
            setattr(cluster, reference, getattr(saved, reference))
        raise unsupported("Certificate authorities of a cluster cannot be rotated: make a new cluster instead.")

    def update_cluster_status(self, context: Any, cluster: Any, use_admin_ctx: bool = False) -> None:
        status.update_cluster_status(context, cluster)

    def get_monitor(self, context: Any, cluster: Any) -> Any:
        return health.Monitor(context, cluster)

    def get_scale_manager(self, context: Any, osclient: Any, cluster: Any) -> None:
        """The functions choose the nodes that go; Magnum passes on what this returns and asks it nothing."""

    def validate_master_size(self, node_count: int) -> None:
        _check_masters(node_count)

    def validate_master_resize(self, node_count: int) -> None:
        _check_masters(node_count)

    def create_federation(self, context: Any, federation: Any) -> None:
        raise NotImplementedError("Federations are not supported.")

    def update_federation(self, context: Any, federation: Any) -> None:
        raise NotImplementedError("Federations are not supported.")

    def delete_federation(self, context: Any, federation: Any) -> None:
        raise NotImplementedError("Federations are not supported.")


def _check_masters(count: int) -> None:
    """etcd needs a majority: an odd number, at least one.

    :raises magnum.common.exception.MasterNGSizeInvalid:
    """
    if count < 1 or count % 2 == 0:
        raise exception.MasterNGSizeInvalid(requested_size=count)


class DebianDriver(FunctionsDriver):
    operating_system = "debian"


class FlatcarDriver(FunctionsDriver):
    operating_system = "flatcar"


class RockyLinuxDriver(FunctionsDriver):
    operating_system = "rockylinux"


class UbuntuDriver(FunctionsDriver):
    operating_system = "ubuntu"


class UbuntuFocalDriver(FunctionsDriver):
    operating_system = "ubuntu-focal"
