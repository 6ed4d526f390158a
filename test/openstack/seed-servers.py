"""Writes servers into Nova's databases, as if hypervisors had reported them: nothing behind the API could start one.

usage: seed-servers.py NOVA_CONF PROJECTS SERVERS

PROJECTS: JSON, ids of projects by name. SERVERS: JSON, a list of {name, status, owner, fault?: {code, message}}.
"""

import json
import sys

from nova import config, context, objects
from nova.compute import vm_states
from nova.network import model
from oslo_utils import uuidutils

configuration, projects, servers = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
config.parse_args(["nova", "--config-file", configuration])
objects.register_all()
states = {"ACTIVE": vm_states.ACTIVE, "ERROR": vm_states.ERROR, "SHUTOFF": vm_states.STOPPED}

admin = context.get_admin_context()
cell = next(cell for cell in objects.CellMappingList.get_all(admin) if not cell.is_cell0())
flavor = objects.Flavor.get_by_name(admin, "m1.small")
for server in servers:
    project = projects[server["owner"]]
    mapping = {"instance_uuid": uuidutils.generate_uuid(), "cell_mapping": cell}
    objects.InstanceMapping(admin, project_id=project, user_id="none", queued_for_delete=False, **mapping).create()
    with context.target_cell(admin, cell) as target:
        instance = objects.Instance(
            target,
            uuid=mapping["instance_uuid"],
            project_id=project,
            user_id="none",
            display_name=server["name"],
            vm_state=states[server["status"]],
            image_ref="",
            flavor=flavor,
            old_flavor=None,
            new_flavor=None,
            instance_type_id=flavor.id,
            memory_mb=flavor.memory_mb,
            vcpus=flavor.vcpus,
            root_gb=flavor.root_gb,
            ephemeral_gb=0,
            system_metadata={},
            info_cache=objects.InstanceInfoCache(network_info=model.NetworkInfo()),
        )
        instance.create()
        if "fault" in server:
            fault = {"code": server["fault"]["code"], "message": server["fault"]["message"], "details": ""}
            objects.InstanceFault(target, instance_uuid=instance.uuid, host="none", **fault).create()
