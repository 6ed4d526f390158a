"""Prints as JSON which drivers an installed shim brings: those that Magnum finds, each with what it says it is for.

Whoever imports a driver, or makes one, must not need the network: a connection or a look-up of a name is an error here.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import entry_points

FORBIDDEN = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto")


def forbid_network(event: str, arguments: tuple[object, ...]) -> None:
    if event in FORBIDDEN:
        raise PermissionError(f"{event} {arguments!r}")


def main() -> None:
    sys.addaudithook(forbid_network)
    found = {}
    for entry_point in entry_points(group="magnum.drivers"):
        if entry_point.dist is None or entry_point.dist.name != "magnum-capi-functions":
            continue
        driver = entry_point.load()
        found[entry_point.name] = {
            "provides": driver().provides,
            "file": sys.modules[driver.__module__].__file__,
        }
    json.dump(found, sys.stdout)


main()
