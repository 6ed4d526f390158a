"""The original driver, called by Magnum's own conductor, as a process that the tests command through its standard input.

usage: original-driver.py CONFIG

CONFIG is magnum.conf; its database is made where it is empty. Says {"ready": the driver's version} first. Each line of input is a
command in JSON, answered by one line: {"rows": what Magnum knows of the cluster, null once it is gone} or {"error": why not}.
Rows are those of Magnum's objects, as it hands them over to a driver.
"""

import importlib.metadata
import json
import sys
import warnings

warnings.filterwarnings("ignore")

from eventlet import tpool  # noqa: E402

# Outside of eventlet's own threads its proxy waits for ever; Magnum has native threads now.
tpool.Proxy = lambda wrapped, *_, **__: wrapped

import magnum.conf  # noqa: E402
import requests  # noqa: E402
from magnum import objects  # noqa: E402
from magnum.common import context as magnum_context  # noqa: E402
from magnum.common import exception, rpc  # noqa: E402
from magnum.conductor.handlers import cluster_conductor, nodegroup_conductor  # noqa: E402
from magnum.conductor.handlers.common import cert_manager  # noqa: E402
from magnum.db.sqlalchemy import models  # noqa: E402
from magnum.service import periodic  # noqa: E402
from magnum_cluster_api import sync  # noqa: E402
from oslo_db.sqlalchemy import enginefacade  # noqa: E402
from oslo_log import log as logging  # noqa: E402
from oslo_service import loopingcall  # noqa: E402

CONF = magnum.conf.CONF
TEMPLATE = objects.ClusterTemplate.fields.keys() - {"id", "created_at", "updated_at"}
CLUSTER = objects.Cluster.fields.keys() - {"id", "created_at", "updated_at", "cluster_template"}
NODEGROUP = objects.NodeGroup.fields.keys() - {"id", "created_at", "updated_at"}

clusters = cluster_conductor.Handler()
nodegroups = nodegroup_conductor.Handler()
locks = {}


def start(config):
    logging.register_options(CONF)
    CONF(["--config-file", config], project="magnum")
    logging.setup(CONF, "magnum")
    # Magnum's migrations do not run on SQLite; its own tests create the tables like this.
    models.Base.metadata.create_all(enginefacade.writer.get_engine())
    rpc.init(CONF)


def user_context(auth_url, token):
    """As the API makes it of a request: with the body of the user's token."""
    headers = {"X-Auth-Token": token, "X-Subject-Token": token}
    body = requests.get(f"{auth_url}/auth/tokens", headers=headers, timeout=10).json()
    user, project = body["token"]["user"], body["token"]["project"]
    return magnum_context.make_context(
        auth_token=token,
        auth_token_info=body,
        auth_url=auth_url,
        user_id=user["id"],
        user_name=user["name"],
        user_domain_id=user["domain"]["id"],
        project_id=project["id"],
        project_name=project["name"],
        roles=[role["name"] for role in body["token"]["roles"]],
        is_admin=False,
    )


def admin_context():
    return magnum_context.make_admin_context(all_tenants=True)


def new(kind, names, context, row):
    return kind(context, **{name: row[name] for name in names if name in row})


def save_template(context, row):
    try:
        return objects.ClusterTemplate.get_by_uuid(context, row["uuid"])
    except exception.ClusterTemplateNotFound:
        owner = {"project_id": context.project_id, "user_id": context.user_id}
        template = new(objects.ClusterTemplate, TEMPLATE, context, {**row, **owner})
        template.create()
        return template


def create(context, command):
    save_template(context, command["cluster_template"])
    row = command["cluster"]
    names = CLUSTER - {"stack_id", "status", "ca_cert_ref", "magnum_cert_ref", "etcd_ca_cert_ref", "front_proxy_ca_cert_ref"}
    cluster = new(objects.Cluster, names, context, row)
    clusters.cluster_create(context, cluster, row["master_count"], row["node_count"], row["create_timeout"])


def write(context, command):
    """Writes the rows of a cluster as another driver left them."""
    save_template(context, command["cluster_template"])
    row = command["cluster"]
    try:
        cluster = objects.Cluster.get_by_uuid(context, row["uuid"])
    except exception.ClusterNotFound:
        cluster = new(objects.Cluster, CLUSTER, context, row)
        cluster.create()
        cert_manager.generate_certificates_to_cluster(cluster, context=context)
    cluster.status = row["status"]
    cluster.save()
    known = {nodegroup.name: nodegroup for nodegroup in cluster.nodegroups}
    for group in command["nodegroups"]:
        if group["name"] in known:
            known[group["name"]].node_count = group["node_count"]
            known[group["name"]].status = group["status"]
            known[group["name"]].save()
        else:
            owner = {"cluster_id": cluster.uuid, "project_id": cluster.project_id}
            new(objects.NodeGroup, NODEGROUP, context, {**group, **owner}).create()


def resize(context, command):
    cluster, nodegroup = found(context, command)
    nodes = command.get("nodes_to_remove", [])
    clusters.cluster_resize(context, cluster, command["node_count"], nodes, nodegroup)


def upgrade(context, command):
    template = save_template(context, command["cluster_template"])
    cluster = objects.Cluster.get_by_uuid(context, command["uuid"])
    clusters.cluster_upgrade(context, cluster, template, 1, cluster.default_ng_worker)


def delete(context, command):
    clusters.cluster_delete(context, command["uuid"])


def create_nodegroup(context, command):
    cluster = objects.Cluster.get_by_uuid(context, command["uuid"])
    row = {**command["nodegroup"], "cluster_id": cluster.uuid, "project_id": cluster.project_id}
    # Of an attempt that the driver gave up.
    for earlier in cluster.nodegroups:
        if earlier.name == row["name"]:
            earlier.destroy()
    nodegroups.nodegroup_create(context, cluster, new(objects.NodeGroup, NODEGROUP - {"status"}, context, row))


def update_nodegroup(context, command):
    cluster, nodegroup = found(context, command)
    nodegroup.update(command["changes"])
    nodegroups.nodegroup_update(context, cluster, nodegroup)


def delete_nodegroup(context, command):
    nodegroups.nodegroup_delete(context, *found(context, command))


def synchronise(_context, command):
    """One turn of the periodic task, which ends each turn by raising."""
    context = admin_context()
    cluster = objects.Cluster.get_by_uuid(context, command["uuid"])
    try:
        periodic.ClusterUpdateJob(context, cluster).update_status()
    except loopingcall.LoopingCallDone:
        pass


def hold(_context, command):
    """Takes the lock that the driver takes for each operation, and keeps it."""
    locks[command["uuid"]] = sync.ClusterLock(command["uuid"])
    locks[command["uuid"]].acquire()


def release(_context, command):
    locks.pop(command["uuid"]).release()


def show(_context, _command):
    pass


def found(context, command):
    cluster = objects.Cluster.get_by_uuid(context, command["uuid"])
    return cluster, objects.NodeGroup.get(context, cluster.uuid, command["nodegroup"])


COMMANDS = {
    "create": create,
    "write": write,
    "resize": resize,
    "upgrade": upgrade,
    "delete": delete,
    "create_nodegroup": create_nodegroup,
    "update_nodegroup": update_nodegroup,
    "delete_nodegroup": delete_nodegroup,
    "synchronise": synchronise,
    "hold": hold,
    "release": release,
    "show": show,
}


def rows(uuid):
    try:
        cluster = objects.Cluster.get_by_uuid(admin_context(), uuid)
    except exception.ClusterNotFound:
        return None
    return {
        "cluster": cluster.as_dict(),
        "cluster_template": cluster.cluster_template.as_dict(),
        "nodegroups": [nodegroup.as_dict() for nodegroup in cluster.nodegroups],
    }


def answer(command):
    uuid = command["uuid"] if "uuid" in command else command["cluster"]["uuid"]
    try:
        COMMANDS[command["command"]](user_context(command["auth_url"], command["token"]), command)
        return {"rows": rows(uuid)}
    except Exception as error:
        logging.getLogger(__name__).exception("%s failed", command["command"])
        return {"error": f"{type(error).__name__}: {error}", "rows": None}


def say(message):
    print(json.dumps(message, default=str), flush=True)


start(sys.argv[1])
say({"ready": importlib.metadata.version("magnum-cluster-api")})
for line in sys.stdin:
    say(answer(json.loads(line)))
