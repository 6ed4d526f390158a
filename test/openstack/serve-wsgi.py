"""Serves one WSGI application of OpenStack on a free port of 127.0.0.1.

usage: serve-wsgi.py MODULE PORT_FILE [ARGUMENT ...]

Writes the port into PORT_FILE once it can be reached. The arguments become sys.argv: the applications give those to oslo.config.
"""

import importlib
import os
import sys

from waitress import create_server

module, port_file = sys.argv[1:3]
sys.argv = [module, *sys.argv[3:]]
application = importlib.import_module(module).application
server = create_server(application, host="127.0.0.1", port=0, threads=4, ident=None)
with open(port_file + ".new", "w") as file:
    file.write(str(server.effective_port))
os.rename(port_file + ".new", port_file)
server.run()
