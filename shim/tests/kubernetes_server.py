"""A Kubernetes API on the loopback interface that gives tokens for ServiceAccounts."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class KubernetesServer:
    """Answers each TokenRequest with `status` and the next token; `asked` holds path and body of each."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.status = 201
        self.lifetime = 3600
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> KubernetesServer:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def kubeconfig(self) -> str:
        """A kubeconfig for it, with a credential of its own."""
        return json.dumps(
            {
                "apiVersion": "v1",
                "kind": "Config",
                "clusters": [{"name": "management", "cluster": {"server": self.url}}],
                "users": [{"name": "conductor", "user": {"token": "kubeconfig-token-that-is-secret"}}],
                "contexts": [{"name": "main", "context": {"cluster": "management", "user": "conductor"}}],
                "current-context": "main",
            }
        )

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                server.asked.append((self.path, body))
                status = {"token": f"token-{len(server.asked)}", "expirationTimestamp": "2026-11-30T20:00:00Z"}
                spec = {**body["spec"], "expirationSeconds": server.lifetime}
                self._answer(server.status, {**body, "spec": spec, "status": status})

            def _answer(self, status: int, body: dict[str, Any]) -> None:
                content = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_arguments: object) -> None:
                return

        return Handler
