"""The HTTP side of the listener: `POST /reports/<secret>` takes one CloudEvent, `GET /healthz` says that it runs, and
`GET /metrics` what it has done so far."""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from cheroot.errors import MaxSizeExceeded
from oslo_db import exception as db_exc
from oslo_log import log

from magnum_capi_functions import metrics
from magnum_capi_functions.received_reports import UnreadableReport, kind_of
from magnum_capi_functions.replies import NoReply, parse_event

if TYPE_CHECKING:
    from magnum_capi_functions.received_reports import ReceivedReports

LOG = log.getLogger(__name__)

# The functions' own limit of events.
MAX_BODY = 1024 * 1024
_PATH = "/reports"

#: Open to whoever reaches the port: they name no cluster.
_PAGES: dict[str, Callable[[], str]] = {"/healthz": lambda: "ok", "/metrics": metrics.text}

StartResponse = Callable[[str, list[tuple[str, str]]], Any]


class ListenerApp:
    """
    A WSGI application. Success has no body: Knative takes a body for a reply, and one that is no event for a failure.
    What a broker is to send again is 503, what will never be of use 400.
    """

    def __init__(self, reports: ReceivedReports, secret: str | None) -> None:
        """Without a `secret` somebody else has to check who sends: TLS, by certificates."""
        self._reports = reports
        self._secret = secret

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        status, sentence = self._answer(environ)
        body = f"{sentence.rstrip()}\n".encode() if sentence else b""
        headers = [("Content-Length", str(len(body)))]
        if body:
            headers.append(("Content-Type", "text/plain; charset=utf-8"))
        if status.startswith("503"):
            headers.append(("Retry-After", "5"))
        if status.startswith("413"):
            headers.append(("Connection", "close"))
        start_response(status, headers)
        return [body]

    def _answer(self, environ: dict[str, Any]) -> tuple[str, str]:
        method, path = environ["REQUEST_METHOD"], environ.get("PATH_INFO", "")
        if path in _PAGES and method in ("GET", "HEAD"):
            return "200 OK", "" if method == "HEAD" else _PAGES[path]()
        if not self._is_allowed(path, environ.get("HTTP_AUTHORIZATION", "")):
            return "404 Not Found", "There is nothing here."
        if method != "POST":
            return "405 Method Not Allowed", "Reports come by POST."
        try:
            body = _body(environ)
        except ValueError:
            return "400 Bad Request", "The chunks of the body cannot be read."
        if body is None:
            return "413 Content Too Large", f"A report has at most {MAX_BODY} bytes."
        return self._taken(_headers(environ), body)

    def _taken(self, headers: dict[str, str], body: bytes) -> tuple[str, str]:
        kind, outcome = "other", "failed"
        try:
            event = parse_event(headers, body)
            kind = kind_of(event)
            _check_time(headers, body)
            outcome = self._reports.take(event)
        except (NoReply, UnreadableReport) as error:
            outcome = "refused"
            LOG.warning("A report was refused: %s", error)
            return "400 Bad Request", str(error)
        except db_exc.DBError as error:
            LOG.error("A report has to come again, for the database cannot be used: %s", type(error).__name__)
            return "503 Service Unavailable", "The database cannot be used now."
        except Exception:
            LOG.exception("A report could not be applied.")
            return "500 Internal Server Error", "The report could not be applied; the listener's log says why."
        finally:
            metrics.count("magnum_capi_listener_reports_total", type=kind, outcome=outcome)
        return "204 No Content", ""

    def _is_allowed(self, path: str, authorization: str) -> bool:
        """The secret ends the path, since a Trigger's subscriber is an address; it may come as a bearer token too."""
        if self._secret is None:
            return path == _PATH
        given = authorization.removeprefix("Bearer ") if path == _PATH else path.removeprefix(f"{_PATH}/")
        return hmac.compare_digest(given.encode(), self._secret.encode())


def _body(environ: dict[str, Any]) -> bytes | None:
    """None where it is too large."""
    length = environ.get("CONTENT_LENGTH") or ""
    if length.isdigit() and int(length) > MAX_BODY:
        return None
    stream = environ["wsgi.input"]
    try:
        body: bytes = stream.read(int(length) if length.isdigit() else MAX_BODY + 1)
    except (MaxSizeExceeded, OSError):
        # Of chunks, the server notices while it reads them; whoever has gone away hears no answer.
        return None
    return None if len(body) > MAX_BODY else body


def _check_time(headers: dict[str, str], body: bytes) -> None:
    """The SDK gives an event without a time the present one, and it would count as the newest of all reports."""
    attributes = {name.removeprefix("ce-"): value for name, value in headers.items()}
    if "specversion" not in attributes:
        attributes = json.loads(body)
    if not attributes.get("time"):
        raise UnreadableReport("The event says no time.")


def _headers(environ: dict[str, Any]) -> dict[str, str]:
    """Those that events are made of."""
    headers = {
        name.removeprefix("HTTP_").replace("_", "-").lower(): value
        for name, value in environ.items()
        if name.startswith("HTTP_CE_")
    }
    return headers | {"content-type": environ.get("CONTENT_TYPE", "")}
