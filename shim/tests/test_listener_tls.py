"""The listener over TLS."""

from __future__ import annotations

import http.client
import ssl
from collections.abc import Callable
from pathlib import Path

import pytest
from listener_requests import binary, serving
from magnum_stage import MagnumStage
from report_fixtures import CREATED, of_cluster
from tls_files import write_certificate

from magnum_capi_functions.received_reports import STATUS


def test_senders_may_show_a_certificate_in_place_of_a_secret(
    stage: MagnumStage, set_option: Callable[..., None], tmp_path: Path
) -> None:
    certificate, key = write_certificate(tmp_path, "127.0.0.1")
    set_option("listener_port", 0)
    set_option("listener_certificate_file", str(certificate))
    set_option("listener_key_file", str(key))
    set_option("listener_client_ca_file", str(certificate))
    cluster = stage.rows.cluster(status="CREATE_IN_PROGRESS")
    headers, body = binary(STATUS, of_cluster(CREATED, cluster))
    context = ssl.create_default_context(cafile=str(certificate))
    with serving() as port:
        with pytest.raises((ssl.SSLError, ConnectionError, http.client.RemoteDisconnected)):
            _over_tls(port, context, headers, body)
        assert stage.saved(cluster)[""] == "CREATE_IN_PROGRESS"
        context.load_cert_chain(certificate, key)
        assert _over_tls(port, context, headers, body) == 204
    assert stage.saved(cluster)[""] == "CREATE_COMPLETE"


def _over_tls(port: int, context: ssl.SSLContext, headers: dict[str, str], body: bytes) -> int:
    connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=30, context=context)
    try:
        connection.request("POST", "/reports", body, headers)
        return connection.getresponse().status
    finally:
        connection.close()
