"""A server on the loopback interface in place of the functions: it records events and gives scripted answers."""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import uuid4

PREFIX = "org.openstack.magnum."


@dataclass(frozen=True)
class Received:
    """A request. `kind` is the event's type without prefix and version."""

    function: str
    headers: dict[str, str]
    data: Any
    size: int

    @property
    def kind(self) -> str:
        return self.headers.get("ce-type", "").removeprefix(PREFIX).removesuffix(".v1")

    @property
    def id(self) -> str:
        return self.headers["ce-id"]

    @property
    def token(self) -> str:
        return self.headers.get("authorization", "").removeprefix("Bearer ")


@dataclass(frozen=True)
class Answer:
    """What is sent back after `delay` seconds; status 0 closes the connection instead."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    delay: float = 0


def event_answer(request: Received, kind: str, data: dict[str, Any]) -> Answer:
    """200 with an event in binary mode, as a function's host sends it."""
    headers = {
        "content-type": "application/json",
        "ce-specversion": "1.0",
        "ce-id": str(uuid4()),
        "ce-source": f"/magnum-capi-functions/{request.function}",
        "ce-type": f"{PREFIX}{kind}.v1",
        "ce-subject": request.headers.get("ce-subject", ""),
        "ce-time": datetime.now(timezone.utc).isoformat().replace("+00:00", "Z"),
    }
    return Answer(200, headers, json.dumps(data).encode())


def accepted(stack_id: str = "kube-21d56", notes: tuple[str, ...] = ()) -> Callable[[Received], Answer]:
    """The operation is accepted."""

    def answer(request: Received) -> Answer:
        data = {"cluster_uuid": request.headers["ce-subject"], "stack_id": stack_id, "nodegroup": None}
        return event_answer(request, "operation.accepted", {**data, "notes": list(notes)})

    return answer


def rejected(code: str, message: str, hint: str | None = None) -> Callable[[Received], Answer]:
    """The operation is refused."""
    fault = {"code": code, "message": message, **({"hint": hint} if hint else {})}
    return lambda request: event_answer(request, "operation.rejected", {**fault, "faults": [fault]})


def report(kind: str, data: dict[str, Any]) -> Callable[[Received], Answer]:
    """A report; `kind` is `cluster.status` or `cluster.health`."""
    return lambda request: event_answer(request, kind, {"cluster_uuid": request.headers["ce-subject"], **data})


def problem(status: int, code: str, message: str, **headers: str) -> Callable[[Received], Answer]:
    """An answer that is no result, as a function's host gives it."""
    body = json.dumps({"code": code, "message": message}).encode()
    return lambda _: Answer(status, {"content-type": "application/problem+json", **headers}, body)


def busy(seconds: int = 1) -> Callable[[Received], Answer]:
    """Another operation holds the Lease."""
    return problem(429, "busy", "Another operation holds the Lease of this cluster.", **{"retry-after": str(seconds)})


def unavailable() -> Callable[[Received], Answer]:
    """Something that the function needs is down."""
    return problem(503, "dependency_unavailable", "Kubernetes did not answer.", **{"retry-after": "1"})


def plain(status: int, body: bytes = b"", **headers: str) -> Callable[[Received], Answer]:
    """Whatever stands between."""
    return lambda _: Answer(status, headers, body)


def silence(seconds: float) -> Callable[[Received], Answer]:
    """An answer that comes late."""
    return lambda request: Answer(**{**vars(accepted()(request)), "delay": seconds})


def hang_up() -> Callable[[Received], Answer]:
    """The connection breaks after the request was read."""
    return lambda _: Answer(0)


class FunctionServer:
    """`script` holds the next answers, in order; afterwards `otherwise` is given. `received` holds what came."""

    def __init__(self, *, tls: ssl.SSLContext | None = None, port: int = 0) -> None:
        self.received: list[Received] = []
        self.script: list[Callable[[Received], Answer]] = []
        self.otherwise: Callable[[Received], Answer] = accepted()
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        self._server.daemon_threads = True
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.url = f"http{'s' if tls else ''}://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> FunctionServer:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._stopping.set()
        self._server.shutdown()
        self._server.server_close()

    def answers(self, *answers: Callable[[Received], Answer]) -> None:
        """These come next."""
        self.script.extend(answers)

    def events(self, kind: str) -> list[Received]:
        """What came of one kind."""
        return [request for request in self.received if request.kind == kind]

    def _next(self, request: Received) -> Answer:
        with self._lock:
            self.received.append(request)
            answer = self.script.pop(0) if self.script else self.otherwise
        return answer(request)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                answer = server._next(Received(self.path.strip("/"), headers, json.loads(body), len(body)))
                server._stopping.wait(answer.delay)
                if answer.status == 0:
                    self.close_connection = True
                    return
                self.send_response(answer.status)
                for name, value in {**answer.headers, "content-length": str(len(answer.body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer.body)

            def log_message(self, *_arguments: object) -> None:
                return

        return Handler


def wait_until(condition: Callable[[], bool], seconds: float = 5) -> None:
    """Waits for something that another thread does."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)
