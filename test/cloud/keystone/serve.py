"""A new Keystone in one process: makes its keys and database, bootstraps it, and serves it on a loopback port.

usage: serve.py FOLDER

FOLDER holds keystone.conf and an empty keys/; it gets the database, and the file "port" once Keystone answers.
ADMIN_PASSWORD in the environment becomes the password of the user admin.
"""

import os
import sys
import warnings

warnings.filterwarnings("ignore")
folder = sys.argv[1]
# Keystone reads the command line as its own.
sys.argv = ["keystone"]

import keystone.server
from cryptography.fernet import Fernet
from keystone.cmd.bootstrap import Bootstrapper
from keystone.common import sql
from keystone.common.sql import upgrades
from keystone.server.flask import application, core
from waitress import create_server


def make_keys():
    os.umask(0o077)
    # 0 is the key to come, 1 the one in use.
    for name in ("0", "1"):
        with open(os.path.join(folder, "keys", name), "xb") as key:
            key.write(Fernet.generate_key())


def bootstrap():
    """What keystone-manage does in three commands, each of which would import Keystone anew."""
    upgrades.offline_sync_database_to_version()
    first = Bootstrapper()
    first.admin_username = first.project_name = first.admin_role_name = "admin"
    first.admin_password = os.environ.pop("ADMIN_PASSWORD")
    first.immutable_roles = True
    first.bootstrap()


def serve():
    app = core.setup_app_middleware(application.application_factory("public"))
    # One after the other: sqlite refuses one of two sign-ins that both go from reading to writing ("database is locked").
    server = create_server(app, host="127.0.0.1", port=0, threads=1, ident=None)
    # Renamed, so that nobody reads half a number.
    path = os.path.join(folder, "port")
    with open(path + ".new", "x") as port:
        port.write(str(server.effective_port))
    os.rename(path + ".new", path)
    server.run()


# As every database but sqlite does: else what belonged to something deleted stays, and Keystone stumbles over it.
sql.enable_sqlite_foreign_key()
make_keys()
keystone.server.configure(config_files=[os.path.join(folder, "keystone.conf")])
bootstrap()
serve()
