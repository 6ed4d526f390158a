"""Prints each change of Magnum's rows of clusters and nodegroups. usage: watch-rows.py SOCKET

One JSON object a line: {"kind": "cluster" or "nodegroup", "cluster": uuid, "name": name of the nodegroup or "", "row": columns}, where
row is null once it is gone; and {"kind": "count", "name": table, "row": number of rows}. Ends with its standard input.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from typing import Any

import pymysql

PAUSE_SECONDS = 0.02
CLUSTER_COLUMNS = (
    "name, stack_id, status, status_reason, health_status, api_address, coe_version, cluster_template_id, "
    "ca_cert_ref, magnum_cert_ref"
)
NODEGROUP_COLUMNS = "status, status_reason, node_count, stack_id, node_addresses"
COUNTED = ("x509keypair", "capi_functions_operations", "capi_functions_reports")
Rows = dict[tuple[str, str, str], Any]


def read_rows(cursor: pymysql.cursors.DictCursor) -> Rows:
    cursor.execute(f"SELECT uuid, {CLUSTER_COLUMNS} FROM cluster")
    rows: Rows = {("cluster", row.pop("uuid"), ""): row for row in cursor.fetchall()}
    cursor.execute(f"SELECT cluster_id, name, {NODEGROUP_COLUMNS} FROM nodegroup")
    rows.update({("nodegroup", row.pop("cluster_id"), row.pop("name")): row for row in cursor.fetchall()})
    for table in COUNTED:
        rows["count", "", table] = count(cursor, table)
    return rows


def count(cursor: pymysql.cursors.DictCursor, table: str) -> int:
    """Tables of the driver's own are there from their first use on."""
    try:
        cursor.execute(f"SELECT COUNT(*) AS rows_of_table FROM {table}")
    except pymysql.err.ProgrammingError:
        return 0
    return cursor.fetchone()["rows_of_table"]


def tell(key: tuple[str, str, str], row: Any) -> None:
    kind, cluster, name = key
    print(json.dumps({"kind": kind, "cluster": cluster, "name": name, "row": row}), flush=True)


def watch(socket: str) -> None:
    connection = pymysql.connect(
        unix_socket=socket,
        user="root",
        database="magnum",
        autocommit=True,
        cursorclass=pymysql.cursors.DictCursor,
    )
    known: Rows = {}
    with connection, connection.cursor() as cursor:
        while True:
            rows = read_rows(cursor)
            for key in known.keys() - rows.keys():
                tell(key, None)
            for key, row in rows.items():
                if known.get(key) != row:
                    tell(key, row)
            known = rows
            time.sleep(PAUSE_SECONDS)


if __name__ == "__main__":
    threading.Thread(target=watch, args=(sys.argv[1],), daemon=True).start()
    sys.stdin.read()
