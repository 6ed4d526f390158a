"""A listener in this process, and what a broker sends to one."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from typing import Any
from uuid import uuid4

from cheroot import wsgi

from magnum_capi_functions import listener
from magnum_capi_functions.received_reports import ReceivedReports

SECRET = "a-secret-of-the-subscriber-7f3a"


@contextmanager
def serving() -> Iterator[int]:
    """A listener in this process by the options of now; its port."""
    reports = ReceivedReports()
    server: wsgi.Server = listener.make_server(reports)
    server.prepare()
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server.bind_addr[1]
    finally:
        reports.stop()
        server.stop()
        thread.join(10)


def binary(kind: str, data: Any, when: datetime | None = None, **changes: str) -> tuple[dict[str, str], bytes]:
    """An event as a broker delivers it."""
    uuid = data.get("cluster_uuid", "") if isinstance(data, dict) else ""
    headers = {
        "Content-Type": "application/json",
        "ce-specversion": "1.0",
        "ce-id": str(uuid4()),
        "ce-source": "/functions/status",
        "ce-type": kind,
        "ce-subject": uuid,
        "ce-time": (when or datetime.now(timezone.utc)).isoformat(),
    }
    return {name: value for name, value in (headers | changes).items() if value}, json.dumps(data).encode()


def send(
    port: int, headers: dict[str, str], body: bytes, path: str = f"/reports/{SECRET}", method: str = "POST"
) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def post(port: int, kind: str, data: Any, **changes: str) -> tuple[int, bytes]:
    return send(port, *binary(kind, data, **changes))
