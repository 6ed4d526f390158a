"""`magnum-capi-listener`: takes the reports of the functions and writes them into Magnum's database."""

from __future__ import annotations

import logging
import signal
import ssl
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import magnum.conf
from cheroot import wsgi
from cheroot.ssl.builtin import BuiltinSSLAdapter
from magnum.common import service
from oslo_log import log

from magnum_capi_functions.listener_app import MAX_BODY, ListenerApp
from magnum_capi_functions.options import register_options, settings
from magnum_capi_functions.received_reports import ReceivedReports
from magnum_capi_functions.unattended import Sweep

if TYPE_CHECKING:
    from collections.abc import Sequence

LOG = log.getLogger(__name__)

# Reports that are applied at once; each uses two connections of the database, of which oslo.db allows 55.
_THREADS = 16
_TIMEOUT = 30
# Reports that are being applied are finished.
_SHUTDOWN_TIMEOUT = 10


class ListenerError(Exception):
    """The options do not go together, in one sentence."""


def main(argv: Sequence[str] | None = None) -> int:
    """Takes the options of Magnum's services, as `--config-file`.

    :returns: 0 after SIGTERM or SIGINT, 1 where it cannot serve, 2 for options that do not go together.
    """
    register_options(magnum.conf.CONF)
    service.prepare_service(list(sys.argv if argv is None else argv))
    try:
        return _serve()
    except ListenerError as error:
        _tell(str(error))
        return 2
    except OSError as error:
        _tell(f"The listener cannot serve: {error}.")
        return 1


def _serve() -> int:
    options = settings()
    reports, sweep = ReceivedReports(), Sweep(options.sweep_interval)
    server = make_server(reports)
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    server.prepare()
    LOG.info("Reports are taken on %s port %d.", options.listener_host, server.bind_addr[1])
    sweep.start()
    # Not in this thread: an exception that a signal's handler raises can leave cheroot's queue and locks half-way.
    serving = threading.Thread(target=server.serve, name="serve", daemon=True)
    serving.start()
    while serving.is_alive() and not stopping.wait(1):
        pass
    LOG.info("The listener stops.")
    sweep.stop()
    reports.stop()
    server.stop()
    return 0 if stopping.is_set() else 1


def make_server(reports: ReceivedReports) -> wsgi.Server:
    """By the options; it serves nothing yet.

    :raises ListenerError: they do not go together.
    """
    options = settings()
    secret = _secret(options.listener_secret_file)
    is_by_certificate = bool(options.listener_client_ca_file)
    if secret is None and not is_by_certificate:
        raise ListenerError("Who may send reports? Set listener_secret_file or listener_client_ca_file.")
    server = wsgi.Server(
        (options.listener_host, options.listener_port),
        ListenerApp(reports, secret),
        numthreads=_THREADS,
        timeout=_TIMEOUT,
        shutdown_timeout=_SHUTDOWN_TIMEOUT,
    )
    server.max_request_body_size = MAX_BODY
    server.error_log = _log_error
    if options.listener_certificate_file:
        server.ssl_adapter = _tls(options.listener_certificate_file, options.listener_key_file)
        if is_by_certificate:
            context = server.ssl_adapter.context
            context.load_verify_locations(options.listener_client_ca_file)
            context.verify_mode = ssl.CERT_REQUIRED
    elif is_by_certificate:
        raise ListenerError("Senders can show certificates only over TLS: set listener_certificate_file.")
    return server


def _tls(certificate_file: str, key_file: str | None) -> BuiltinSSLAdapter:
    if not key_file:
        raise ListenerError("A certificate is of no use without its key: set listener_key_file.")
    return BuiltinSSLAdapter(certificate_file, key_file)


def _secret(file: str | None) -> str | None:
    """None without a file. No error tells what is in it."""
    if not file:
        return None
    try:
        secret = Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ListenerError(f"Option listener_secret_file: {file} cannot be read ({type(error).__name__}).") from None
    if len(secret) < 16 or "/" in secret or not secret.isascii() or not secret.isprintable():
        raise ListenerError(f"Option listener_secret_file: {file} is to hold 16 or more characters for a path.")
    return secret


def _log_error(message: str = "", level: int = logging.INFO, traceback: bool = False) -> None:
    """cheroot's messages carry no request line."""
    LOG.log(level, "%s", message, exc_info=traceback)


def _tell(sentence: str) -> None:
    LOG.error(sentence)
    sys.stderr.write(f"{sentence}\n")


if __name__ == "__main__":
    sys.exit(main())
